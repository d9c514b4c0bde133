import { describe, expect, it } from 'vitest';
import { closing, reply, type Step, step } from '../../test/kit/model-replies.ts';
import { createGate } from '../../test/kit/model-server.ts';
import { callModel } from './call-model.ts';
import { key, question, request, useAsking } from './test/asking.ts';

const asking = useAsking();
const hello = step.text('Hello');

describe('a reply', () => {
  it('comes as deltas, calls, usage and an end', async () => {
    asking.server.script(
      reply.stream([
        step.reasoning('Hm. '),
        step.text('Let me '),
        step.text('look.'),
        step.toolCall({ id: 'a', name: 'vault_search', arguments: { query: 'harbour' } }),
        ...closing('tool_calls', { usage: { input: 12, output: 7, cached: 5, reasoning: 2 } }),
      ]),
    );

    const { events, failure } = await asking.ask();

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
    asking.server.script(reply.text('Hi'));
    const inputSchema = { type: 'object', properties: { query: { type: 'string' } } };

    await asking.ask({
      tools: [{ name: 'vault_search', description: 'Find notes.', inputSchema }],
      maxOutputTokens: 321,
    });

    const { body, headers } = await asking.server.request(1);
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
    asking.server.script(reply.stream(steps));

    const { text, finish, failure } = await asking.ask();

    expect([text, finish?.reason, finish?.kind, failure]).toEqual(['Hello', reason, kind, undefined]);
  });

  it('may have no usage', async () => {
    asking.server.script(reply.text('Hello', { usage: 'none' }));

    const { events } = await asking.ask();

    expect(events.map(({ type }) => type)).toEqual(['text-delta', 'finish']);
  });

  it('keeps its usage when an empty report follows', async () => {
    asking.server.script(
      reply.stream([hello, step.usage({ input: 3, output: 2 }), step.event({ usage: null }), step.done()]),
    );

    expect((await asking.ask()).events).toContainEqual(expect.objectContaining({ type: 'usage' }));
  });

  it('ends after its finish reason, although the server stays on the line', async () => {
    asking.server.script(reply.stream([hello, step.finish('stop'), step.hang()]));

    const { finish } = await asking.ask();

    expect(finish?.reason).toBe('stop');
  });

  it('may come whole instead of streamed', async () => {
    asking.server.script(reply.json({ choices: [{ message: { content: 'All at once.' }, finish_reason: 'stop' }] }));

    expect(await asking.ask()).toMatchObject({ text: 'All at once.', finish: { reason: 'stop' } });
  });

  it('may split a UTF-8 character between two packets', async () => {
    const bytes = Buffer.from(`data: ${JSON.stringify({ choices: [{ delta: { content: 'é 😊' } }] })}\n\n`);
    const gate = createGate();
    const middle = bytes.indexOf(0xf0) + 2;
    asking.server.script(
      reply.stream([
        hello,
        step.raw(bytes.subarray(0, middle)),
        step.wait(gate.opened),
        step.raw(bytes.subarray(middle)),
        ...closing('stop'),
      ]),
    );
    let text = '';

    await callModel(asking.model, request(), (event) => {
      if (event.type === 'text-delta') text += event.text;
      gate.open(); // the first delta is here, so the first half was sent
      return undefined;
    });

    expect(text).toBe('Helloé 😊');
  });

  it('is over when whoever hears it is done with its last word', async () => {
    asking.server.script(reply.text(['Hello']));
    const gate = createGate();
    const steps: string[] = [];

    const told = callModel(asking.model, request(), (event) => {
      if (event.type !== 'finish') return undefined;
      steps.push('heard');
      setImmediate(() => {
        steps.push('done');
        gate.open();
      });
      return gate.opened;
    }).then(() => steps.push('over'));
    await told;

    expect(steps).toEqual(['heard', 'done', 'over']);
  });

  it('has neither NUL nor half characters, but joins a character split between deltas', async () => {
    asking.server.script(reply.text(['a\0b', 'x\ud83d', '\ude0ay', 'lone \ud83d', ' and \ude0a', 'end\ud83d']));

    const { text } = await asking.ask();

    expect(text).toBe('abx😊ylone \ufffd and \ufffdend\ufffd');
  });
});
