import { notFound, present } from '../access/access-error.ts';
import {
  type DeletedConversation as DeletedRow,
  mostShown,
  type Pruned,
  type PrunedExchange as PrunedRow,
} from '../conversations/conversation-service.ts';
import { longestTitle } from '../conversations/names.ts';
import { builder } from './builder.ts';
import { viewerOf } from './context.ts';
import { Conversation, existingConversation } from './conversation.ts';
import { invalid, invalidTypes } from './problem.ts';
import { existingProject, projectIdDescription } from './project.ts';

const titleDescription = `What it is about, up to ${longestTitle} characters.`;

const CreateConversationInput = builder.inputType('CreateConversationInput', {
  description: 'A conversation to be filled.',
  fields: (t) => ({
    title: t.string({ description: `${titleDescription} Without it, that of its first question.` }),
    projectId: t.id({ description: projectIdDescription }),
  }),
});

const RenameConversationInput = builder.inputType('RenameConversationInput', {
  description: 'A conversation and what it is to be called.',
  fields: (t) => ({
    conversationId: t.id({ required: true, description: 'Which conversation.' }),
    title: t.string({ required: true, description: titleDescription }),
  }),
});

const CreateConversationResult = builder.unionType('CreateConversationResult', {
  description: 'The conversation, or why there is none.',
  types: [Conversation, invalidTypes.InvalidInput],
  resolveType: (value) => ('problems' in value ? 'InvalidInput' : 'Conversation'),
});

const RenameConversationResult = builder.unionType('RenameConversationResult', {
  description: 'The conversation as it is called now, or why it is not.',
  types: [Conversation, invalidTypes.InvalidInput],
  resolveType: (value) => ('problems' in value ? 'InvalidInput' : 'Conversation'),
});

const DeletedConversation = builder.objectRef<DeletedRow>('DeletedConversation').implement({
  description: 'What was deleted.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The conversation that is no more.' }),
    exchangeCount: t.exposeInt('exchangeCount', { description: 'How many exchanges went with it.' }),
    cancelledRunId: t.exposeID('cancelledRunId', {
      nullable: true,
      description: 'The run that was under way in it and was cancelled for this; it is deleted too.',
    }),
  }),
});

const PrunedExchange = builder.objectRef<PrunedRow>('PrunedExchange').implement({
  description: 'An exchange that pruning takes away.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the exchange.' }),
    parentId: t.exposeID('parentId', { nullable: true, description: 'The exchange before it.' }),
    question: t.exposeString('question', { description: 'What was asked.' }),
    label: t.exposeString('label', { nullable: true, description: 'A name that somebody gave it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was asked.' }),
  }),
});

const PrunedConversation = builder.objectRef<Pruned & { readonly conversationId: string }>('PrunedConversation');
PrunedConversation.implement({
  description: 'What pruning took away, or would.',
  fields: (t) => ({
    preview: t.exposeBoolean('preview', { description: 'Whether it only would: nothing was changed.' }),
    count: t.int({ description: 'How many exchanges.', resolve: ({ ids }) => ids.length }),
    exchangeIds: t.idList({ description: 'The ids of all of them, oldest first.', resolve: ({ ids }) => [...ids] }),
    exchanges: t.field({
      type: [PrunedExchange],
      description: `The oldest ${mostShown} of them.`,
      resolve: ({ exchanges }) => [...exchanges],
    }),
    conversation: t.field({
      type: Conversation,
      description: 'The conversation as it is now.',
      resolve: ({ conversationId }, _args, context) => existingConversation(context, conversationId),
    }),
  }),
});

const conversationIdDescription = 'Which conversation.';

builder.mutationFields((t) => ({
  createConversation: t.field({
    type: CreateConversationResult,
    description: 'Begins an empty conversation. Asking without a `conversationId` begins one as well.',
    args: { input: t.arg({ type: CreateConversationInput, required: true, description: 'What to begin.' }) },
    resolve: async (_root, { input }, context) => {
      const { userId } = viewerOf(context);
      const project = await existingProject(context, input.projectId);
      if (project.userId !== userId) throw notFound('project'); // an administrator's own conversations stay with them
      const outcome = await context.conversations.create(userId, project.id, input.title ?? undefined);
      if (outcome.type === 'invalid') return invalid(outcome.problems);
      return present(outcome.type === 'saved' ? outcome.row : undefined, 'conversation');
    },
  }),
  renameConversation: t.field({
    type: RenameConversationResult,
    description: 'Gives a conversation another title.',
    args: { input: t.arg({ type: RenameConversationInput, required: true, description: 'Which, and what title.' }) },
    resolve: async (_root, { input }, context) => {
      const conversation = await existingConversation(context, input.conversationId);
      const outcome = await context.conversations.rename(conversation, input.title);
      if (outcome.type === 'invalid') return invalid(outcome.problems);
      return present(outcome.type === 'saved' ? outcome.row : undefined, 'conversation');
    },
  }),
  activateConversation: t.field({
    type: Conversation,
    description: 'Makes a conversation the one that its owner is in now. There is one at a time in a project.',
    args: { conversationId: t.arg.id({ required: true, description: conversationIdDescription }) },
    resolve: async (_root, { conversationId }, context) => {
      const conversation = await existingConversation(context, conversationId);
      return present(await context.conversations.activate(conversation), 'conversation');
    },
  }),
  deleteConversation: t.field({
    type: DeletedConversation,
    description:
      'Deletes a conversation with all exchanges, runs and their logs. A run that is under way in it is cancelled first; whoever follows it sees its end.',
    args: { conversationId: t.arg.id({ required: true, description: conversationIdDescription }) },
    resolve: async (_root, { conversationId }, context) => {
      const conversation = await existingConversation(context, conversationId);
      return present(await context.conversations.delete(conversation), 'conversation');
    },
  }),
  pruneConversation: t.field({
    type: PrunedConversation,
    description:
      'Takes away the branches that nothing keeps. Roots, checkpoints, HEAD, what is being written and all their ancestors stay.',
    args: {
      conversationId: t.arg.id({ required: true, description: conversationIdDescription }),
      preview: t.arg.boolean({ defaultValue: false, description: 'Only tell which exchanges would go.' }),
    },
    resolve: async (_root, { conversationId, preview }, context) => {
      const conversation = await existingConversation(context, conversationId);
      return { ...(await context.conversations.prune(conversation, preview ?? false)), conversationId };
    },
  }),
}));
