import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { closing, type Reply, reply, step } from '../kit/model-replies.ts';
import { expectToGoOn } from './kit/go-on.ts';
import { calling, type OracleKit, startOracleKit } from './kit/oracle-kit.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

describe('a provider that bends the protocol', () => {
  it.each<[string, Reply]>([
    ['gives no finish reason', reply.text(['All ', 'fine.'], { finish: null })],
    [
      'gives two finish reasons',
      reply.stream([step.text('All fine.'), step.finish('stop'), step.finish('length'), ...closing('stop')]),
    ],
    [
      'takes its finish reason back',
      reply.stream([step.text('All fine.'), step.finish('stop'), step.finish(null), step.done()]),
    ],
    ['sends no end marker', reply.stream([step.text('All fine.'), step.finish('stop')])],
    [
      'answers without streaming',
      reply.json({ choices: [{ message: { content: 'All fine.' }, finish_reason: 'stop' }] }),
    ],
  ])('%s: the answer is complete all the same', async (_what, entry) => {
    kit.script(entry);
    const told = await kit.ask(user);

    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'All fine.', ending: { turns: 1 } });
  });

  it('no usage: it is estimated, and said to be', async () => {
    kit.script(reply.text('Nobody counted these words.', { usage: 'none' }));
    const { ending, reason } = await kit.ask(user);

    expect(reason).toBe('COMPLETED');
    expect(ending.usage).toMatchObject({ estimated: true });
    expect(ending.usage.inputTokens).toBeGreaterThan(100);
    expect(ending.usage.outputTokens).toBeGreaterThan(3);
  });

  it('usage with its parts: cached and reasoning tokens are kept apart', async () => {
    kit.script(reply.text('Counted.', { usage: { input: 900, output: 80, cached: 512, reasoning: 64 } }));

    expect((await kit.ask(user)).ending.usage).toEqual({
      inputTokens: 900,
      cachedInputTokens: 512,
      outputTokens: 80,
      reasoningTokens: 64,
      totalTokens: 980,
      estimated: false,
    });
  });

  it.each<[string, unknown]>([
    ['empty', ''],
    ['null', null],
    ['the word null', 'null'],
    ['missing', undefined],
    ['an object instead of text', {}],
  ])('tool arguments that are %s count as none', async (_what, given) => {
    kit.script(calling([{ name: 'vault_list', arguments: given }]), reply.text('Listed.'));
    const told = await kit.ask(user);

    expect(told.of('ToolResultChunk')).toMatchObject([{ name: 'vault_list', ok: true }]);
    expect(told.of('ToolCallChunk').every((call) => JSON.stringify(call.arguments) === '{}')).toBe(true);
    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'Listed.' });
  });

  it('bad JSON, an unknown tool and wrong arguments are told to the model, and their sibling runs', async () => {
    const script = kit.script(
      calling([
        { id: 'a', name: 'vault_search', arguments: '{"query": ' },
        { id: 'b', name: 'vault_serch', arguments: { query: 'welcome' } },
        { id: 'c', name: 'vault_search', arguments: { query: 7 } },
        { id: 'd', name: 'vault_search', arguments: { query: 'welcome' } },
      ]),
      reply.text('One of four.'),
    );
    const told = await kit.ask(user);
    const answers = script.requests()[1]?.body.messages.filter(({ role }) => role === 'tool');

    expect(told.of('ToolResultChunk').map(({ callId, ok }) => [callId, ok])).toEqual([
      ['a', false],
      ['b', false],
      ['c', false],
      ['d', true],
    ]);
    expect(answers?.[0]?.content).toMatch(/not valid JSON/);
    expect(answers?.[1]?.content).toMatch(/no tool called "vault_serch".*Did you mean vault_search\?/);
    expect(answers?.[2]?.content).toMatch(/"query" must be a text/);
    expect(told.reason).toBe('COMPLETED');
  });

  it('repeated and empty tool ids become ids of their own, in the stream and in the next request', async () => {
    const queries = ['one', 'two', 'three', 'four'];
    const ids = ['same', 'same', '', null];
    const calls = queries.map((query, index) => ({
      id: ids[index] ?? null,
      name: 'vault_search',
      arguments: { query },
    }));
    const script = kit.script(
      calling(calls),
      calling([{ id: 'same', name: 'vault_list', arguments: {} }]),
      reply.text('Well.'),
    );
    const told = await kit.ask(user);
    const results = told.of('ToolResultChunk').map(({ callId }) => callId);
    const messages = script.requests()[2]?.body.messages ?? [];
    const called = messages.flatMap((message) => (message.tool_calls ?? []) as readonly { readonly id: string }[]);

    expect(results).toHaveLength(5);
    expect(new Set(results).size).toBe(5);
    expect(results.every((id) => id !== '')).toBe(true);
    expect(called.map(({ id }) => id)).toEqual(results);
    expect(messages.filter(({ role }) => role === 'tool').map((message) => message.tool_call_id)).toEqual(results);
  });

  it('an argument of 5 MB ends the run at its budget, is not kept, and the next question works', async () => {
    const huge = JSON.stringify({ path: 'huge.md', body: 'word '.repeat(1_048_576) });
    const pieces = huge.match(/.{1,65536}/gs) ?? [];
    const deltas = pieces.map((piece, index) =>
      index === 0
        ? step.toolCall({ name: 'vault_write', arguments: piece })
        : step.delta({ tool_calls: [{ index: 0, function: { arguments: piece } }] }),
    );
    kit.script(reply.stream([...deltas, ...closing('tool_calls')]));
    const told = await kit.ask(user);

    expect(huge.length).toBeGreaterThan(5 * 1024 * 1024);
    expect(told).toMatchObject({ reason: 'TOKEN_BUDGET' });
    expect(told.of('ToolCallChunk')).toEqual([]);
    expect(JSON.stringify(told.chunks).length).toBeLessThan(20_000);
    await expectToGoOn(kit, user, told);
  });

  it('an argument that is too long to be used is refused, and the model is told why', async () => {
    const long = JSON.stringify({ path: 'long.md', body: 'x'.repeat(1_000_000) });
    const script = kit.script(calling([{ name: 'vault_write', arguments: long }]), reply.text('Shorter, then.'));
    const told = await kit.ask(user, { config: { tokenBudget: 200_000 } });

    expect(told.of('ToolResultChunk')).toMatchObject([{ ok: false, error: expect.stringContaining('too long') }]);
    expect(script.requests()[1]?.body.messages.at(-1)?.content).toContain('too long');
    expect(JSON.stringify(told.chunks).length).toBeLessThan(20_000);
    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'Shorter, then.' });
  });

  it('arguments nested too deep are refused, and the model is told what is wrong with them', async () => {
    const deep = `{"query": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    const script = kit.script(calling([{ name: 'vault_search', arguments: deep }]), reply.text('Flat, then.'));
    const told = await kit.ask(user);

    expect(told.of('ToolResultChunk')).toMatchObject([{ ok: false, error: expect.stringContaining('nested') }]);
    expect(script.requests()[1]?.body.messages.at(-1)?.content).toContain('nested');
    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'Flat, then.' });
  });

  it('text cut in the middle of a character arrives whole', async () => {
    const bytes = new TextEncoder().encode(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Grüße 😀 aus 東京' }, finish_reason: null }] })}\n\n`,
    );
    const single = Array.from(bytes, (byte) => step.raw(Uint8Array.of(byte)));
    kit.script(reply.stream([...single, ...closing('stop')]));

    expect(await kit.ask(user)).toMatchObject({ reason: 'COMPLETED', text: 'Grüße 😀 aus 東京' });
  });

  it('a surrogate pair cut between two deltas arrives whole, half of one is mended, NUL is left out', async () => {
    const [high = '', low = ''] = '😀'.split('');
    kit.script(reply.text([`A ${high}`, `${low} B${String.fromCharCode(0)} `, `C ${high}`, ' D']));
    const told = await kit.ask(user);

    expect(told.reason).toBe('COMPLETED');
    expect(told.text).toBe('A 😀 B C \ufffd D');
  });
});
