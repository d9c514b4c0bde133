import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../src/agent/json.ts';
import { executeTools } from '../src/runner/tool-executor.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { builtInTools } from '../src/tools/built-in-tools.ts';
import { noKnowledge } from '../src/tools/test/no-knowledge.ts';
import type { Source } from '../src/tools/tool.ts';
import { VaultService } from '../src/vault/vault-service.ts';
import { type Kit, startKit } from './kit/kit.ts';

let kit: Kit;
let vault: VaultService;
let database: Database;
let close: () => Promise<void>;
let projectId: string;
beforeAll(async () => {
  kit = await startKit();
  database = await openDatabase(kit.database.url);
  close = () => database.close();
  vault = new VaultService(database);
  projectId = (await vault.defaultProject(kit.admin.id)).id;
});
afterAll(async () => {
  await close();
  await kit.stop();
});

/** One call of one built-in tool, as a run makes it. */
async function use(name: string, input: Json) {
  const sources: Source[] = [];
  const { answers } = await executeTools({
    calls: [{ callId: 'one', name, arguments: input }],
    tools: builtInTools,
    scope: { projectId, userId: kit.admin.id, ...noKnowledge, vault },
    limits: { maxToolCallsPerTurn: 5, maxParallelTools: 3 },
    offered: true,
    signal: new AbortController().signal,
    deadline: performance.now() + 60_000,
    report: (progress) => progress.type === 'source-cited' && sources.push(progress.source),
  });
  return { status: answers[0]?.outcome.status, reply: answers[0]?.reply, sources };
}

describe('vault_search', () => {
  it('answers with passages and cites each', async () => {
    const { reply, sources } = await use('vault_search', { query: 'How long are timetables cached?', limit: 2 });

    expect(reply).toMatchObject({ hits: [{ path: 'decisions/caching.md', line: 1 }, {}] });
    expect(sources).toHaveLength(2);
    expect(sources[0]).toMatchObject({
      kind: 'VAULT',
      path: 'decisions/caching.md',
      title: 'Caching of timetables',
      line: 1,
    });
    expect(sources[0]?.snippet).toContain('15 minutes');
    expect(sources[0]?.score).toBeGreaterThan(0);
  });

  it('says what to try when nothing is found', async () => {
    expect(await use('vault_search', { query: 'xylophone' })).toEqual({
      status: 'succeeded',
      reply: { hits: [], note: 'No note matches. Try fewer or other words, or vault_list.' },
      sources: [],
    });
  });
});

describe('vault_read', () => {
  it('answers with the text and cites it', async () => {
    const { reply, sources } = await use('vault_read', { path: 'decisions/caching' });

    expect(reply).toMatchObject({
      path: 'decisions/caching.md',
      title: 'Caching of timetables',
      fromLine: 1,
      lines: 16,
    });
    expect(sources).toMatchObject([{ kind: 'VAULT', path: 'decisions/caching.md', line: 1 }]);
    expect(sources[0]?.snippet?.length).toBe(500);
  });

  it('suggests the nearest when there is no such note', async () => {
    expect(await use('vault_read', { path: 'onboarding.md' })).toMatchObject({
      status: 'failed',
      reply: 'There is no note at "onboarding.md". Did you mean handbook/onboarding.md?',
    });
    expect((await use('vault_read', { path: 'qqqqqqqqqqqqqqq' })).reply).toBe(
      'There is no note at "qqqqqqqqqqqqqqq". Use vault_list or vault_search.',
    );
  });

  it('gives a long note in parts that together are the whole', async () => {
    const body = Array.from({ length: 3_000 }, (_, n) => `line ${n} ${'x'.repeat(n % 40)}`).join('\n');
    await vault.write(projectId, { path: 'long.md', body });

    const parts: string[] = [];
    let fromLine = 1;
    for (;;) {
      const { reply } = await use('vault_read', { path: 'long.md', fromLine });
      const { text, next } = reply as { text: string; next?: string };
      expect(text.length).toBeLessThanOrEqual(12_000);
      parts.push(text);
      if (next === undefined) break;
      fromLine = Number(/fromLine (\d+)/.exec(next)?.[1]);
    }

    expect(parts.length).toBeGreaterThan(2);
    expect(parts.join('\n')).toBe(body);
    expect((await use('vault_read', { path: 'long.md', fromLine: 9_000 })).reply).toBe('The note has only 3000 lines.');
  });

  it('cuts a line that is too long for one part, and goes on behind it', async () => {
    await vault.write(projectId, { path: 'wide.md', body: `${'x'.repeat(50_000)}\nlast` });

    const { reply } = await use('vault_read', { path: 'wide.md' });
    expect(reply).toMatchObject({ text: `${'x'.repeat(12_000)} [line cut]`, next: 'Continue with fromLine 2.' });
  });
});

describe('vault_list', () => {
  it('lists a folder, and tells when there is none', async () => {
    expect((await use('vault_list', { folder: 'decisions' })).reply).toEqual({
      folder: 'decisions',
      notesInAll: 3,
      folders: [],
      notes: [
        { path: 'decisions/caching.md', title: 'Caching of timetables' },
        { path: 'decisions/database.md', title: 'One PostgreSQL database' },
        { path: 'decisions/notifications.md', title: 'Notifications only for delays over ten minutes' },
      ],
    });
    expect((await use('vault_list', null)).reply).toMatchObject({
      folder: '',
      folders: [{ path: 'decisions', notes: 3 }, {}, {}, {}],
    });
    expect(await use('vault_list', { folder: 'nowhere' })).toMatchObject({
      status: 'failed',
      reply: 'There is no folder "nowhere". List the top with an empty folder.',
    });
  });
});

describe('vault_write', () => {
  it('writes into the project of the run, whatever project the model names', async () => {
    const other = await vault.defaultProject((await kit.newUser()).id);

    const written = await use('vault_write', { path: 'ideas/new.md', body: '# New', projectId: other.id });

    expect(written.reply).toEqual({ path: 'ideas/new.md', title: 'New', status: 'created' });
    expect((await vault.read(projectId, 'ideas/new.md')).type).toBe('found');
    expect((await vault.read(other.id, 'ideas/new.md')).type).toBe('missing');
  });

  it('tells the model what is wrong with a note', async () => {
    expect(await use('vault_write', { path: '../up.md', body: 'a\0' })).toMatchObject({
      status: 'failed',
      reply: 'Path must not contain . or .. as a part. Body must not contain the NUL character.',
    });
  });
});
