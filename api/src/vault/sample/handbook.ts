import { sampleNote } from './note.ts';

export const handbook = [
  sampleNote(
    'welcome.md',
    `
# Welcome to the sample vault

These notes belong to an imaginary team of five that runs *Ferryline*, a timetable service for small ferries. They are
here so that you have something to ask about. Change them, delete them, or write your own beside them.

The folders hold what the team has decided, how it works, what went wrong and what was said. Ask about any of it.

Start with the [[glossary]], or with [[handbook/onboarding]].
`,
  ),
  sampleNote(
    'handbook/onboarding.md',
    `
# Onboarding: the first week

Every newcomer has a guide for four weeks. The guide is never the person they report to.

1. **Monday**: laptop, accounts, lunch with everybody. Read the [[glossary]] and [[decisions/caching]].
2. **Tuesday**: run Ferryline on the laptop. It should take less than 30 minutes; if not, the first task is to mend
   the instructions.
3. **Wednesday**: ride a ferry, with a notebook. Ruth has the tickets.
4. **Thursday**: a first small change, released together with the guide: see [[handbook/release-process]].
5. **Friday**: tell the [[meetings/2026-04-08-weekly|weekly meeting]] what was confusing. Nobody releases on Fridays.

Night duty starts after three months at the earliest: see [[handbook/on-call]].
`,
  ),
  sampleNote(
    'handbook/release-process.md',
    `
# Release process

We release on Tuesdays and Thursdays at 10:00, when the morning ferries have left. Never on Fridays, except for an
urgent repair that Ines or Marek agrees to.

1. Two people have read the change. One of them did not write it.
2. The tests are green, and the change ran on the rehearsal server for a day.
3. The person who releases writes one sentence for passengers into the changelog.
4. Release to the first server, watch the errors for 15 minutes, then to the second.
5. When a timetable changed: empty the cache on every server (since [[incidents/2026-05-21-stale-timetable]]).

Going back to the version before takes 2 minutes and needs nobody's permission.
`,
  ),
  sampleNote(
    'handbook/on-call.md',
    `
# Night duty

One person has night duty for a week, from Monday 09:00 to Monday 09:00. Order: Ines, Marek, Tomas, Ruth. Oskar joins
the round in September, three months after he started.

The phone rings when departures cannot be read for 5 minutes, or when no delay has come in for 20 minutes while ferries
run. Anything else waits until morning.

Who was called at night starts work at noon the next day. Each call gets a note under \`incidents/\`, however small.
`,
  ),
];
