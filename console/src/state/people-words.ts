import type { Viewer } from './session.ts';

export function roleName(role: Viewer['role']): string {
  return role === 'ADMIN' ? 'Administrator' : 'User';
}

/** First letters of the first and last word, whole characters in any script. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '');
  return letters.join('').toUpperCase();
}
