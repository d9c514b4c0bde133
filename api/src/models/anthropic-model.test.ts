import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reply, type Step, step } from '../../test/kit/model-replies.ts';
import { type ModelServer, startModelServer } from '../../test/kit/model-server.ts';
import { Adaptations } from './adaptations.ts';
import { createAnthropicModel } from './anthropic-model.ts';
import { callModel } from './call-model.ts';
import type { ModelEvent, ModelMessage, ModelRequest } from './model-port.ts';
import { usualRetries } from './retry-after.ts';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.stop());

const asked: ModelMessage = { role: 'user', text: 'What is here?' };
const tools = [{ name: 'vault_list', description: 'List notes.', inputSchema: { type: 'object' } }];

async function ask(
  overrides: Partial<ModelRequest> = {},
  model = createAnthropicModel({ apiKey: 'a-key', baseURL: server.url }, 'claude-sonnet-4-5'),
): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  const request = { messages: [asked], tools, maxOutputTokens: 5_000, thinking: true };
  const limits = { signal: new AbortController().signal, deadline: performance.now() + 30_000 };
  const retries = { ...usualRetries, firstDelayMs: 1 };
  await callModel(model, { ...request, ...limits, ...overrides }, (event) => void events.push(event), retries);
  return events;
}

function event(payload: { readonly type: string; readonly [field: string]: unknown }): Step {
  return step.raw(`event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`);
}

const started = event({
  type: 'message_start',
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [],
    model: 'c',
    usage: { input_tokens: 9, output_tokens: 1 },
  },
});
const block = (index: number, begin: object, ...deltas: readonly object[]): readonly Step[] => [
  event({ type: 'content_block_start', index, content_block: begin }),
  ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
  event({ type: 'content_block_stop', index }),
];
const ended = [
  event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 40 } }),
  event({ type: 'message_stop' }),
];
const thinkingAndCalling = reply.stream([
  started,
  ...block(
    0,
    { type: 'thinking', thinking: '' },
    { type: 'thinking_delta', thinking: 'I should look.' },
    { type: 'signature_delta', signature: 'signed' },
  ),
  ...block(
    1,
    { type: 'tool_use', id: 't', name: 'vault_list', input: {} },
    { type: 'input_json_delta', partial_json: '{}' },
  ),
  ...ended,
]);

describe('a model of Anthropic', () => {
  it('thinks, calls and reports within the cap', async () => {
    server.script(thinkingAndCalling);

    const events = await ask();

    expect(events.filter(({ type }) => type !== 'arguments-delta')).toMatchObject([
      { type: 'reasoning-delta', text: 'I should look.' },
      { type: 'tool-call', callId: 't', name: 'vault_list', arguments: {} },
      { type: 'usage', usage: { inputTokens: 9, outputTokens: 40 } },
      { type: 'finish', kind: 'tool-calls' },
    ]);
    const { body } = await server.request(1);
    expect(body.max_tokens).toBe(5_000);
    expect(body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2_500 } });
  });

  it('sees its signed thinking again, and its tools also when none may be called', async () => {
    server.script(thinkingAndCalling, thinkingAndCalling);
    const finish = (await ask()).find((event) => event.type === 'finish');
    const call = { callId: 'functions:0', name: 'vault_list', arguments: {} };
    const result = { callId: call.callId, name: call.name, ok: true, text: '{}' };
    const continuation = finish?.continuation;

    await ask({
      tools: [],
      messages: [
        asked,
        { role: 'assistant', text: '', toolCalls: [call], ...(continuation === undefined ? {} : { continuation }) },
        { role: 'tool', results: [result] },
      ],
    });

    const { body } = await server.request(2);
    expect(body.messages[1]?.content).toEqual([
      { type: 'thinking', thinking: 'I should look.', signature: 'signed' },
      { type: 'tool_use', id: 'functions_0', name: 'vault_list', input: {} },
    ]);
    expect(body.messages[2]?.content).toMatchObject([{ type: 'tool_result', tool_use_id: 'functions_0' }]);
    expect(body).toMatchObject({ tool_choice: { type: 'none' }, tools: [{ name: 'vault_list' }] });
  });

  it('does not think when there is no room for it', async () => {
    server.script(thinkingAndCalling);

    await ask({ maxOutputTokens: 1_000 });

    const { body } = await server.request(1);
    expect(body).toMatchObject({ max_tokens: 1_000, thinking: { type: 'disabled' } });
  });

  it('is asked again when it is overloaded, also inside a 200', async () => {
    const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    server.script(reply.json(overloaded, 529), reply.stream([event(overloaded)]), thinkingAndCalling);

    expect((await ask()).at(-1)).toMatchObject({ type: 'finish' });
  });

  it('fails when it breaks off', async () => {
    server.script(
      reply.stream([started, ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Half' })]),
    );

    await expect(ask()).rejects.toMatchObject({ name: 'ModelFailure', code: 'UNAVAILABLE' });
  });

  it('refuses a wrong key without showing it', async () => {
    const body = { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key a-key' } };
    server.script(reply.json(body, 401));

    await expect(ask()).rejects.toMatchObject({ code: 'UNAUTHORISED', message: expect.not.stringContaining('a-key') });
  });

  it('that cannot think is asked again without, and that is remembered', async () => {
    const refusal = { type: 'error', error: { type: 'invalid_request_error', message: 'thinking is not supported' } };
    const adaptations = new Adaptations();
    server.script(reply.json(refusal, 400));
    server.otherwise(thinkingAndCalling);
    const model = createAnthropicModel({ apiKey: 'a-key', baseURL: server.url, adaptations }, 'claude-sonnet-4-5');
    for (let times = 0; times < 2; times++) await ask({}, model);

    expect(server.requests.map(({ body }) => (body.thinking as { type?: string } | undefined)?.type)).toEqual([
      'enabled',
      undefined,
      undefined,
    ]);
  });
});
