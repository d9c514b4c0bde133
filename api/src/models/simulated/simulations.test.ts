import type { LanguageModelV4 } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { callSignature } from '../../agent/tool-call.ts';
import { callModel } from '../call-model.ts';
import type { ModelEvent, ModelMessage, ModelRequest } from '../model-port.ts';
import { createModels, UnknownModel } from '../model-registry.ts';
import { charactersPerToken } from '../scene.ts';
import { simulations } from './simulations.ts';

const models = createModels({}, { pace: 0 });
const tools = [{ name: 'vault_search', description: 'Find notes.', inputSchema: { type: 'object' } }];

function find(name: string): LanguageModelV4 {
  const found = models.find(name);
  if (found instanceof UnknownModel) throw new Error(found.message);
  return found;
}

interface Turn {
  readonly events: readonly ModelEvent[];
  readonly text: string;
  readonly calls: readonly Extract<ModelEvent, { type: 'tool-call' }>[];
}

async function ask(name: string, overrides: Partial<ModelRequest> = {}): Promise<Turn> {
  const request = {
    messages: [{ role: 'user', text: 'What is here?' }] as const,
    tools,
    thinking: true,
    maxOutputTokens: 30_000,
  };
  const limits = { signal: new AbortController().signal, deadline: performance.now() + 30_000 };
  const events: ModelEvent[] = [];
  await callModel(find(name), { ...request, ...limits, ...overrides }, (event) => void events.push(event));
  const text = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
  return { events, text, calls: events.filter((event) => event.type === 'tool-call') };
}

/** Plays turns with tools that always answer the same. */
async function play(name: string, turns: number, result = '{"hits":[{"path":"a.md"}]}'): Promise<readonly Turn[]> {
  const messages: ModelMessage[] = [{ role: 'user', text: 'What is here?' }];
  const played: Turn[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const { events, text, calls } = await ask(name, { messages });
    played.push({ events, text, calls });
    if (calls.length === 0) break;
    const toolCalls = calls.map(({ callId, name, arguments: given = {} }) => ({ callId, name, arguments: given }));
    messages.push({ role: 'assistant', text, toolCalls });
    messages.push({
      role: 'tool',
      results: toolCalls.map(({ callId, name }) => ({ callId, name, ok: true, text: result })),
    });
    messages.push({ role: 'user', text: '<notice>Not the question.</notice>' });
  }
  return played;
}

function signatures(turns: readonly Turn[]): readonly string[] {
  return turns.map(({ calls }) =>
    calls.map(({ name, arguments: given = null }) => callSignature({ name, arguments: given })).join(),
  );
}

describe('every simulation', () => {
  const lasting = simulations.filter(({ name }) => name !== 'simulated/failing').map(({ name }) => name);

  it.each(lasting)('%s does the same every time, reports usage and ends', async (name) => {
    const [first, second] = [await ask(name), await ask(name)];

    expect(second).toEqual(first);
    expect(first.events.at(-1)?.type).toBe('finish');
    expect(first.events.find((event) => event.type === 'usage')?.usage).toMatchObject({ estimated: false });
  });

  const forEver = ['simulated/busy', 'simulated/loop', 'simulated/alternating'];

  it.each(lasting.filter((name) => !forEver.includes(name)))(
    '%s answers without calls when tools are withheld',
    async (name) => {
      const { text, calls } = await ask(name, { tools: [] });

      expect(calls).toEqual([]);
      expect(text).not.toBe('');
    },
  );

  it.each(lasting)('%s keeps to its output cap', async (name) => {
    const { events, text } = await ask(name, { tools: [], maxOutputTokens: 16 });
    const usage = events.find((event) => event.type === 'usage')?.usage;

    expect(usage?.outputTokens).toBeLessThanOrEqual(16);
    expect(text.length).toBeLessThanOrEqual(16 * charactersPerToken);
  });
});

describe('the simulations', () => {
  it('show a long answer in several hundred pieces', async () => {
    const { events } = await ask('simulated/long');

    expect(events.filter(({ type }) => type === 'text-delta').length).toBeGreaterThan(300);
  });

  it('show a new call every turn', async () => {
    const turns = await play('simulated/busy', 8);

    expect(new Set(signatures(turns)).size).toBe(8);
  });

  it('show the same call for ever', async () => {
    const turns = await play('simulated/loop', 5);

    expect(new Set(signatures(turns)).size).toBe(1);
    expect(turns).toHaveLength(5);
  });

  it('show two calls in turn', async () => {
    const [first, second, third, fourth] = signatures(await play('simulated/alternating', 4));

    expect([third, fourth]).toEqual([first, second]);
    expect(first).not.toBe(second);
  });

  it.each(['simulated/busy', 'simulated/loop', 'simulated/alternating'])(
    'show calls even when none are offered: %s',
    async (name) => {
      expect((await ask(name, { tools: [] })).calls).toHaveLength(1);
    },
  );

  it('show more calls than anybody allows, some of them twice', async () => {
    const [first, second] = await play('simulated/fan-out', 3);

    expect(first?.calls.length).toBeGreaterThan(20);
    expect(new Set(first?.calls.map(({ argumentsText }) => argumentsText)).size).toBeLessThan(first?.calls.length ?? 0);
    expect(second?.calls).toEqual([]);
  });

  it('show a budget burning: at most five turns for the usual 50 000 tokens', async () => {
    const [turn] = await play('simulated/burn', 1);
    const last = await ask('simulated/burn', { tools: [], maxOutputTokens: 2_000 });

    expect(turn?.events.find((event) => event.type === 'usage')?.usage.outputTokens).toBeGreaterThan(10_000);
    expect(last.events.at(-1)).toMatchObject({ type: 'finish', kind: 'length' });
  });

  it('show reasoning, a search, a note and an answer that names it', async () => {
    const turns = await play('simulated/think', 5);

    expect(turns.map(({ calls }) => calls.map(({ name }) => name).join())).toEqual(['vault_search', 'vault_read', '']);
    expect(turns.every(({ events }) => events.some(({ type }) => type === 'reasoning-delta'))).toBe(true);
    expect(turns.at(-1)?.text).toContain('a.md');
  });

  it('show a failure in the middle', async () => {
    await expect(ask('simulated/failing')).rejects.toMatchObject({ name: 'ModelFailure', code: 'UNAVAILABLE' });
  });

  it('stop at once when they are stopped, however slow they are', async () => {
    const found = createModels({}, { pace: 60_000 }).find('simulated/slow');
    if (found instanceof UnknownModel) throw new Error(found.message);
    const controller = new AbortController();
    const request = {
      messages: [],
      tools: [],
      maxOutputTokens: 100,
      thinking: false,
      deadline: performance.now() + 30_000,
    };
    const events: ModelEvent[] = [];
    const told = callModel(found, { ...request, signal: controller.signal }, (event) => void events.push(event));

    controller.abort();

    await told;
    expect(events).toEqual([]);
  });
});

describe('calls written as text', () => {
  it('are made like others, and nothing of them is in the answer or the reasoning', async () => {
    const turns = await play('simulated/text-calls', 9);
    const told = turns.flatMap(({ events }) => events.filter(({ type }) => /^(text|reasoning)-delta$/.test(type)));

    expect(turns.flatMap(({ calls }) => calls.map(({ name, arguments: given }) => [name, given]))).toEqual([
      ['vault_search', { query: 'What is here?', limit: 3 }],
      ['vault_list', { folder: '' }],
      ['vault_read', { path: 'a.md' }],
      ['vault_search', { query: 'welcome', limit: 1 }],
    ]);
    expect(JSON.stringify(told)).not.toMatch(/<|DSML|vault_/);
    expect(turns[1]?.events.some(({ type }) => type === 'reasoning-delta')).toBe(true);
    expect(turns.at(-1)?.text).toContain('4 calls that were written as text');
  });
});
