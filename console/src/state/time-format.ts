import { words } from '../words.ts';

const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

const units = [
  ['minute', 60, 60],
  ['hour', 3_600, 24],
  ['day', 86_400, 30],
] as const;

/** "3 minutes ago" within a month either way, the date beyond that. */
export function formatRelative(at: string, now: Date): string {
  const seconds = (new Date(at).getTime() - now.getTime()) / 1_000;
  if (Math.abs(seconds) < 45) return words.frame.justNow;
  for (const [unit, size, limit] of units) {
    const count = Math.round(seconds / size);
    if (Math.abs(count) < limit) return relative.format(count, unit);
  }
  return day.format(new Date(at));
}

export function formatMoment(at: string): string {
  return moment.format(new Date(at));
}
