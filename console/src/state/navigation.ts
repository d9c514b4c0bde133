import Activity from 'lucide-solid/icons/activity';
import Building from 'lucide-solid/icons/building';
import ChartColumn from 'lucide-solid/icons/chart-column';
import Library from 'lucide-solid/icons/library';
import ListChecks from 'lucide-solid/icons/list-checks';
import MessageCircleQuestion from 'lucide-solid/icons/message-circle-question-mark';
import Plug from 'lucide-solid/icons/plug';
import SlidersHorizontal from 'lucide-solid/icons/sliders-horizontal';
import Users from 'lucide-solid/icons/users';
import Workflow from 'lucide-solid/icons/workflow';
import type { Component } from 'solid-js';
import { words } from '../words.ts';
import type { Viewer } from './session.ts';

export interface Destination {
  readonly href: string;
  readonly label: string;
  readonly icon: Component<{ class?: string; 'aria-hidden'?: 'true' }>;
  readonly role: Viewer['role'];
  /** Beginnings of other paths that belong to it. */
  readonly also?: readonly string[];
  /** For people only: administrators have a page of their own for it. */
  readonly notForAdmins?: boolean;
}

/** The rail, in order. One line per page; administrators' pages carry their role. */
const destinations: readonly Destination[] = [
  { href: '/', label: words.ask.title, icon: MessageCircleQuestion, role: 'USER', also: ['/c/'] },
  { href: '/runs', label: words.runs.title, icon: ListChecks, role: 'USER' },
  { href: '/knowledge', label: words.knowledge.title, icon: Library, role: 'USER' },
  { href: '/settings', label: words.frame.settings, icon: SlidersHorizontal, role: 'USER' },
  { href: '/rules', label: words.rules.title, icon: Workflow, role: 'USER', notForAdmins: true },
  {
    href: '/usage',
    label: words.usage.title,
    icon: ChartColumn,
    role: 'USER',
    notForAdmins: true,
    also: ['/what-if'],
  },
  { href: '/admin/live', label: words.live.title, icon: Activity, role: 'ADMIN' },
  { href: '/admin/users', label: words.frame.users, icon: Users, role: 'ADMIN' },
  { href: '/admin/organisation', label: words.frame.organisation, icon: Building, role: 'ADMIN' },
  { href: '/admin/mcp', label: words.mcpServers.title, icon: Plug, role: 'ADMIN' },
  { href: '/admin/usage', label: words.usage.title, icon: ChartColumn, role: 'ADMIN', also: ['/admin/what-if'] },
  { href: '/admin/rules', label: words.rules.title, icon: Workflow, role: 'ADMIN' },
];

export function destinationsFor(role: Viewer['role']): readonly Destination[] {
  return destinations.filter(({ notForAdmins = false, role: needed }) =>
    role === 'ADMIN' ? !notForAdmins : needed === 'USER',
  );
}

export function isAt({ href, also = [] }: Destination, path: string): boolean {
  if (also.some((beginning) => path.startsWith(beginning))) return true;
  return path === href || (href !== '/' && path.startsWith(`${href}/`));
}

/** So many have room side by side on the narrowest screen. */
const barPlaces = 5;

/** Those on the bar of a small screen; when not all fit, the last place is for the rest. */
export function onBar(all: readonly Destination[]): readonly Destination[] {
  return all.length <= barPlaces ? all : all.slice(0, barPlaces - 1);
}

/** Pages that fill the screen and scroll within themselves. */
export function fillsScreen(path: string): boolean {
  return path === '/' || path.startsWith('/c/');
}
