import { badInput, notFound } from '../access/access-error.ts';
import type { ConversationRecord } from '../conversations/conversation-service.ts';
import { builder } from './builder.ts';
import { type OracleContext, viewerOf } from './context.ts';
import { Exchange } from './exchange.ts';
import { answerPage, definePage, pageArgs } from './page.ts';
import { userIdDescription } from './personal-settings.ts';
import { existingProject, projectIdDescription } from './project.ts';
import { existingSubject } from './subject.ts';

const usualExchanges = 200;
const mostExchanges = 1_000;

export const Conversation = builder.objectRef<ConversationRecord>('Conversation').implement({
  description: 'A tree of exchanges.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Send it to go on with the conversation.' }),
    title: t.exposeString('title', { description: 'What it is about.' }),
    projectId: t.exposeID('projectId', { nullable: true, description: 'The project whose knowledge it is about.' }),
    headId: t.exposeID('headId', { nullable: true, description: 'The exchange that the next question follows.' }),
    active: t.exposeBoolean('active', { description: 'Whether it is the one that its owner is in now.' }),
    activeRunId: t.id({
      nullable: true,
      description: 'The run that is under way in it: follow it with `oracleRun`.',
      resolve: (conversation, _args, { conversations }) => conversations.activeRunId(conversation),
    }),
    exchangeCount: t.int({
      description: 'How many exchanges it has, in all branches.',
      resolve: (conversation, _args, { conversations }) => conversations.exchangeCount(conversation),
    }),
    path: t.field({
      type: [Exchange],
      description: 'Root first, HEAD last. Of a long path the newest part: see the arguments for the rest.',
      args: {
        last: t.arg.int({ description: 'How many at most, 1 to 1000; without it 200.' }),
        before: t.arg.id({
          description: 'Only what comes before this exchange: send the first one of a part to get the part before.',
        }),
      },
      resolve: async ({ id, headId }, { last, before }, { runs }) => {
        const most = sizeOf('last', last);
        const { exchanges } = runs.store;
        if (before === null || before === undefined) return headId ? [...(await exchanges.path(headId, most))] : [];
        const { parentId } = await exchangeIn(id, before, runs);
        return parentId ? [...(await exchanges.path(parentId, most))] : [];
      },
    }),
    nodes: t.field({
      type: [Exchange],
      description: 'The exchanges of all branches, oldest first. Of many the oldest: see the arguments for the rest.',
      args: {
        first: t.arg.int({ description: 'How many at most, 1 to 1000; without it 200.' }),
        after: t.arg.id({
          description: 'Only those behind this exchange: send the last one of a page to get the next page.',
        }),
      },
      resolve: async ({ id }, { first, after }, { runs }) => {
        const most = sizeOf('first', first);
        const last = after === null || after === undefined ? undefined : await exchangeIn(id, after, runs);
        return [...(await runs.store.exchanges.page(id, most, last))];
      },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it began.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last used: a question or an end.' }),
  }),
});

const ConversationConnection = definePage('Conversation', Conversation);

function sizeOf(name: string, size: number | null | undefined): number {
  const wanted = size ?? usualExchanges;
  if (wanted >= 1 && wanted <= mostExchanges) return wanted;
  throw badInput(`${name} must be between 1 and ${mostExchanges}; you sent ${wanted}.`);
}

/** An exchange of this conversation; all others are as good as missing. */
async function exchangeIn(conversationId: string, id: string, runs: OracleContext['runs']) {
  const exchange = await runs.store.exchanges.find(id);
  if (exchange?.conversationId !== conversationId) throw notFound('exchange');
  return exchange;
}

/** A conversation that the caller may see; foreign ones answer as missing ones. */
export async function existingConversation(context: OracleContext, id: string): Promise<ConversationRecord> {
  const viewer = viewerOf(context);
  const found = await context.conversations.find(id);
  if (!found || !viewer.mayReach(found.userId)) throw notFound('conversation');
  return found;
}

builder.queryFields((t) => ({
  conversation: t.field({
    type: Conversation,
    nullable: true,
    description: 'A conversation by id; null when there is none that the caller may see.',
    args: { id: t.arg.id({ required: true, description: 'Which conversation.' }) },
    resolve: async (_root, { id }, context) => {
      const viewer = viewerOf(context);
      const found = await context.conversations.find(id);
      return found && viewer.mayReach(found.userId) ? found : null;
    },
  }),
  conversations: t.field({
    type: ConversationConnection,
    description: 'The conversations of a person, the last used one first.',
    args: {
      ...pageArgs,
      search: t.arg.string({
        description: 'Only those in whose title, or in one of whose questions, each of these words begins a word.',
      }),
      projectId: t.arg.id({ description: 'Only those of this project.' }),
      userId: t.arg.id({ description: userIdDescription }),
    },
    resolve: async (_root, { first, after, search, projectId, userId }, context) => {
      const subject = await existingSubject(context, userId);
      const wanted = { search: search ?? undefined, projectId: projectId ?? undefined };
      return answerPage(context.conversations.list({ first, after, userId: subject, ...wanted }));
    },
  }),
  activeConversation: t.field({
    type: Conversation,
    nullable: true,
    description: 'The conversation that somebody is in now, in a project; null when there is none.',
    args: { projectId: t.arg.id({ description: projectIdDescription }) },
    resolve: async (_root, { projectId }, context) => {
      const project = await existingProject(context, projectId);
      return (await context.conversations.active(project.userId, project.id)) ?? null;
    },
  }),
}));
