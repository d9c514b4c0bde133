import Building from 'lucide-solid/icons/building';
import SlidersHorizontal from 'lucide-solid/icons/sliders-horizontal';
import Users from 'lucide-solid/icons/users';
import type { Component } from 'solid-js';
import type { Viewer } from './session.ts';

export interface Destination {
  readonly href: string;
  readonly label: string;
  readonly icon: Component<{ class?: string; 'aria-hidden'?: 'true' }>;
  readonly role: Viewer['role'];
}

/** The rail, in order. One line per page; administrators' pages carry their role. */
const destinations: readonly Destination[] = [
  { href: '/settings', label: 'Settings', icon: SlidersHorizontal, role: 'USER' },
  { href: '/admin/users', label: 'Users', icon: Users, role: 'ADMIN' },
  { href: '/admin/organisation', label: 'Organisation', icon: Building, role: 'ADMIN' },
];

export function destinationsFor(role: Viewer['role']): readonly Destination[] {
  return destinations.filter((destination) => role === 'ADMIN' || destination.role === 'USER');
}
