import { isIdentifier } from '../access/identifier.ts';
import type { ConversationRecord, ExchangeRecord } from '../runs/run-store.ts';
import { builder } from './builder.ts';
import { viewerOf } from './context.ts';
import { EndingType } from './ending.ts';

const Exchange = builder.objectRef<ExchangeRecord>('Exchange').implement({
  description: 'One question and its answer.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Send it as `nodeId` to branch from here.' }),
    parentId: t.exposeID('parentId', { nullable: true, description: 'The exchange before it; null at the root.' }),
    runId: t.exposeID('runId', { description: 'The run that filled it.' }),
    question: t.exposeString('question', { description: 'What was asked.' }),
    answer: t.exposeString('answer', { description: 'What was answered, as far as it got.' }),
    partial: t.exposeBoolean('partial', {
      description: 'Whether something cut the answer off, or it is still being written.',
    }),
    label: t.exposeString('label', { nullable: true, description: 'A name that somebody gave it.' }),
    checkpoint: t.exposeBoolean('checkpoint', { description: 'Whether it is kept when branches are pruned.' }),
    ending: t.field({
      type: EndingType,
      nullable: true,
      description: 'How its run ended; null while it is going on.',
      resolve: ({ ending }) => ending,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was asked.' }),
  }),
});

/** More than any model is shown; enough to draw. */
const longestPath = 10_000;

const Conversation = builder.objectRef<ConversationRecord>('Conversation').implement({
  description: 'A tree of exchanges.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Send it to go on with the conversation.' }),
    title: t.exposeString('title', { description: 'What it is about.' }),
    headId: t.exposeID('headId', { nullable: true, description: 'The exchange that the next question follows.' }),
    path: t.field({
      type: [Exchange],
      description: 'Root first, HEAD last.',
      resolve: async ({ headId }, _args, { runs }) =>
        headId ? [...(await runs.store.history(headId, longestPath))] : [],
    }),
    nodes: t.field({
      type: [Exchange],
      description: 'All exchanges of all branches, oldest first.',
      resolve: async ({ id }, _args, { runs }) => [...(await runs.store.nodes(id))],
    }),
  }),
});

builder.queryField('conversation', (t) =>
  t.field({
    type: Conversation,
    nullable: true,
    description: 'A conversation by id; null when there is none that the caller may see.',
    args: { id: t.arg.id({ required: true, description: 'Which conversation.' }) },
    resolve: async (_root, { id }, context) => {
      const viewer = viewerOf(context);
      const found = isIdentifier(id) ? await context.runs.store.findConversation(id) : undefined;
      return found && viewer.mayReach(found.userId) ? found : null;
    },
  }),
);
