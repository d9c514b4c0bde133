import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../src/agent/json.ts';
import { executeTools } from '../../src/runner/tool-executor.ts';
import { builtInTools } from '../../src/tools/built-in-tools.ts';
import { noKnowledge } from '../../src/tools/test/no-knowledge.ts';
import type { Source } from '../../src/tools/tool.ts';
import { type KnowledgeKit, startKnowledgeKit } from './kit.ts';

let kit: KnowledgeKit;
let projectId: string;
let userId: string;
beforeAll(async () => {
  kit = await startKnowledgeKit();
});
beforeEach(async () => {
  const owner = await kit.newOwner();
  [projectId, userId] = [owner.projectId, owner.user.id];
});
afterAll(() => kit.stop());

/** One call of one built-in tool, as a run makes it. */
async function use(name: string, input: Json) {
  const sources: Source[] = [];
  const { answers } = await executeTools({
    calls: [{ callId: 'one', name, arguments: input }],
    tools: builtInTools,
    scope: { ...noKnowledge, projectId, userId, vault: kit.vault, threads: kit.threads },
    limits: { maxToolCallsPerTurn: 5, maxParallelTools: 3 },
    offered: true,
    signal: new AbortController().signal,
    deadline: performance.now() + 60_000,
    report: (progress) => progress.type === 'source-cited' && sources.push(progress.source),
  });
  return { status: answers[0]?.outcome.status, reply: answers[0]?.reply, sources };
}

describe('vault_move', () => {
  it('moves a note and its links, and says what stands in the way', async () => {
    await kit.vault.writeMany(projectId, [
      { path: 'a.md', body: 'A' },
      { path: 'b.md', body: '[[a]]' },
    ]);

    expect((await use('vault_move', { path: 'a.md', newPath: 'b.md' })).reply).toBe(
      'There is a note at "b.md" already. Choose another path.',
    );
    expect((await use('vault_move', { path: 'aa', newPath: 'c.md' })).reply).toContain('There is no note at "aa".');
    expect((await use('vault_move', { path: 'a', newPath: '../c' })).reply).toContain('Path must not contain');
    expect((await use('vault_move', { path: 'a', newPath: 'x/c.md' })).reply).toEqual({
      path: 'x/c.md',
      from: 'a.md',
      title: 'c',
      notesRewritten: 1,
      linksRewritten: 1,
    });
  });
});

describe('the thread tools', () => {
  it('push, list, read and seek, and cite what they found', async () => {
    expect(
      (await use('thread_push', { thread: 'Piers', kind: 'RESEARCH', text: 'There are nine piers.' })).reply,
    ).toEqual({
      thread: 'Piers',
      number: 1,
      kind: 'RESEARCH',
    });
    await use('thread_push', { thread: 'piers', kind: 'DECISION', text: 'Pier four is closed.' });

    expect((await use('thread_list', {})).reply).toMatchObject({ threads: [{ title: 'Piers', entryCount: 2 }] });
    const read = await use('thread_read', { thread: 'PIERS' });
    expect(read.reply).toMatchObject({
      thread: 'Piers',
      entriesInAll: 2,
      entries: [{ number: 1, kind: 'RESEARCH', text: 'There are nine piers.' }, { number: 2 }],
    });
    expect(read.sources).toMatchObject([{ kind: 'THREAD', path: 'Piers', line: 1, snippet: 'There are nine piers.' }]);
    const sought = await use('thread_seek', { query: 'closed piers', kind: 'DECISION' });
    expect(sought.reply).toMatchObject({
      hits: [{ path: 'Piers', line: 2, kind: 'DECISION', snippet: 'Pier four is closed.' }],
    });
    expect(sought.sources).toMatchObject([{ kind: 'THREAD', path: 'Piers', title: 'Piers', line: 2 }]);
  });

  it('guess at a misspelt thread, and say what to try', async () => {
    await use('thread_push', { thread: 'Summer timetable', kind: 'THOUGHT', text: 'x' });

    expect((await use('thread_read', { thread: 'Summer timetabel' })).reply).toBe(
      'There is no thread "Summer timetabel". Did you mean Summer timetable?',
    );
    expect((await use('thread_read', { thread: 'Summer timetable', fromEntry: 9 })).reply).toBe(
      'The thread has only 1 entries.',
    );
    expect((await use('thread_push', { thread: 'a', kind: 'GOSSIP', text: 'x' })).reply).toContain(
      '"kind" must be one of',
    );
    expect((await use('thread_seek', { query: 'xylophone' })).reply).toEqual({
      hits: [],
      note: 'No entry matches. Try fewer or other words, or thread_list.',
    });
  });

  it('give the newest entries of a long thread, and the others by number', async () => {
    await kit.threads.appendMany(
      projectId,
      Array.from({ length: 45 }, (_, n) => ({ title: 'Long', kind: 'THOUGHT' as const, text: `Entry ${n + 1}` })),
    );

    const numbers = async (input: Json) =>
      ((await use('thread_read', input)).reply as { entries: { number: number }[]; next?: string }).entries.map(
        ({ number }) => number,
      );

    expect(await numbers({ thread: 'Long' })).toEqual(Array.from({ length: 30 }, (_, n) => n + 16));
    expect(await numbers({ thread: 'Long', fromEntry: 44 })).toEqual([44, 45]);
    expect((await use('thread_read', { thread: 'Long', fromEntry: 1 })).reply).toMatchObject({
      next: 'Continue with fromEntry 31.',
    });
  });
});

describe('a model that names a foreign project', () => {
  it('gets its own, whatever tool it uses and however it names it', async () => {
    const foreign = await kit.newOwner();
    await kit.vault.writeMany(foreign.projectId, [
      { path: 'secret.md', body: '# Kingfisher\n\nThe kingfisher nests.' },
    ]);
    const { threads } = kit;
    await threads.append(foreign.projectId, { title: 'Secret', kind: 'THOUGHT', text: 'The kingfisher nests.' });
    await kit.vault.write(projectId, { path: 'mine.md', body: 'Mine' });
    const before = await everything(foreign.projectId);

    const inputs: Record<string, Record<string, Json>> = {
      vault_search: { query: 'kingfisher' },
      vault_read: { path: 'secret.md' },
      vault_list: { folder: '' },
      vault_write: { path: 'secret.md', body: 'Overwritten' },
      vault_move: { path: 'mine.md', newPath: 'secret-2.md' },
      thread_list: {},
      thread_read: { thread: 'Secret' },
      thread_seek: { query: 'kingfisher' },
      thread_push: { thread: 'Secret', kind: 'THOUGHT', text: 'Intruder' },
    };
    for (const [name, input] of Object.entries(inputs)) {
      const named = { projectId: foreign.projectId, project: foreign.projectId, userId: foreign.user.id };
      const { reply, sources } = await use(name, { ...input, ...named });
      expect(JSON.stringify([reply, sources]), name).not.toMatch(/nests/i);
    }

    expect(await everything(foreign.projectId)).toEqual(before);
    expect((await kit.vault.read(projectId, 'secret.md')).type).toBe('found');
    expect((await kit.threads.read(projectId, 'Secret', { limit: 5 })).type).toBe('found');
  });

  const everything = (id: string) =>
    kit.database.query(
      'select path, body from notes where project_id = $1 union all select title, text from thread_entries where project_id = $1 order by 1',
      [id],
    );
});
