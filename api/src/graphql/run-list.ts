import type { Viewer } from '../access/viewer.ts';
import type { RunsChange as Change } from '../runs/run-watch.ts';
import { builder } from './builder.ts';
import { viewerOf } from './context.ts';
import { TerminationReason } from './ending.ts';
import { answerPage, definePage, pageArgs } from './page.ts';
import { Run, RunStatus } from './run.ts';
import { existingSubject } from './subject.ts';

const RunConnection = definePage('Run', Run);

const whose = "Whose: for administrators. Without it, the caller's own.";
const everybodys = "For administrators: everybody's, unless one person is named.";

const RunFilter = builder.inputType('RunFilter', {
  description: 'Which runs.',
  fields: (t) => ({
    userId: t.id({ description: whose }),
    everyone: t.boolean({ description: everybodys }),
    conversationId: t.id({ description: 'Only those of this conversation.' }),
    reason: t.field({ type: [TerminationReason], description: 'Only those that ended for one of these.' }),
    status: t.field({ type: RunStatus, description: 'Only those going on, or only those ended.' }),
    model: t.stringList({ description: 'Only those answered by one of these models.' }),
    since: t.field({ type: 'DateTime', description: 'Only those begun at this time or later.' }),
    until: t.field({ type: 'DateTime', description: 'Only those begun before this time.' }),
    search: t.string({ description: 'Only those in whose question all these words begin.' }),
  }),
});

const RunsChange = builder.objectRef<Change>('RunsChange').implement({
  description: 'What has changed among the runs since the last time.',
  fields: (t) => ({
    runs: t.field({
      type: [Run],
      description: 'Those that began, went on or ended, as they stand now, newest first.',
      resolve: ({ runs }) => [...runs],
    }),
    reload: t.exposeBoolean('reload', {
      description: 'Whether more may have changed than is told here, so that a list should be read anew.',
    }),
  }),
});

builder.queryField('runs', (t) =>
  t.field({
    type: RunConnection,
    description: "The caller's runs, newest first; an administrator may ask for any user's, or everybody's.",
    args: { ...pageArgs, filter: t.arg({ type: RunFilter, description: 'Which ones.' }) },
    resolve: async (_root, { first, after, filter }, context) => {
      const { conversationId, reason, status, model, since, until, search } = filter ?? {};
      const wanted = {
        userId: subjectOrAll(viewerOf(context), filter?.userId, filter?.everyone),
        conversationId: conversationId ?? undefined,
        reason: reason ?? undefined,
        status: status ?? undefined,
        model: model ?? undefined,
        since: since ?? undefined,
        until: until ?? undefined,
        search: search ?? undefined,
      };
      return answerPage(context.runs.store.list({ first, after, filter: wanted }));
    },
  }),
);

builder.subscriptionField('runsChanged', (t) =>
  t.field({
    type: RunsChange,
    description:
      'The runs under way now, then about once a second those that have changed: begun, gone a step further, or ended.',
    args: {
      userId: t.arg.id({ description: whose }),
      everyone: t.arg.boolean({ description: everybodys }),
    },
    subscribe: async (_root, { userId, everyone }, context) => {
      const subject = subjectOrAll(viewerOf(context), userId, everyone);
      return context.runs.watch.follow(subject === undefined ? undefined : await existingSubject(context, subject));
    },
    resolve: (change) => change,
  }),
);

/** The person a request is about; undefined when it is about everybody, which only an administrator may ask. */
function subjectOrAll(
  viewer: Viewer,
  userId: string | null | undefined,
  everyone: boolean | null | undefined,
): string | undefined {
  if (everyone !== true || userId != null) return viewer.subject(userId);
  viewer.assertAdmin();
  return undefined;
}
