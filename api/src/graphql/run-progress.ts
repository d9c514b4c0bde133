import { notFound } from '../access/access-error.ts';
import { builder } from './builder.ts';
import { Exchange } from './exchange.ts';
import { Run } from './run.ts';
import { User } from './user.ts';

/** Who asked, and how far the run has come: the same on every server, while it is under way and after. */
builder.objectFields(Run, (t) => ({
  user: t.field({
    type: User,
    description: 'Who asked.',
    resolve: async ({ userId }, _args, { people }) => {
      const user = await people.find(userId);
      if (!user) throw notFound('user'); // gone this moment, and the run with them
      return user;
    },
  }),
  exchange: t.field({
    type: Exchange,
    nullable: true,
    description: 'The exchange it fills.',
    resolve: async ({ nodeId }, _args, { runs }) => (await runs.store.exchanges.find(nodeId)) ?? null,
  }),
  turns: t.int({
    description: 'Turns begun.',
    resolve: async (run, _args, { runs }) => (await runs.store.progress(run)).turns,
  }),
  tokens: t.int({
    description:
      'Tokens used so far. Of a call under way, those that it was sent count already, estimated until its provider tells.',
    resolve: async (run, _args, { runs }) => (await runs.store.progress(run)).tokens,
  }),
  durationMs: t.int({
    description: 'How long it took, or has taken until now.',
    resolve: ({ startedAt, endedAt, ending }) =>
      ending?.durationMs ?? Math.max(0, (endedAt ?? new Date()).getTime() - startedAt.getTime()),
  }),
  endedAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When it ended; null while it is going on.',
    resolve: ({ endedAt }) => endedAt,
  }),
  lastActivityAt: t.field({
    type: 'DateTime',
    description: 'When something was last heard of it.',
    resolve: async (run, _args, { runs }) => (await runs.store.progress(run)).lastActivityAt,
  }),
}));
