import { words } from '../words.ts';
import type { Viewer } from './session.ts';

export function roleName(role: Viewer['role']): string {
  return words.frame.roles[role];
}

/** First letters of the first and last word, whole characters in any script. */
export function initials(name: string): string {
  const parts = name.trim().split(/\s+/);
  const letters = [parts[0], parts.length > 1 ? parts.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '');
  return letters.join('').toUpperCase();
}
