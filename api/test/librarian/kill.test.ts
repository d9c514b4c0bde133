import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../kit/client.ts';
import type { TestUser } from '../kit/kit.ts';
import { closing, reply, step } from '../kit/model-replies.ts';
import { type ModelServer, type ScriptEntry, startModelServer } from '../kit/model-server.ts';
import { buildServer, ServerFolder } from '../kit/server-process.ts';
import { createTestDatabase, type TestDatabase } from '../kit/test-database.ts';
import type { Chunk } from '../oracle/kit/chunks.ts';
import { calling } from '../oracle/kit/oracle-kit.ts';
import { askOver, followOver } from '../oracle/kit/stream.ts';
import { expectNumbered } from '../oracle/kit/told.ts';
import { isLibrarian, prepare, searchFor, storedText } from './librarian-kit.ts';

const token = 'the-token-of-the-librarian-kill-test';
const half = 'Half a summary that nobody should ever see';

let folder: ServerFolder;
let models: ModelServer;
let database: TestDatabase;
beforeAll(async () => {
  await buildServer();
  folder = new ServerFolder();
  models = await startModelServer();
  database = await createTestDatabase();
});
afterAll(async () => {
  await folder.dispose();
  await models.stop();
  await database.drop();
});

async function start() {
  const server = folder.start({
    DATABASE_URL: database.url,
    ORACLE_ADMIN_TOKEN: token,
    ORACLE_LOG_LEVEL: 'error',
    ORACLE_OPENAI_BASE_URL: models.url,
    ORACLE_MODEL: 'openai/scripted',
  });
  const url = await server.ready;
  const user: TestUser = { ...createClient(url, token), id: '', email: '', token, tokenId: '' };
  return { server, url, user };
}

function script(oracle: readonly ScriptEntry[], librarian: readonly ScriptEntry[]): void {
  const waiting = { oracle: [...oracle], librarian: [...librarian] };
  models.otherwise((request) => {
    const entry = waiting[isLibrarian(request) ? 'librarian' : 'oracle'].shift() ?? reply.hang();
    return typeof entry === 'function' ? entry(request) : entry;
  });
}

/** Kills the server once `fits` was seen, starts another, and reads the run there to its end. */
async function killAt(fits: (chunk: Chunk) => boolean) {
  const first = await start();
  await prepare(first.user, 12);
  const stream = askOver(first, {});
  const { runId } = await stream.until(fits);
  // Whatever the model had said by now, the server has heard.
  await first.user.ask('{ viewer { id } }');
  expect(await first.server.end('SIGKILL')).toBe('SIGKILL');
  await stream.toEnd().catch(() => undefined);

  const second = await start();
  const chunks = await followOver(second, runId).toEnd();
  const stored = await storedText({ database }, runId);
  return { ...second, chunks, stored };
}

describe('a server that is killed while the Librarian is at work', { timeout: 120_000 }, () => {
  it('leaves nothing of an unfinished summary, and the conversation goes on', async () => {
    script([searchFor(12)], [reply.stream([step.text(half), step.text(` ${half}`), step.hang()])]);

    const { server, url, user, chunks, stored } = await killAt((chunk) => chunk.agent === 'librarian');

    expectNumbered(chunks);
    const done = chunks.at(-1);
    if (done?.__typename !== 'DoneChunk') throw new Error('The run has no end.');
    expect(done.terminationReason).toBe('INTERRUPTED');
    expect(done.ending.unfinishedTools).toEqual([expect.objectContaining({ name: 'vault_search', fate: 'UNKNOWN' })]);
    expect(stored).toContain('vault_search');
    expect(stored).not.toContain('Half a summ');
    script([reply.text('At dawn.')], []);
    const next = await askOver({ url, user }, { conversationId: done.conversationId }).toEnd();
    expect(next.at(-1)).toMatchObject({ terminationReason: 'COMPLETED' });
    expect(await server.end('SIGTERM')).toBe(0);
  });

  it('leaves its calls answered in its name, and none of its words', async () => {
    const readAndTalk = reply.stream([
      step.text(half),
      step.toolCall({ name: 'vault_read', arguments: { path: 'birds/bird-01.md' } }),
      ...closing('tool_calls'),
    ]);
    script([calling([{ name: 'delegate_librarian', arguments: { task: 'Herons.' } }])], [readAndTalk, reply.hang()]);

    const { server, chunks, stored } = await killAt(
      (chunk) => chunk.__typename === 'SystemChunk' && chunk.message.includes('turn 2 of 5'),
    );

    const done = chunks.at(-1);
    if (done?.__typename !== 'DoneChunk') throw new Error('The run has no end.');
    expect(done.ending.unfinishedTools.map(({ name }) => name)).toEqual(['delegate_librarian']);
    expect(done.ending.saved.toolCalls).toBe(1);
    expect(chunks.some((chunk) => chunk.agent === 'librarian' && chunk.__typename === 'ToolResultChunk')).toBe(true);
    expect(stored).not.toContain('Half a summ');
    expect(await server.end('SIGTERM')).toBe(0);
  });
});
