import { sampleNote } from './note.ts';

export const decisions = [
  sampleNote(
    'decisions/caching.md',
    `
# Caching of timetables

Decided on 3 March by Ines, Tomas and Ruth. Status: in force.

Timetables are cached in memory for 15 minutes. Delays are never cached, because a passenger who is told the wrong
departure misses the ferry. Harbour details (address, toilets, parking) are cached for 24 hours.

## Why not Redis

We run two servers. A shared cache would save about 40 database reads a minute, and would be one more thing that can
fail at night. We look at it again when there are more than four servers.

## What it cost us

The incident of 21 May came from a cache that nobody had emptied: see [[incidents/2026-05-21-stale-timetable]].
Since then, publishing a timetable empties the cache on every server. The step is part of the [[handbook/release-process]].
`,
  ),
  sampleNote(
    'decisions/database.md',
    `
# One PostgreSQL database

Decided on 14 January by Ines and Marek. Status: in force.

Everything is kept in one PostgreSQL database: timetables, delays, harbours and bookings. We considered a separate store
for delays, which arrive 200 times a minute on a stormy day, and measured that PostgreSQL takes 3 000 a minute on our
smallest machine.

Backups are taken every hour and kept for 30 days. Marek restores one on the first Monday of each month; a backup that
was never restored is a hope, not a backup.

Related: [[decisions/caching]], [[glossary]].
`,
  ),
  sampleNote(
    'decisions/notifications.md',
    `
# Notifications only for delays over ten minutes

Decided on 9 April by Ruth and Tomas. Status: in force, to be looked at in October.

Passengers get a message when their ferry is more than 10 minutes late, or cancelled. Before that, every delay of one
minute was sent, and 31 % of the passengers switched messages off within a week.

A second message is sent only when the delay grows by another 15 minutes. Between 22:00 and 06:00 only cancellations
are sent.

The idea came up in [[meetings/2026-04-08-weekly]].
`,
  ),
];
