import { sampleNote } from './note.ts';

export const records = [
  sampleNote(
    'incidents/2026-05-21-stale-timetable.md',
    `
# Incident of 21 May: yesterday's timetable

**What passengers saw.** From 06:00 to 07:25, half of them were shown the winter timetable. 112 people came to the
harbour of Norrvik for a 06:40 ferry that no longer exists. All got their money back, 1 344 euro together.

**Why.** The summer timetable was published at 05:58. The first server had emptied its cache by hand, the second had
not: its copy was 13 minutes old and good for another two, but the job that refreshes it hung until Tomas restarted it.

**What we changed.**

- Publishing a timetable empties the cache on every server by itself (Tomas, done on 26 May).
- A check compares both servers every minute and calls [[handbook/on-call|night duty]] when they differ (Marek, done on 2 June).
- The [[handbook/release-process]] names the step.

Nobody is to blame; the step was in one person's head. See [[decisions/caching]].
`,
  ),
  sampleNote(
    'meetings/2026-04-08-weekly.md',
    `
# Weekly meeting, 8 April

Present: Ines, Marek, Ruth, Tomas.

- **Messages**: 31 % switched them off. Ruth proposes a threshold of ten minutes; decided the next day, see
  [[decisions/notifications]].
- **Hiring**: Oskar starts on 1 June. Marek is his guide, see [[handbook/onboarding]].
- **Budget**: servers cost 310 euro a month. A third server is not needed this year.
- **Norrvik**: the harbour master asks for the summer timetable before the end of May.

Next meeting: 15 April, Tomas takes notes.
`,
  ),
  sampleNote(
    'glossary.md',
    `
# Glossary

- **Crossing**: one ferry trip from one harbour to another. What passengers call a ferry.
- **Timetable**: the planned crossings of a season. Summer runs from 21 May to 30 September, winter the rest of the year.
- **Delay**: the difference between planned and expected departure, in whole minutes. Reported by the ships.
- **Harbour master**: our contact in a harbour. They confirm each timetable before it is published.
- **Rehearsal server**: a copy of Ferryline with last night's data, for trying changes. Passengers never see it.
- **Guide**: the colleague who looks after a newcomer, see [[handbook/onboarding]].
- **Night duty**: who is called when something breaks outside working hours, see [[handbook/on-call]].
`,
  ),
];
