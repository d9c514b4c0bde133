import type { LanguageModelV4 } from '@ai-sdk/provider';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closing, reply, type Step, step } from '../../test/kit/model-replies.ts';
import { createGate, type ModelServer, startModelServer } from '../../test/kit/model-server.ts';
import { callModel } from './call-model.ts';
import type { ModelEvent, ModelFailure, ModelMessage, ModelRequest } from './model-port.ts';
import { createChatCompletionsModel } from './openai/chat-completions-model.ts';
import { usualRetries } from './retry-after.ts';
import { streamingModel } from './streaming-model.ts';

const key = 'sk-the-secret-key-of-this-test';
const question = 'Which harbour did the expedition leave from?';
const retries = { ...usualRetries, firstDelayMs: 1 };

let server: ModelServer;
let model: LanguageModelV4;
beforeEach(async () => {
  server = await startModelServer();
  model = createChatCompletionsModel({ provider: 'test', baseUrl: server.url, apiKey: key }, 'some-model');
});
afterEach(() => server.stop());

function request(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [{ role: 'user', text: question }],
    tools: [],
    maxOutputTokens: 500,
    thinking: false,
    signal: new AbortController().signal,
    deadline: performance.now() + 30_000,
    ...overrides,
  };
}

interface Heard {
  readonly events: readonly ModelEvent[];
  readonly text: string;
  readonly calls: readonly Extract<ModelEvent, { type: 'tool-call' }>[];
  readonly finish: Extract<ModelEvent, { type: 'finish' }> | undefined;
  readonly failure: ModelFailure | undefined;
}

async function ask(overrides: Partial<ModelRequest> = {}, asked = model): Promise<Heard> {
  const events: ModelEvent[] = [];
  let failure: ModelFailure | undefined;
  try {
    for await (const event of callModel(asked, request(overrides), retries)) events.push(event);
  } catch (error) {
    failure = error as ModelFailure;
  }
  return {
    events,
    text: events.map((event) => (event.type === 'text-delta' ? event.text : '')).join(''),
    calls: events.filter((event) => event.type === 'tool-call'),
    finish: events.find((event) => event.type === 'finish'),
    failure,
  };
}

const hello = step.text('Hello');
const overloaded = step.error({ code: 502, message: 'Overloaded' });

describe('a reply', () => {
  it('comes as deltas, calls, usage and an end', async () => {
    server.script(
      reply.stream([
        step.reasoning('Hm. '),
        step.text('Let me '),
        step.text('look.'),
        step.toolCall({ id: 'a', name: 'vault_search', arguments: { query: 'harbour' } }),
        ...closing('tool_calls', { usage: { input: 12, output: 7, cached: 5, reasoning: 2 } }),
      ]),
    );

    const { events, failure } = await ask();

    expect(failure).toBeUndefined();
    expect(events).toEqual([
      { type: 'reasoning-delta', text: 'Hm. ' },
      { type: 'text-delta', text: 'Let me ' },
      { type: 'text-delta', text: 'look.' },
      { type: 'arguments-delta', text: '{"query":"harbour"}' },
      {
        type: 'tool-call',
        callId: 'a',
        name: 'vault_search',
        argumentsText: '{"query":"harbour"}',
        arguments: { query: 'harbour' },
      },
      {
        type: 'usage',
        usage: { inputTokens: 12, cachedInputTokens: 5, outputTokens: 7, reasoningTokens: 2, estimated: false },
      },
      expect.objectContaining({ type: 'finish', reason: 'tool_calls', kind: 'tool-calls' }),
    ]);
  });

  it('is asked for with the cap, the tools and the key', async () => {
    server.script(reply.text('Hi'));
    const inputSchema = { type: 'object', properties: { query: { type: 'string' } } };

    await ask({ tools: [{ name: 'vault_search', description: 'Find notes.', inputSchema }], maxOutputTokens: 321 });

    const { body, headers } = await server.request(1);
    expect(headers.authorization).toBe(`Bearer ${key}`);
    expect(body).toEqual({
      model: 'some-model',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 321,
      tool_choice: 'auto',
      messages: [{ role: 'user', content: question }],
      tools: [
        { type: 'function', function: { name: 'vault_search', description: 'Find notes.', parameters: inputSchema } },
      ],
    });
  });

  it.each<[string, readonly Step[], string | undefined, string]>([
    ['no finish reason', [hello, ...closing('stop', { finish: null })], undefined, 'other'],
    ['two finish reasons', [hello, step.finish('length'), ...closing('stop')], 'length', 'length'],
    ['a finish reason taken back', [hello, step.finish('stop'), step.finish(null), step.done()], 'stop', 'stop'],
    ['a finish reason of its own', [hello, ...closing('eos')], 'eos', 'stop'],
    ['no end marker', [hello, step.finish('stop')], 'stop', 'stop'],
    ['no end at all', [hello], undefined, 'other'],
  ])('may have %s', async (_what, steps, reason, kind) => {
    server.script(reply.stream(steps));

    const { text, finish, failure } = await ask();

    expect([text, finish?.reason, finish?.kind, failure]).toEqual(['Hello', reason, kind, undefined]);
  });

  it('may have no usage', async () => {
    server.script(reply.text('Hello', { usage: 'none' }));

    const { events } = await ask();

    expect(events.map(({ type }) => type)).toEqual(['text-delta', 'finish']);
  });

  it('keeps its usage when an empty report follows', async () => {
    server.script(reply.stream([hello, step.usage({ input: 3, output: 2 }), step.event({ usage: null }), step.done()]));

    expect((await ask()).events).toContainEqual(expect.objectContaining({ type: 'usage' }));
  });

  it('ends after its finish reason, although the server stays on the line', async () => {
    server.script(reply.stream([hello, step.finish('stop'), step.hang()]));

    const { finish } = await ask();

    expect(finish?.reason).toBe('stop');
  });

  it('may come whole instead of streamed', async () => {
    server.script(reply.json({ choices: [{ message: { content: 'All at once.' }, finish_reason: 'stop' }] }));

    expect(await ask()).toMatchObject({ text: 'All at once.', finish: { reason: 'stop' } });
  });

  it('may split a UTF-8 character between two packets', async () => {
    const bytes = Buffer.from(`data: ${JSON.stringify({ choices: [{ delta: { content: 'é 😊' } }] })}\n\n`);
    const gate = createGate();
    const middle = bytes.indexOf(0xf0) + 2;
    server.script(
      reply.stream([
        hello,
        step.raw(bytes.subarray(0, middle)),
        step.wait(gate.opened),
        step.raw(bytes.subarray(middle)),
        ...closing('stop'),
      ]),
    );
    let text = '';

    for await (const event of callModel(model, request())) {
      if (event.type === 'text-delta') text += event.text;
      gate.open(); // the first delta is here, so the first half was sent
    }

    expect(text).toBe('Helloé 😊');
  });

  it('has neither NUL nor half characters, but joins a character split between deltas', async () => {
    server.script(reply.text(['a\0b', 'x\ud83d', '\ude0ay', 'lone \ud83d', ' and \ude0a', 'end\ud83d']));

    const { text } = await ask();

    expect(text).toBe('abx😊ylone \ufffd and \ufffdend\ufffd');
  });
});

describe('a tool call', () => {
  it.each([
    ['empty', ''],
    ['null', null],
    ['missing', undefined],
    ['the word null', 'null'],
    ['blank', '  '],
  ])('with %s arguments has none', async (_what, given) => {
    server.script(reply.toolCalls([{ name: 'vault_list', arguments: given }]));

    expect((await ask()).calls).toMatchObject([{ name: 'vault_list', arguments: {} }]);
  });

  it('with broken JSON says so, and its siblings stand', async () => {
    server.script(
      reply.toolCalls([
        { name: 'vault_read', arguments: '{"path": ' },
        { name: 'vault_list', arguments: {} },
      ]),
    );

    const { calls } = await ask();

    expect(calls[0]).not.toHaveProperty('arguments');
    expect(calls[0]).toMatchObject({ argumentsText: '{"path": ', problem: expect.stringContaining('not valid JSON') });
    expect(calls[1]).toMatchObject({ arguments: {} });
  });

  it('of 5 MB is refused with a reason', async () => {
    server.script(reply.toolCalls([{ name: 'vault_write', arguments: { body: 'x'.repeat(5_000_000) } }]));

    const { calls } = await ask();

    expect(calls[0]?.problem).toContain('too long');
    expect(calls[0]?.argumentsText.length).toBeLessThan(1_000);
    expect(calls[0]).not.toHaveProperty('arguments');
  });

  it('that never ends is not kept whole', async () => {
    const piece = step.delta({
      tool_calls: [{ index: 0, function: { name: 'vault_write', arguments: 'x'.repeat(100_000) } }],
    });
    server.script(reply.stream([...Array(30).fill(piece), ...closing('tool_calls')]));

    const { events, calls } = await ask();
    const kept = events.reduce((sum, event) => sum + (event.type === 'arguments-delta' ? event.text.length : 0), 0);

    expect(kept).toBeLessThanOrEqual(1_100_000);
    expect(calls).toMatchObject([{ problem: expect.stringContaining('too long') }]);
  });

  it('gets an id of its own when the provider repeats one or leaves it empty', async () => {
    const messages: readonly ModelMessage[] = [
      { role: 'user', text: question },
      { role: 'assistant', text: '', toolCalls: [{ callId: '0', name: 'vault_list', arguments: {} }] },
      { role: 'tool', results: [{ callId: '0', name: 'vault_list', ok: true, text: '{}' }] },
    ];
    const ids = ['0', '', null, 'new', 'new'];
    server.otherwise(
      reply.toolCalls(ids.map((id, index) => ({ id, name: 'vault_read', arguments: { path: `${index}` } }))),
    );

    const callIds = (await ask({ messages })).calls.map(({ callId }) => callId);
    const again = (await ask({ messages })).calls.map(({ callId }) => callId);

    expect(callIds).toEqual(['call_2_1', 'call_2_2', 'call_2_3', 'new', 'call_2_5']);
    expect(again).toEqual(callIds);
  });

  it.each(['', '   '])('without a name (“%s”) gets one that nobody has', async (name) => {
    server.script(reply.toolCalls([{ name, arguments: {} }]));

    expect((await ask()).calls).toMatchObject([{ name: 'unnamed_tool' }]);
  });

  it('counts whatever the finish reason says', async () => {
    server.script(reply.toolCalls([{ name: 'vault_list' }], { finish: 'stop' }));

    expect((await ask()).calls).toHaveLength(1);
  });

  it.each<[string, readonly Step[]]>([
    [
      'under one index',
      [
        step.delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '{"n":1}' } }] }),
        step.delta({ tool_calls: [{ index: 0, id: 'b', function: { name: 'two', arguments: '{"n":2}' } }] }),
      ],
    ],
    [
      'without index and id',
      [
        step.delta({ tool_calls: [{ function: { name: 'one', arguments: '{"n":1}' } }] }),
        step.delta({ tool_calls: [{ function: { name: 'two', arguments: { n: 2 } } }] }),
      ],
    ],
    [
      'piece by piece, in turn',
      [
        step.delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '{"n"' } }] }),
        step.delta({ tool_calls: [{ index: 1, id: 'b', function: { name: 'two', arguments: '{"n"' } }] }),
        step.delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: ':1}' } }] }),
        step.delta({ tool_calls: [{ index: 1, function: { name: '', arguments: ':2}' } }] }),
      ],
    ],
    [
      'under one index, named before they are filled',
      [
        step.delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '' } }] }),
        step.delta({ tool_calls: [{ index: 0, id: 'b', function: { name: 'two', arguments: '' } }] }),
        step.delta({ tool_calls: [{ index: 0, id: 'a', function: { arguments: '{"n":1}' } }] }),
        step.delta({ tool_calls: [{ index: 0, id: 'b', function: { arguments: '{"n":2}' } }] }),
      ],
    ],
  ])('is told from its sibling when they come %s', async (_how, steps) => {
    server.script(reply.stream([...steps, ...closing('tool_calls')]));

    expect((await ask()).calls).toMatchObject([
      { name: 'one', arguments: { n: 1 } },
      { name: 'two', arguments: { n: 2 } },
    ]);
  });
});

describe('a provider that fails before the first token', () => {
  it.each<[string, readonly Step[]]>([
    ['limits requests', reply.error(429, { headers: { 'retry-after': '0' } })],
    ['is broken', reply.error(500)],
    ['is overloaded', reply.error(529)],
    ['drops the connection', reply.break()],
    ['drops it after the headers', reply.stream([step.break()])],
    ['reports overload inside a 200', reply.stream([overloaded, ...closing('stop')])],
  ])('and %s is asked again, unheard', async (_what, first) => {
    server.script(first, first, reply.text('At last'));

    const { events, text, failure } = await ask();

    expect(failure).toBeUndefined();
    expect(text).toBe('At last');
    expect(events.map(({ type }) => type)).toEqual(['text-delta', 'usage', 'finish']);
    expect(server.requests).toHaveLength(3);
  });

  it('is given up after four tries', async () => {
    server.otherwise(reply.error(503));

    const { failure } = await ask();

    expect(failure).toMatchObject({ code: 'UNAVAILABLE', retryable: true });
    expect(failure?.message).toContain('4 times');
    expect(server.requests).toHaveLength(4);
  });

  it.each<[number, string, boolean, { code?: string; message?: string }]>([
    [401, 'UNAUTHORISED', false, {}],
    [403, 'UNAUTHORISED', false, {}],
    [404, 'MODEL_ERROR', false, {}],
    [400, 'MODEL_ERROR', false, {}],
    [400, 'CONTEXT_TOO_LONG', false, { code: 'context_length_exceeded' }],
    [413, 'CONTEXT_TOO_LONG', false, {}],
    [429, 'RATE_LIMITED', false, { code: 'insufficient_quota' }],
  ])('with %i (%s) is not asked again', async (status, code, retryable, options) => {
    server.script(reply.error(status, options));

    const { failure } = await ask();

    expect(failure).toMatchObject({ name: 'ModelFailure', code, retryable });
    expect(server.requests).toHaveLength(1);
  });

  it('is not asked before the time it named, nor after the deadline', async () => {
    server.script(reply.error(429, { headers: { 'retry-after': '3600' } }));

    const { failure } = await ask({ deadline: performance.now() + 40 });

    expect(failure).toMatchObject({ code: 'TIMEOUT' });
    expect(failure?.message).toContain('limiting requests');
    expect(server.requests).toHaveLength(1);
  });

  it('can be left while waiting to ask again', async () => {
    const controller = new AbortController();
    server.script((received) => {
      void received.closed.then(() => controller.abort());
      return reply.error(429, { headers: { 'retry-after': '3600' } });
    });

    const { events, failure } = await ask({ signal: controller.signal });

    expect([events, failure]).toEqual([[], undefined]);
  });

  it('never shows the key or the prompt in its message', async () => {
    server.script(
      reply.error(400, { message: `Bad request with key ${key} and token Bearer abcdef` }),
      reply.error(422, { message: `I cannot answer "${question}"` }),
      reply.error(422, { message: 'The parameter top_k is unknown' }),
    );

    const messages = [await ask(), await ask(), await ask()].map(({ failure }) => failure?.message ?? '');

    expect(messages[0]).not.toContain(key.slice(0, 12));
    expect(messages[0]).not.toContain('abcdef');
    expect(messages[1]).not.toContain('harbour');
    expect(messages[2]).toContain('The parameter top_k is unknown');
  });
});

describe('a provider that fails in the middle', () => {
  it.each<[string, readonly Step[], string]>([
    ['drops the connection', [hello, step.break()], 'UNAVAILABLE'],
    ['sends broken JSON', [hello, step.raw('data: {"choices": [{"delta": {"con\n\n'), step.done()], 'BAD_RESPONSE'],
    ['reports an error', [hello, step.error({ code: 500, message: 'Lost my mind' }), step.done()], 'UNAVAILABLE'],
    ['ends with an error', [hello, ...closing('error', { usage: 'none' })], 'MODEL_ERROR'],
  ])('and %s keeps what was said', async (_what, steps, code) => {
    server.script(reply.stream(steps));

    const { events, failure } = await ask();

    expect(events).toEqual([{ type: 'text-delta', text: 'Hello' }]);
    expect(failure).toMatchObject({ code });
    expect(server.requests).toHaveLength(1);
  });

  it('does not lose the usage that comes with the error', async () => {
    const usage = { input: 30, output: 4 };
    server.script(reply.stream([hello, step.error({ message: 'No more' }), step.usage(usage), step.done()]));

    const { events, failure } = await ask();

    expect(events.at(-1)).toMatchObject({ type: 'usage', usage: { inputTokens: 30, outputTokens: 4 } });
    expect(failure?.message).toContain('No more');
  });

  it('makes no calls of half a reply', async () => {
    const call = { name: 'vault_write', arguments: { path: 'a.md', body: 'half' } };
    server.script(reply.stream([step.toolCall(call), step.break()]));

    expect((await ask()).calls).toEqual([]);
  });

  it.each([
    ['an empty body', reply.stream([])],
    ['a page instead of events', reply.stream([step.raw('<html><body>Welcome</body></html>')])],
  ])('is told apart from silence: %s', async (_what, script) => {
    server.script(script);

    expect((await ask()).failure).toMatchObject({ code: 'BAD_RESPONSE' });
  });
});

describe('a provider that hangs', () => {
  it.each<[string, readonly Step[], string]>([
    ['before the headers', reply.hang(), 'did not begin'],
    ['before the first chunk', reply.stream([step.hang()]), 'did not begin'],
    ['behind keep-alives', reply.stream([step.raw(': still here\n\n'), step.hang()]), 'did not begin'],
  ])('%s is left after the first-chunk time', async (_when, script, words) => {
    server.script(script);

    const { failure } = await ask({ firstChunkTimeoutMs: 30 });

    expect(failure).toMatchObject({ code: 'TIMEOUT', retryable: true, message: expect.stringContaining(words) });
    await (await server.request(1)).closed;
  });

  it('in the middle is left after the idle time, with its text kept', async () => {
    server.script(reply.stream([hello, step.hang()]));

    const { text, failure } = await ask({ idleTimeoutMs: 30 });

    expect(text).toBe('Hello');
    expect(failure).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('in the middle') });
  });

  it('is left at the deadline, before its own limits', async () => {
    server.script(reply.stream([hello, step.hang()]));

    const { failure } = await ask({ deadline: performance.now() + 60 });

    expect(failure).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('ran out') });
  });

  it.each<[string, readonly Step[]]>([
    ['before the headers', reply.hang()],
    ['before the first chunk', reply.stream([step.hang()])],
    ['in the middle', reply.stream([hello, step.hang()])],
  ])('%s is left at once when the run is stopped', async (_when, script) => {
    const controller = new AbortController();
    server.script(script);
    const heard = ask({ signal: controller.signal });
    const { closed } = await server.request(1);

    controller.abort();
    const { finish, failure } = await heard;

    expect([finish, failure]).toEqual([undefined, undefined]);
    await closed; // the abort reached the provider
  });

  it.each<[string, (stop: () => void) => Promise<ReadableStream>]>([
    ['opening', (stop) => new Promise(() => queueMicrotask(stop))],
    [
      'replying',
      async (stop) =>
        new ReadableStream({
          pull() {
            stop();
            return new Promise(() => undefined);
          },
        }),
    ],
  ])('cannot hold a stopped run by ignoring the signal while %s', async (_when, open) => {
    const controller = new AbortController();
    const deaf = streamingModel('test', 'deaf', () => open(() => controller.abort()));

    const { events, failure } = await ask({ signal: controller.signal }, deaf);

    expect([events, failure]).toEqual([[], undefined]);
  });

  it('is let go when the listener leaves', async () => {
    server.script(reply.stream([hello, step.hang()]));

    for await (const _event of callModel(model, request())) break;

    await (await server.request(1)).closed;
  });

  it('is told to stop even while nobody listens', async () => {
    const controller = new AbortController();
    server.script(reply.stream([hello, step.hang()]));
    const events = callModel(model, request({ signal: controller.signal }));
    await events.next();

    controller.abort();

    await (await server.request(1)).closed;
    expect(await events.next()).toMatchObject({ done: true });
  });

  it('has its stream closed when it ignores the signal', async () => {
    const gate = createGate();
    const deaf = streamingModel('test', 'deaf', async () => {
      const deltas = { type: 'text-delta', id: 'a', delta: 'Hello' } as const;
      return new ReadableStream({ pull: (controller) => controller.enqueue(deltas), cancel: gate.open });
    });

    for await (const _event of callModel(deaf, request())) break;

    await gate.opened;
  });

  it('is not even asked when the run was stopped before', async () => {
    const { events, failure } = await ask({ signal: AbortSignal.abort() });

    expect([events, failure, server.requests]).toEqual([[], undefined, []]);
  });
});
