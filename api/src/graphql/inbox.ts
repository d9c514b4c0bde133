import { Repeater, SlidingBuffer } from '@repeaterjs/repeater';
import { badInput } from '../access/access-error.ts';
import type { priorities } from '../events/subscriber.ts';
import type { InboxNotice } from '../notifications/notice-store.ts';
import type { ChangeFeed } from '../store/changes.ts';
import { builder } from './builder.ts';
import { viewerOf } from './context.ts';
import { defineEnum } from './enum.ts';
import { answerPage, definePage, pageArgs } from './page.ts';
import { Run, reachableRun } from './run.ts';

const mostIds = 100;

const NoticeKind = defineEnum('NoticeKind', 'What an entry of the inbox is.', {
  NOTICE: 'Something that an agent left for its next session.',
  RUN_ENDED: 'A run of yours that ended while nobody was reading it.',
});

const NoticePriority = defineEnum<(typeof priorities)[number]>('NoticePriority', 'How much a notice matters.', {
  CRITICAL: 'Before everything else.',
  HIGH: 'Soon.',
  NORMAL: 'In its turn.',
  LOW: 'When there is nothing else.',
});

const InboxEntry = builder.objectRef<InboxNotice>('InboxEntry').implement({
  description: 'Something that waits for you.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Send it to `acknowledgeNotices` or `cancelNotice`.' }),
    kind: t.field({ type: NoticeKind, description: 'What it is.', resolve: ({ kind }) => kind }),
    category: t.exposeString('category', { description: 'What it is about; of a run, why it ended.' }),
    priority: t.field({
      type: NoticePriority,
      description: 'How much it matters.',
      resolve: ({ priority }) => priority,
    }),
    message: t.exposeString('message', { description: 'What it says; of a run, what was asked.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Since when it waits.' }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it is forgotten; null: never.',
      resolve: (it) => it.expiresAt ?? null,
    }),
    deliveredAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the agent got it; null: it waits for the next session.',
      resolve: (it) => it.deliveredAt ?? null,
    }),
    seenAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When you acknowledged it; null: not yet.',
      resolve: (it) => it.seenAt ?? null,
    }),
    projectId: t.exposeID('projectId', { nullable: true, description: 'The project it belongs to.' }),
    run: t.field({
      type: Run,
      nullable: true,
      description: 'The run that it comes from.',
      resolve: async ({ runId }, _args, context) => (runId ? ((await reachableRun(context, runId)) ?? null) : null),
    }),
  }),
});

const InboxConnection = definePage('InboxEntry', InboxEntry);

const InboxChange = builder.objectRef<{ readonly unseen: number }>('InboxChange').implement({
  description: 'How the inbox stands.',
  fields: (t) => ({ unseen: t.exposeInt('unseen', { description: 'How many entries are not acknowledged yet.' }) }),
});

builder.queryFields((t) => ({
  inbox: t.field({
    type: InboxConnection,
    description: 'What agents left for their next sessions, and what ended while you were away, newest first.',
    args: {
      ...pageArgs,
      unseenOnly: t.arg.boolean({ defaultValue: false, description: 'Only what is not acknowledged.' }),
    },
    resolve: (_root, { first, after, unseenOnly }, context) =>
      answerPage(context.notices.inbox(viewerOf(context).userId, { first, after, unseenOnly: unseenOnly === true })),
  }),
  unseenNotices: t.int({
    description: 'How many entries of the inbox are not acknowledged yet.',
    resolve: (_root, _args, context) => context.notices.unseen(viewerOf(context).userId),
  }),
}));

builder.mutationFields((t) => ({
  acknowledgeNotices: t.int({
    description:
      'Marks entries of the inbox as seen; all of them when no ids are given. Returns how many were not before.',
    args: { ids: t.arg.idList({ description: `Which, at most ${mostIds}.` }) },
    resolve: (_root, { ids }, context) => {
      if (ids && ids.length > mostIds) throw badInput(`At most ${mostIds} ids can be sent at once.`);
      return context.notices.acknowledge(viewerOf(context).userId, ids?.map(String));
    },
  }),
  cancelNotice: t.boolean({
    description: 'Takes back a notice before an agent gets it. False when it was delivered already, or there is none.',
    args: { id: t.arg.id({ required: true, description: 'Which notice.' }) },
    resolve: (_root, { id }, context) => context.notices.cancel(viewerOf(context).userId, id),
  }),
}));

builder.subscriptionField('inboxChanged', (t) =>
  t.field({
    type: InboxChange,
    description: 'How many entries are unseen now, and again whenever the inbox changes.',
    subscribe: (_root, _args, context) => followInbox(context.changes, viewerOf(context).userId),
    resolve: async (userId, _args, { notices }) => ({ unseen: await notices.unseen(userId) }),
  }),
);

/** Told together when several changes come at once: whoever reads, reads the present state. */
function followInbox(changes: ChangeFeed, userId: string): AsyncIterable<string> {
  return new Repeater<string>(async (push, stop) => {
    const stopListening = changes.listen((change) => {
      const concerns = change.type === 'inbox-changed' && change.userId === userId;
      if (concerns || change.type === 'changes-missed') void push(userId);
    });
    void push(userId);
    await stop;
    stopListening();
  }, new SlidingBuffer(1));
}
