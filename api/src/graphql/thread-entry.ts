import { notFound } from '../access/access-error.ts';
import { isIdentifier } from '../access/identifier.ts';
import type { ThreadEntry as ThreadEntryRow } from '../store/entities/thread-entry.ts';
import type { EntryHit } from '../threads/threads.ts';
import { builder } from './builder.ts';
import { defineEnum } from './enum.ts';
import { Highlight, hitArgs, hitLimit } from './note-search.ts';
import { answerPage, definePage, pageArgs } from './page.ts';
import { invalid, invalidTypes } from './problem.ts';
import { existingProject, projectIdDescription } from './project.ts';
import { reachableThread, Thread } from './thread.ts';

const ThreadEntryKind = defineEnum('ThreadEntryKind', 'What an entry of a thread is.', {
  THOUGHT: 'Something to think about.',
  DECISION: 'Something that was decided.',
  RESEARCH: 'Something that was looked into.',
  INSIGHT: 'Something that was understood.',
});

const ThreadEntry = builder.objectRef<EntryHit['entry']>('ThreadEntry').implement({
  description: 'One entry of a thread.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the entry.' }),
    threadId: t.exposeID('threadId', { description: 'The thread that it belongs to.' }),
    number: t.exposeInt('number', { description: 'Its place in the thread, counted from 1.' }),
    kind: t.expose('kind', { type: ThreadEntryKind, description: 'What it is.' }),
    text: t.exposeString('text', { description: 'What it says, in Markdown.' }),
    author: t.string({
      nullable: true,
      description: 'Who said it, when that was told.',
      resolve: ({ author }) => author ?? null,
    }),
    runId: t.id({
      nullable: true,
      description: 'The run that made it, when an agent did.',
      resolve: ({ runId }) => runId ?? null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

const ThreadEntryConnection = definePage<ThreadEntryRow>('ThreadEntry', ThreadEntry as never);

const ThreadHit = builder.objectRef<EntryHit>('ThreadHit').implement({
  description: 'An entry of a thread that answers a search.',
  fields: (t) => ({
    entry: t.expose('entry', { type: ThreadEntry, description: 'The entry.' }),
    thread: t.field({ type: Thread, description: 'Its thread.', resolve: ({ thread }) => thread as never }),
    snippet: t.exposeString('snippet', { description: 'Its best passage as plain text of at most 500 characters.' }),
    highlights: t.field({
      type: [Highlight],
      description: 'Where in the snippet the words are that were searched for.',
      resolve: ({ highlights }) => [...highlights],
    }),
    score: t.exposeFloat('score', { description: 'From 0 to 1; comparable within one search only.' }),
  }),
});

builder.objectField(Thread, 'entries', (t) =>
  t.field({
    type: ThreadEntryConnection,
    description: 'Its entries in their order, the newest last, in pages from either end.',
    args: {
      ...pageArgs,
      last: t.arg.int({ description: 'The newest ones instead of the first ones: how many at most, 1 to 100.' }),
      before: t.arg.string({ description: 'With `last`: those before this cursor.' }),
    },
    resolve: (thread, args, { threads }) => answerPage(threads.entriesOf(thread, args)),
  }),
);

builder.queryField('seekThreads', (t) =>
  t.field({
    type: [ThreadHit],
    description: 'The entries of a project’s threads that answer a question best, best first, archived ones included.',
    args: {
      ...hitArgs,
      projectId: t.arg.id({ description: projectIdDescription }),
      threadId: t.arg.id({ description: 'In this thread of the project only.' }),
      kinds: t.arg({ type: [ThreadEntryKind], description: 'Of these kinds only; without it, of all.' }),
    },
    resolve: async (_root, { query, first, projectId, threadId, kinds }, context) => {
      const project = await existingProject(context, projectId);
      const limit = hitLimit(first);
      if (typeof threadId === 'string' && !isIdentifier(threadId)) return [];
      const request = { query, limit, kinds: kinds ?? [], threadId: threadId ?? undefined };
      return [...(await context.threads.seek(project.id, request))];
    },
  }),
);

const AppendToThreadInput = builder.inputType('AppendToThreadInput', {
  description:
    'What to add, and to which thread: by `threadId`, or by `title`, which makes the thread when there is none.',
  fields: (t) => ({
    projectId: t.id({ description: projectIdDescription }),
    threadId: t.id({ description: 'The thread; its project is known by it.' }),
    title: t.string({ description: 'The title of the thread, 1 to 200 characters; capitals do not matter.' }),
    kind: t.field({ type: ThreadEntryKind, required: true, description: 'What it is.' }),
    text: t.string({ required: true, description: 'What it says, in Markdown, 1 to 50,000 characters.' }),
    author: t.string({ description: 'Who says it, up to 200 characters.' }),
  }),
});

const AppendToThreadResult = builder.unionType('AppendToThreadResult', {
  description: 'The new entry, or why there is none.',
  types: [ThreadEntry, invalidTypes.InvalidInput],
  resolveType: (value) => ('problems' in value ? 'InvalidInput' : 'ThreadEntry'),
});

builder.mutationField('appendToThread', (t) =>
  t.field({
    type: AppendToThreadResult,
    description: 'Adds an entry to the end of a thread. An archived thread comes back by it.',
    args: { input: t.arg({ type: AppendToThreadInput, required: true, description: 'What, and to which thread.' }) },
    resolve: async (_root, { input: { projectId, ...entry } }, context) => {
      const projectOf = async () => {
        if (typeof entry.threadId !== 'string') return (await existingProject(context, projectId)).id;
        const named = typeof projectId === 'string' ? await existingProject(context, projectId) : undefined;
        const thread = await reachableThread(context, entry.threadId);
        if (!thread || (named && thread.projectId !== named.id)) throw notFound('thread');
        return thread.projectId;
      };
      const outcome = await context.threads.append(await projectOf(), entry);
      if (outcome.type === 'missing') throw notFound('thread');
      return outcome.type === 'invalid' ? invalid(outcome.problems) : outcome.entry;
    },
  }),
);
