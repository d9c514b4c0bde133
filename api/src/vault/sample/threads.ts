import type { NewEntry } from '../../threads/threads.ts';

/** What a newcomer finds in the threads of their first project. */
export const sampleThreads: readonly NewEntry[] = [
  entry(
    'Fewer messages',
    'THOUGHT',
    '2026-03-30T08:10:00Z',
    'Ruth',
    'Every third passenger has switched our messages off. Is a delay of one minute worth a message at all?',
  ),
  entry(
    'Fewer messages',
    'RESEARCH',
    '2026-04-02T14:20:00Z',
    'Tomas',
    'Of 4 100 messages last week, 3 350 told of less than ten minutes. Nobody can do anything with those: most passengers are at the pier already.',
  ),
  entry(
    'Fewer messages',
    'DECISION',
    '2026-04-09T09:05:00Z',
    'Ruth',
    'Messages only from ten minutes on, see [[decisions/notifications]]. We look at it again in October.',
  ),
  entry(
    'Fewer messages',
    'INSIGHT',
    '2026-05-04T16:45:00Z',
    'Ruth',
    'Since the change 6 % switch them off instead of 31 %. People read what comes seldom.',
  ),
  entry(
    'A third server?',
    'THOUGHT',
    '2026-04-07T10:00:00Z',
    'Marek',
    'When one of the two servers restarts, the other one carries everything. In July that could be too much.',
  ),
  entry(
    'A third server?',
    'RESEARCH',
    '2026-04-08T11:30:00Z',
    'Marek',
    'Busiest hour of last July: 38 % of what one server can do. A third one would cost 155 euro a month.',
  ),
  entry(
    'A third server?',
    'DECISION',
    '2026-04-08T15:00:00Z',
    'Ines',
    'Not this year. We ask again when the busiest hour passes 60 %.',
  ),
];

function entry(title: string, kind: NewEntry['kind'], at: string, author: string, text: string): NewEntry {
  return { title, kind, text, author, at: new Date(at) };
}
