import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import type { TestUser } from '../kit/kit.ts';
import { type KnowledgeKit, startKnowledgeKit } from './kit.ts';

let kit: KnowledgeKit;
beforeAll(async () => {
  kit = await startKnowledgeKit();
});
afterAll(() => kit.stop());

const append = `mutation ($input: AppendToThreadInput!) { appendToThread(input: $input) {
  __typename ... on ThreadEntry { id threadId number kind text author runId createdAt }
  ... on InvalidInput { problems { field message } }
} }`;

type Entry = {
  id: string;
  threadId: string;
  number: number;
  text: string;
  problems: { field: string; message: string }[];
};

async function push(user: TestUser, input: Record<string, unknown>): Promise<Entry> {
  return (await user.ask<{ appendToThread: Entry }>(append, { input: { kind: 'THOUGHT', text: 'x', ...input } }))
    .appendToThread;
}

async function titles(user: TestUser, projectId: string, args = ''): Promise<readonly string[]> {
  const { threads } = await user.ask<{ threads: { edges: { node: { title: string } }[] } }>(
    `query ($id: ID) { threads(projectId: $id ${args}) { totalCount edges { node { title archived entryCount } } } }`,
    { id: projectId },
  );
  return threads.edges.map(({ node }) => node.title);
}

describe('threads', () => {
  it('begin with their first entry, by a title that capitals and spaces do not change', async () => {
    const { user, projectId } = await kit.newOwner();

    const first = await push(user, { projectId, title: ' Night  duty ', text: 'One', author: 'Ruth' });
    const second = await push(user, { projectId, title: 'night duty', text: 'Two', kind: 'DECISION' });
    const third = await push(user, { threadId: first.threadId, text: 'Three' });

    expect(first).toMatchObject({ __typename: 'ThreadEntry', number: 1, text: 'One', author: 'Ruth', runId: null });
    expect(second).toMatchObject({ number: 2, threadId: first.threadId, kind: 'DECISION' });
    expect(third.number).toBe(3);
    expect(await titles(user, projectId)).toEqual(['Night duty']);
  });

  it('are listed by last activity, without archived ones unless asked for, and come back with a new entry', async () => {
    const { user, projectId } = await kit.newOwner();
    const [one, two] = [await push(user, { projectId, title: 'One' }), await push(user, { projectId, title: 'Two' })];
    await push(user, { threadId: one.threadId });
    expect(await titles(user, projectId)).toEqual(['One', 'Two']);

    const archive = 'mutation ($id: ID!) { archiveThread(id: $id) { archived } }';
    expect(await user.ask(archive, { id: two.threadId })).toEqual({ archiveThread: { archived: true } });
    expect(await user.ask(archive, { id: two.threadId })).toEqual({ archiveThread: { archived: true } });
    expect(await titles(user, projectId)).toEqual(['One']);
    expect(await titles(user, projectId, ', archived: true')).toEqual(['One', 'Two']);
    expect(await titles(user, projectId, ', archived: true, search: "tW"')).toEqual(['Two']);

    await user.ask('mutation ($id: ID!) { unarchiveThread(id: $id) { archived } }', { id: two.threadId });
    expect(await titles(user, projectId)).toEqual(['One', 'Two']);
    await user.ask(archive, { id: two.threadId });
    await push(user, { projectId, title: 'two' });
    expect(await titles(user, projectId)).toEqual(['Two', 'One']);
  });

  it('are read in pages from either end, the newest last', async () => {
    const { user, projectId } = await kit.newOwner();
    await kit.threads.appendMany(
      projectId,
      Array.from({ length: 7 }, (_, n) => ({ title: 'Long', kind: 'THOUGHT' as const, text: `Entry ${n + 1}` })),
    );
    const [thread] = (await kit.threads.list(projectId, 1)).threads;
    const read = async (args: string) => {
      const answer = await user.ask<{
        thread: {
          entries: {
            totalCount: number;
            pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
            edges: { node: { number: number } }[];
          };
        };
      }>(
        `query ($id: ID!) { thread(id: $id) { entries(${args}) {
          totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { node { number } } } } }`,
        { id: thread?.id },
      );
      const { edges, pageInfo } = answer.thread.entries;
      return { numbers: edges.map(({ node }) => node.number), ...pageInfo };
    };

    const first = await read('first: 3');
    const last = await read('last: 3');

    expect(first).toMatchObject({ numbers: [1, 2, 3], hasNextPage: true, hasPreviousPage: false });
    expect((await read(`first: 5, after: "${first.endCursor}"`)).numbers).toEqual([4, 5, 6, 7]);
    expect(last).toMatchObject({ numbers: [5, 6, 7], hasNextPage: false, hasPreviousPage: true });
    expect(await read(`last: 10, before: "${last.startCursor}"`)).toMatchObject({
      numbers: [1, 2, 3, 4],
      hasPreviousPage: false,
      hasNextPage: true,
    });
    const bad = `query ($id: ID!) { thread(id: $id) { entries(after: "x") { totalCount } } }`;
    expect(codesOf(await user.query(bad, { id: thread?.id }))).toEqual(['BAD_USER_INPUT']);
  });

  it('are sought by words, of a kind, in a thread, with the words marked', async () => {
    const { user, projectId } = await kit.newOwner();
    await push(user, { projectId, title: 'Ferries', text: 'Seven ferries run in winter.', kind: 'RESEARCH' });
    const decided = await push(user, {
      projectId,
      title: 'Ferries',
      text: 'We buy an eighth ferry.',
      kind: 'DECISION',
    });
    await push(user, { projectId, title: 'Tickets', text: 'The ferry ticket is green.', kind: 'DECISION' });
    const seek = async (args: string) => {
      const { seekThreads } = await user.ask<{
        seekThreads: {
          snippet: string;
          highlights: { start: number; end: number }[];
          entry: { number: number };
          thread: { title: string };
        }[];
      }>(
        `query ($id: ID) { seekThreads(projectId: $id, ${args}) {
          snippet highlights { start end } score entry { number kind } thread { title } } }`,
        { id: projectId },
      );
      return seekThreads;
    };
    const found = async (args: string) =>
      (await seek(args)).map(({ thread, entry }) => `${thread.title} ${entry.number}`);

    expect((await found('query: "ferry"')).toSorted()).toEqual(['Ferries 1', 'Ferries 2', 'Tickets 1']);
    expect((await found('query: "ferry", kinds: [DECISION]')).toSorted()).toEqual(['Ferries 2', 'Tickets 1']);
    expect(await found(`query: "ferry", kinds: [DECISION], threadId: "${decided.threadId}"`)).toEqual(['Ferries 2']);
    expect(await found(`query: "ferry", threadId: "${randomUUID()}"`)).toEqual([]);
    expect(await found('query: "eighth ferr"')).toContain('Ferries 2');
    expect(await found('query: "xylophone"')).toEqual([]);
    const [hit] = await seek('query: "winter ferry"');
    expect(hit?.highlights.map(({ start, end }) => hit.snippet.slice(start, end))).toEqual(['ferries', 'winter']);
  });

  it('are renamed, also for those who seek, but not to a title that is taken; and deleted', async () => {
    const { user, projectId } = await kit.newOwner();
    const { threadId } = await push(user, { projectId, title: 'Old name', text: 'Nothing.' });
    await push(user, { projectId, title: 'Taken' });
    const rename = async (title: string) =>
      (
        await user.ask<{ renameThread: { __typename: string } }>(
          `mutation ($id: ID!, $title: String!) { renameThread(id: $id, title: $title) {
            __typename ... on Thread { title } ... on InvalidInput { problems { field message } } } }`,
          { id: threadId, title },
        )
      ).renameThread;

    expect(await rename('TAKEN')).toMatchObject({
      problems: [{ field: 'title', message: 'There is a thread called "TAKEN" already.' }],
    });
    expect(await rename('  ')).toMatchObject({ __typename: 'InvalidInput' });
    expect(await rename('Zeppelins')).toEqual({ __typename: 'Thread', title: 'Zeppelins' });
    expect(await kit.threads.seek(projectId, { query: 'zeppelin', limit: 5 })).toHaveLength(1);

    const remove = 'mutation ($id: ID!) { deleteThread(id: $id) }';
    expect(await user.ask(remove, { id: threadId })).toEqual({ deleteThread: true });
    expect(await user.ask(remove, { id: threadId })).toEqual({ deleteThread: false });
    expect(await kit.threads.seek(projectId, { query: 'zeppelin', limit: 5 })).toEqual([]);
  });

  it('report everything that is wrong with an entry at once', async () => {
    const { user, projectId } = await kit.newOwner();

    const { problems } = await push(user, { projectId, title: 'x'.repeat(201), text: ' ', author: 'y'.repeat(201) });
    expect(problems.map(({ field }) => field)).toEqual(['title', 'text', 'author']);
    expect((await push(user, { projectId })).problems).toMatchObject([
      { message: 'Give the id of a thread, or a title.' },
    ]);
    expect((await push(user, { projectId, title: 'a', text: 'a\0b' })).problems).toMatchObject([{ field: 'text' }]);
  });

  it('of others are as missing', async () => {
    const [owner, other] = [await kit.newOwner(), await kit.newOwner()];
    const { threadId } = await push(owner.user, { projectId: owner.projectId, title: 'Secret', text: 'kingfisher' });

    for (const id of [threadId, randomUUID(), 'x']) {
      expect(await other.user.ask('query ($id: ID!) { thread(id: $id) { id } }', { id })).toEqual({ thread: null });
      const answer = await other.user.query(append, { input: { threadId: id, kind: 'THOUGHT', text: 'x' } });
      expect(answer.errors?.[0]?.message).toBe('There is no such thread.');
      expect(await other.user.ask('mutation ($id: ID!) { deleteThread(id: $id) }', { id })).toEqual({
        deleteThread: false,
      });
    }
    expect(await kit.threads.seek(other.projectId, { query: 'kingfisher', limit: 5, threadId })).toEqual([]);
    expect((await kit.threads.append(other.projectId, { threadId, kind: 'THOUGHT', text: 'x' })).type).toBe('missing');
  });
});

describe('a newcomer', () => {
  it('finds two threads', async () => {
    const user = await kit.newUser();
    const { projects } = await user.ask<{ projects: { id: string }[] }>('{ projects { id } }');

    expect(await titles(user, projects[0]?.id ?? '')).toEqual(['Fewer messages', 'A third server?']);
  });
});
