import type { PersonActivity, RunTotals } from '../access/person-activity.ts';
import { builder } from './builder.ts';
import { User } from './user.ts';

const RunTotalsType = builder.objectRef<RunTotals>('RunTotals').implement({
  description: 'Runs begun in a stretch of time, and what they used.',
  fields: (t) => ({
    runs: t.exposeInt('runs', { description: 'How many began.' }),
    tokens: t.exposeFloat('tokens', { description: 'The tokens of those that have ended.' }),
  }),
});

const PersonActivityType = builder.objectRef<PersonActivity>('PersonActivity').implement({
  description: 'What a person has been doing of late.',
  fields: (t) => ({
    running: t.exposeInt('running', { description: 'How many of their runs are going on now.' }),
    lastDay: t.field({ type: RunTotalsType, description: 'The last 24 hours.', resolve: ({ lastDay }) => lastDay }),
    lastWeek: t.field({ type: RunTotalsType, description: 'The last 7 days.', resolve: ({ lastWeek }) => lastWeek }),
    lastRunAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When their newest run began; null: never.',
      resolve: ({ lastRunAt }) => lastRunAt ?? null,
    }),
    lastSeenAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When one of their tokens was last used, to the minute; null: never.',
      resolve: ({ lastSeenAt }) => lastSeenAt ?? null,
    }),
  }),
});

builder.objectField(User, 'activity', (t) =>
  t.field({
    type: PersonActivityType,
    description: 'What they have been doing of late.',
    resolve: ({ id }, _args, { activity }) => activity.of(id),
  }),
);
