import { notFound } from '../access/access-error.ts';
import type { Thread as ThreadRow } from '../store/entities/thread.ts';
import { builder } from './builder.ts';
import { type OracleContext, viewerOf } from './context.ts';
import { answerPage, definePage, pageArgs } from './page.ts';
import { invalid, invalidTypes } from './problem.ts';
import { existingProject, projectIdDescription } from './project.ts';

export const Thread = builder.objectRef<ThreadRow>('Thread').implement({
  description: 'A line of thought, kept over time: thoughts, decisions, research and insights under one title.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the thread.' }),
    title: t.exposeString('title', { description: 'What it is about; no other thread of the project has the title.' }),
    entryCount: t.exposeInt('entryCount', { description: 'How many entries it has.' }),
    archived: t.boolean({
      description: 'Whether it is put away: not listed unless asked for. A new entry brings it back.',
      resolve: ({ archivedAt }) => Boolean(archivedAt),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When its first entry was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When its last entry was made.' }),
  }),
});

const ThreadConnection = definePage('Thread', Thread);

const RenameThreadResult = builder.unionType('RenameThreadResult', {
  description: 'The thread under its new title, or why it was not renamed.',
  types: [Thread, invalidTypes.InvalidInput],
  resolveType: (value) => ('problems' in value ? 'InvalidInput' : 'Thread'),
});

/** Undefined for a thread that does not exist or is not the caller's to reach: the two must not be told apart. */
export async function reachableThread(context: OracleContext, id: string): Promise<ThreadRow | undefined> {
  const viewer = viewerOf(context);
  const thread = await context.threads.find(id);
  const project = thread && (await context.vault.findProject(thread.projectId));
  return project && viewer.mayReach(project.userId) ? thread : undefined;
}

async function existingThread(context: OracleContext, id: string): Promise<ThreadRow> {
  const thread = await reachableThread(context, id);
  if (!thread) throw notFound('thread');
  return thread;
}

builder.queryFields((t) => ({
  thread: t.field({
    type: Thread,
    nullable: true,
    description: 'A thread; null when there is none.',
    args: { id: t.arg.id({ required: true, description: 'Which thread.' }) },
    resolve: async (_root, { id }, context) => (await reachableThread(context, id)) ?? null,
  }),
  threads: t.field({
    type: ThreadConnection,
    description: 'The threads of a project, the latest activity first, in pages.',
    args: {
      ...pageArgs,
      projectId: t.arg.id({ description: projectIdDescription }),
      search: t.arg.string({ description: 'Only those whose title contains this.' }),
      archived: t.arg.boolean({ defaultValue: false, description: 'Archived ones too.' }),
    },
    resolve: async (_root, { projectId, first, after, search, archived }, context) => {
      const project = await existingProject(context, projectId);
      const request = { first, after, search: search ?? '', archived: archived ?? false };
      return answerPage(context.threads.page(project.id, request));
    },
  }),
}));

builder.mutationFields((t) => ({
  renameThread: t.field({
    type: RenameThreadResult,
    description: 'Gives a thread another title.',
    args: {
      id: t.arg.id({ required: true, description: 'Which thread.' }),
      title: t.arg.string({ required: true, description: 'The new title, 1 to 200 characters.' }),
    },
    resolve: async (_root, { id, title }, context) => {
      const renamed = await context.threads.rename(await existingThread(context, id), title);
      return 'id' in renamed ? renamed : invalid(renamed);
    },
  }),
  archiveThread: t.field({
    type: Thread,
    description: 'Puts a thread away. It keeps its entries, is still found by seeking, and can be brought back.',
    args: { id: t.arg.id({ required: true, description: 'Which thread.' }) },
    resolve: async (_root, { id }, context) => context.threads.archive(await existingThread(context, id), true),
  }),
  unarchiveThread: t.field({
    type: Thread,
    description: 'Brings an archived thread back.',
    args: { id: t.arg.id({ required: true, description: 'Which thread.' }) },
    resolve: async (_root, { id }, context) => context.threads.archive(await existingThread(context, id), false),
  }),
  deleteThread: t.boolean({
    description: 'Deletes a thread with its entries. True when this call deleted it; false when there was none.',
    args: { id: t.arg.id({ required: true, description: 'Which thread.' }) },
    resolve: async (_root, { id }, context) => {
      const thread = await reachableThread(context, id);
      return thread ? context.threads.delete(thread) : false;
    },
  }),
}));
