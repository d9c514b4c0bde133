import { badInput } from '../access/access-error.ts';
import { type bucketSizes, problemsOfRange } from '../usage/usage-range.ts';
import type {
  EndingCount,
  Spread,
  Usage,
  UsageBucket,
  UsageFigures,
  UserUsage,
  WarningCount,
} from '../usage/usage-service.ts';
import type { UsageScope } from '../usage/usage-sql.ts';
import { builder } from './builder.ts';
import { type OracleContext, viewerOf } from './context.ts';
import { TerminationReason } from './ending.ts';
import { defineEnum } from './enum.ts';
import { existingSubject } from './subject.ts';

const BucketSize = defineEnum('UsageBucketSize', 'Into which pieces a range is cut.', {
  HOUR: 'Whole hours.',
  DAY: 'Whole days.',
  WEEK: 'Whole weeks, from Monday.',
} satisfies Record<(typeof bucketSizes)[number], string>);

const WarningKind = defineEnum('UsageWarning', 'What runs are warned of.', {
  ITERATIONS: 'That the turns run out.',
  TOKENS: 'That the token budget runs out.',
  TIME: 'That the time runs out.',
  LOOP: 'That the same action keeps coming back.',
});

const SpreadType = builder.objectRef<Spread>('Spread').implement({
  description: 'How values are spread over runs.',
  fields: (t) => ({
    p50: t.exposeFloat('p50', { description: 'Half of the runs stay at or below it.' }),
    p95: t.exposeFloat('p95', { description: 'All but one in twenty stay at or below it.' }),
  }),
});

export const EndingCountType = builder.objectRef<EndingCount>('EndingCount').implement({
  description: 'How many runs ended for one reason.',
  fields: (t) => ({
    reason: t.field({ type: TerminationReason, description: 'The reason.', resolve: ({ reason }) => reason }),
    runs: t.exposeInt('runs', { description: 'How many.' }),
  }),
});

const WarningCountType = builder.objectRef<WarningCount>('WarningCount').implement({
  description: 'What became of the runs that were warned; the rest ended for other reasons.',
  fields: (t) => ({
    warning: t.field({
      type: WarningKind,
      description: 'What they were warned of.',
      resolve: ({ warning }) => warning,
    }),
    warned: t.exposeInt('warned', { description: 'How many were.' }),
    reached: t.exposeInt('reached', { description: 'How many of these ended by just that.' }),
    completed: t.exposeInt('completed', { description: 'How many of these completed.' }),
  }),
});

const UsageFiguresType = builder.interfaceRef<UsageFigures>('UsageFigures').implement({
  description: 'Runs that have ended, added up by when they began.',
  fields: (t) => ({
    runs: t.exposeInt('runs', { description: 'How many there were.' }),
    tokens: t.exposeFloat('tokens', { description: 'All their tokens together.' }),
    endings: t.field({
      type: [EndingCountType],
      description: 'How they ended; reasons that did not occur are left out.',
      resolve: ({ endings }) => [...endings],
    }),
    warnings: t.field({
      type: [WarningCountType],
      description: 'What they were warned of, and what became of those.',
      resolve: ({ warnings }) => [...warnings],
    }),
    tokensPerRun: t.field({
      type: SpreadType,
      nullable: true,
      description: 'Tokens of a run; null without runs.',
      resolve: ({ tokensPerRun }) => tokensPerRun,
    }),
    turnsPerRun: t.field({
      type: SpreadType,
      nullable: true,
      description: 'Turns of a run; null without runs.',
      resolve: ({ turnsPerRun }) => turnsPerRun,
    }),
    durationMs: t.field({
      type: SpreadType,
      nullable: true,
      description: 'Milliseconds that a run took; null without runs.',
      resolve: ({ durationMs }) => durationMs,
    }),
  }),
});

const UsageTotalType = builder.objectRef<UsageFigures>('UsageTotal').implement({
  description: 'The whole range.',
  interfaces: [UsageFiguresType],
});

const UsageBucketType = builder.objectRef<UsageBucket>('UsageBucket').implement({
  description: 'One piece of the range.',
  interfaces: [UsageFiguresType],
  fields: (t) => ({ start: t.expose('start', { type: 'DateTime', description: 'When it begins.' }) }),
});

const UserUsageType = builder.objectRef<UserUsage>('UserUsage').implement({
  description: 'What one person used.',
  fields: (t) => ({
    userId: t.exposeID('id', { description: 'The person.' }),
    name: t.exposeString('name', { description: 'What they are called.' }),
    email: t.exposeString('email', { description: 'Their address.' }),
    runs: t.exposeInt('runs', { description: 'How many of their runs ended.' }),
    tokens: t.exposeFloat('tokens', { description: 'All their tokens together.' }),
    completed: t.exposeInt('completed', { description: 'How many completed.' }),
    limited: t.exposeInt('limited', { description: 'How many ended at a limit of turns, tokens or time.' }),
  }),
});

const UsageReport = builder.objectRef<Usage>('UsageReport').implement({
  description: 'What runs used and how they ended, over time.',
  fields: (t) => ({
    total: t.field({ type: UsageTotalType, description: 'The whole range.', resolve: ({ total }) => total }),
    buckets: t.field({
      type: [UsageBucketType],
      description: 'Its pieces, oldest first, empty ones included. The first and the last may be cut by the range.',
      resolve: ({ buckets }) => [...buckets],
    }),
    users: t.field({
      type: [UserUsageType],
      description: 'The 50 who used most tokens, when everyone was asked about; otherwise empty.',
      resolve: async ({ scope, range }, _args, { usage }) =>
        scope.userId === undefined ? [...(await usage.users(scope, range))] : [],
    }),
  }),
});

export const UsageFilter = builder.inputType('UsageFilter', {
  description: 'Whose runs, and which.',
  fields: (t) => ({
    userId: t.id({ description: "Whose: for administrators. Without it, the caller's own." }),
    everyone: t.boolean({ description: "Everyone's, in place of one person's: for administrators." }),
    model: t.string({ description: 'Only those of this model.' }),
  }),
});

const UsageRangeInput = builder.inputType('UsageRange', {
  description: 'A stretch of time.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', required: true, description: 'Runs that began at this moment or later.' }),
    until: t.field({ type: 'DateTime', required: true, description: 'Runs that began before this moment.' }),
  }),
});

/** Whose runs are meant, once it is known that the caller may ask about them. */
export async function usageScope(
  context: OracleContext,
  filter: typeof UsageFilter.$inferInput | null | undefined,
): Promise<UsageScope> {
  const model = filter?.model ?? undefined;
  if (filter?.everyone !== true) return { userId: await existingSubject(context, filter?.userId), model };
  viewerOf(context).assertAdmin();
  if (filter.userId != null) throw badInput('Ask about everyone or about one person, not both.');
  return { userId: undefined, model };
}

builder.queryField('usage', (t) =>
  t.field({
    type: UsageReport,
    description: 'What runs used and how they ended, over time.',
    args: {
      filter: t.arg({ type: UsageFilter, description: "Whose; without it, the caller's own." }),
      range: t.arg({ type: UsageRangeInput, required: true, description: 'From when to when.' }),
      bucket: t.arg({ type: BucketSize, required: true, description: 'Into which pieces; at most 1 000.' }),
      timeZone: t.arg.string({
        defaultValue: 'UTC',
        description: 'By whose clock days begin: an IANA name such as Europe/Berlin.',
      }),
    },
    resolve: async (_root, { filter, range, bucket, timeZone }, context) => {
      const scope = await usageScope(context, filter);
      const asked = { ...range, bucket, timeZone: timeZone ?? 'UTC' };
      const problems = problemsOfRange(asked);
      if (problems.length > 0) throw badInput(problems.join(' '));
      return context.usage.over(scope, asked);
    },
  }),
);
