import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { defineTool, type Tool, type ToolContext } from '../../src/tools/tool.ts';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { createGate } from '../kit/model-server.ts';
import { expectToGoOn } from './kit/go-on.ts';
import { calling, type OracleKit, startOracleKit } from './kit/oracle-kit.ts';

function tool(name: string, run: (context: ToolContext) => Promise<unknown>, timeoutMs?: number): Tool {
  const rest = timeoutMs === undefined ? {} : { timeoutMs };
  return defineTool({
    name,
    description: 'A bad one.',
    input: z.object({}),
    run: (_input, context) => run(context),
    ...rest,
  });
}

const megabytes = 10 * 1024 * 1024;
const never = () => new Promise<never>(() => undefined);
const circular: Record<string, unknown> = {};
circular.self = circular;
let late = createGate();
let lateDone = createGate();

const tools = [
  tool('throws', async () => {
    throw new Error('The disk is full.');
  }),
  tool('throws_at_once', () => {
    throw new Error('Not even a promise.');
  }),
  tool('throws_nothing', () => Promise.reject(undefined)),
  tool('throws_a_book', () => Promise.reject(new Error('long '.repeat(100_000)))),
  tool('never_returns', never, 50),
  tool('ignores_the_abort', never),
  tool('comes_too_late', async ({ cite }) => {
    await late.opened;
    cite({ kind: 'VAULT', path: 'late.md' });
    lateDone.open();
    return 'late';
  }),
  tool('ten_megabytes', async () => ({ rows: 'x'.repeat(megabytes) })),
  tool('ten_megabytes_of_text', async () => 'y'.repeat(megabytes)),
  tool('returns_nothing', async () => undefined),
  tool('returns_a_circle', async () => circular),
  tool('returns_half_a_character', async () => ({
    text: `a${String.fromCharCode(0)}b${String.fromCharCode(0xd83d)}c`,
  })),
  tool('cites_a_lot', async ({ cite }) => {
    for (let number = 0; number < 500; number += 1) {
      cite({ kind: 'VAULT', path: `note-${number}.md`, snippet: 's'.repeat(5_000) });
    }
    return 'cited';
  }),
  tool('fine', async () => 'fine'),
];

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit({ tools: createToolRegistry(tools) });
});
beforeEach(async () => {
  user = await kit.newUser();
  late = createGate();
  lateDone = createGate();
});
afterAll(() => kit.stop());

/** The bad tool beside a good one, then an answer. */
async function useOf(name: string) {
  const script = kit.script(
    calling([
      { id: 'bad', name, arguments: {} },
      { id: 'good', name: 'fine', arguments: {} },
    ]),
    reply.text('So be it.'),
  );
  const told = await kit.ask(user);
  const [bad, good] = told.of('ToolResultChunk');
  const heard = script.requests()[1]?.body.messages.find((message) => message.tool_call_id === 'bad');
  expect(told).toMatchObject({ reason: 'COMPLETED', text: 'So be it.', ending: { turns: 2 } });
  expect(good).toMatchObject({ callId: 'good', ok: true, result: 'fine' });
  expect(bad?.callId).toBe('bad');
  return { told, bad, heard: heard?.content ?? '' };
}

describe('a tool', () => {
  it.each([
    ['throws', 'The disk is full.'],
    ['throws_at_once', 'Not even a promise.'],
    ['throws_nothing', 'It failed without saying why.'],
    ['never_returns', 'never_returns did not answer within 0.05 s.'],
  ])('that %s fails with words for the model, and its sibling is not harmed', async (name, error) => {
    const { told, bad, heard } = await useOf(name);

    expect(bad).toMatchObject({ ok: false, result: null, error });
    expect(heard).toBe(error);
    await expectToGoOn(kit, user, told);
  });

  it('that never returns is abandoned, and its fate is recorded', async () => {
    const { told } = await useOf('never_returns');

    expect(told.ending.unfinishedTools).toEqual([{ callId: 'bad', name: 'never_returns', fate: 'UNKNOWN' }]);
  });

  it('that throws a book is quoted in short', async () => {
    const { bad, heard } = await useOf('throws_a_book');

    expect(bad?.error?.length).toBeLessThanOrEqual(2_000);
    expect(heard.length).toBeLessThanOrEqual(2_000);
  });

  it('that ignores the abort is abandoned when the run is cancelled', async () => {
    kit.script(calling([{ id: 'deaf', name: 'ignores_the_abort', arguments: {} }]));
    const stream = kit.open(user);
    const { runId } = await stream.until((chunk) => chunk.__typename === 'ToolCallChunk' && chunk.status === 'RUNNING');
    await kit.cancel(user, runId);
    const told = await kit.settle(user, stream);

    expect(told.ending).toMatchObject({
      reason: 'CANCELLED',
      unfinishedTools: [{ callId: 'deaf', name: 'ignores_the_abort', fate: 'UNKNOWN' }],
    });
    await expectToGoOn(kit, user, told);
  });

  it('that comes with its result after the end is not heard any more', async () => {
    kit.script(calling([{ id: 'late', name: 'comes_too_late', arguments: {} }]));
    const stream = kit.open(user);
    const { runId } = await stream.until((chunk) => chunk.__typename === 'ToolCallChunk' && chunk.status === 'RUNNING');
    await kit.cancel(user, runId);
    const told = await kit.settle(user, stream);
    late.open();
    await lateDone.opened;

    expect(await kit.follow(user, runId).toEnd()).toEqual(told.chunks);
    expect(told.of('SourceChunk')).toEqual([]);
    await expectToGoOn(kit, user, told);
  });

  it.each(['ten_megabytes', 'ten_megabytes_of_text'])('that returns %s is cut, and then summarised', async (name) => {
    const script = kit.script(calling([{ name, arguments: {} }]), reply.text('Many letters.'), reply.text('So be it.'));
    const told = await kit.ask(user);
    const [, librarian, oracle] = script.requests();

    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'So be it.' });
    expect(told.of('ToolResultChunk')).toMatchObject([{ ok: true, result: { summary: 'Many letters.' } }]);
    expect(librarian?.text).toMatch(/Cut: the result has 10[, ]\d+[, ]\d+ characters|It is cut/);
    expect(librarian?.text.length).toBeLessThan(120_000);
    expect(oracle?.text.length).toBeLessThan(30_000);
    expect(JSON.stringify(told.chunks).length).toBeLessThan(150_000);
    await expectToGoOn(kit, user, told);
  });

  it('that returns nothing has returned null', async () => {
    expect((await useOf('returns_nothing')).bad).toMatchObject({ ok: true, result: null, error: null });
  });

  it('that returns what is no JSON has failed', async () => {
    expect((await useOf('returns_a_circle')).bad).toMatchObject({
      ok: false,
      error: expect.stringContaining('circular'),
    });
  });

  it('that returns what no database holds is mended', async () => {
    expect((await useOf('returns_half_a_character')).bad).toMatchObject({ ok: true, result: { text: 'ab\ufffdc' } });
  });

  it('that cites without end is heard for a while', async () => {
    const { told } = await useOf('cites_a_lot');

    expect(told.of('SourceChunk')).toHaveLength(50);
    expect(told.of('SourceChunk').every(({ snippet }) => snippet?.length === 500)).toBe(true);
    expect(told.ending.saved.sources).toBe(50);
  });
});
