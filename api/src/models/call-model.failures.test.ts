import { describe, expect, it } from 'vitest';
import { closing, reply, type Step, step } from '../../test/kit/model-replies.ts';
import { key, question, useAsking } from './test/asking.ts';

const asking = useAsking();
const hello = step.text('Hello');
const overloaded = step.error({ code: 502, message: 'Overloaded' });

describe('a provider that fails before the first token', () => {
  it.each<[string, readonly Step[]]>([
    ['limits requests', reply.error(429, { headers: { 'retry-after': '0' } })],
    ['is broken', reply.error(500)],
    ['is overloaded', reply.error(529)],
    ['drops the connection', reply.break()],
    ['drops it after the headers', reply.stream([step.break()])],
    ['reports overload inside a 200', reply.stream([overloaded, ...closing('stop')])],
  ])('and %s is asked again, unheard', async (_what, first) => {
    asking.server.script(first, first, reply.text('At last'));

    const { events, text, failure } = await asking.ask();

    expect(failure).toBeUndefined();
    expect(text).toBe('At last');
    expect(events.map(({ type }) => type)).toEqual(['text-delta', 'usage', 'finish']);
    expect(asking.server.requests).toHaveLength(3);
  });

  it('is given up after four tries', async () => {
    asking.server.otherwise(reply.error(503));

    const { failure } = await asking.ask();

    expect(failure).toMatchObject({ code: 'UNAVAILABLE', retryable: true });
    expect(failure?.message).toContain('4 times');
    expect(asking.server.requests).toHaveLength(4);
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
    asking.server.script(reply.error(status, options));

    const { failure } = await asking.ask();

    expect(failure).toMatchObject({ name: 'ModelFailure', code, retryable });
    expect(asking.server.requests).toHaveLength(1);
  });

  it('is not asked before the time it named, nor after the deadline', async () => {
    asking.server.script(reply.error(429, { headers: { 'retry-after': '3600' } }));

    const { failure } = await asking.ask({ deadline: performance.now() + 1_000 });

    expect(failure).toMatchObject({ code: 'TIMEOUT' });
    expect(failure?.message).toContain('limiting requests');
    expect(asking.server.requests).toHaveLength(1);
  });

  it('can be left while waiting to ask again', async () => {
    const controller = new AbortController();
    asking.server.script((received) => {
      void received.closed.then(() => controller.abort());
      return reply.error(429, { headers: { 'retry-after': '3600' } });
    });

    const { events, failure } = await asking.ask({ signal: controller.signal });

    expect([events, failure]).toEqual([[], undefined]);
  });

  it('never shows the key or the prompt in its message', async () => {
    asking.server.script(
      reply.error(400, { message: `Bad request with key ${key} and token Bearer abcdef` }),
      reply.error(422, { message: `I cannot answer "${question}"` }),
      reply.error(422, { message: 'The parameter top_k is unknown' }),
    );

    const messages = [await asking.ask(), await asking.ask(), await asking.ask()].map(
      ({ failure }) => failure?.message ?? '',
    );

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
    asking.server.script(reply.stream(steps));

    const { events, failure } = await asking.ask();

    expect(events).toEqual([{ type: 'text-delta', text: 'Hello' }]);
    expect(failure).toMatchObject({ code });
    expect(asking.server.requests).toHaveLength(1);
  });

  it('does not lose the usage that comes with the error', async () => {
    const usage = { input: 30, output: 4 };
    asking.server.script(reply.stream([hello, step.error({ message: 'No more' }), step.usage(usage), step.done()]));

    const { events, failure } = await asking.ask();

    expect(events.at(-1)).toMatchObject({ type: 'usage', usage: { inputTokens: 30, outputTokens: 4 } });
    expect(failure?.message).toContain('No more');
  });

  it('makes no calls of half a reply', async () => {
    const call = { name: 'vault_write', arguments: { path: 'a.md', body: 'half' } };
    asking.server.script(reply.stream([step.toolCall(call), step.break()]));

    expect((await asking.ask()).calls).toEqual([]);
  });

  it.each([
    ['an empty body', reply.stream([])],
    ['a page instead of events', reply.stream([step.raw('<html><body>Welcome</body></html>')])],
  ])('is told apart from silence: %s', async (_what, script) => {
    asking.server.script(script);

    expect((await asking.ask()).failure).toMatchObject({ code: 'BAD_RESPONSE' });
  });
});
