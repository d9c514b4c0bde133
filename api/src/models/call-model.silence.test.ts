import { describe, expect, it } from 'vitest';
import { reply, type Step, step } from '../../test/kit/model-replies.ts';
import { createGate } from '../../test/kit/model-server.ts';
import { callModel } from './call-model.ts';
import { streamingModel } from './streaming-model.ts';
import { request, useAsking } from './test/asking.ts';

const asking = useAsking();
const hello = step.text('Hello');

describe('a provider that hangs', () => {
  it.each<[string, readonly Step[], string]>([
    ['before the headers', reply.hang(), 'did not begin'],
    ['before the first chunk', reply.stream([step.hang()]), 'did not begin'],
    ['behind keep-alives', reply.stream([step.raw(': still here\n\n'), step.hang()]), 'did not begin'],
  ])('%s is left after the first-chunk time', async (_when, script, words) => {
    asking.server.script(script);

    const { failure } = await asking.ask({ firstChunkTimeoutMs: 30 });

    expect(failure).toMatchObject({ code: 'TIMEOUT', retryable: true, message: expect.stringContaining(words) });
  });

  it('in the middle is left after the idle time, with its text kept', async () => {
    asking.server.script(reply.stream([hello, step.hang()]));

    const { text, failure } = await asking.ask({ idleTimeoutMs: 30 });

    expect(text).toBe('Hello');
    expect(failure).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('in the middle') });
  });

  it('is left at the deadline, before its own limits', async () => {
    asking.server.script(reply.stream([hello, step.hang()]));

    const { failure } = await asking.ask({ deadline: performance.now() + 60 });

    expect(failure).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('ran out') });
  });

  it.each<[string, readonly Step[]]>([
    ['before the headers', reply.hang()],
    ['before the first chunk', reply.stream([step.hang()])],
    ['in the middle', reply.stream([hello, step.hang()])],
  ])('%s is left at once when the run is stopped', async (_when, script) => {
    const controller = new AbortController();
    asking.server.script(script);
    const heard = asking.ask({ signal: controller.signal });
    const { closed } = await asking.server.request(1);

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

    const { events, failure } = await asking.ask({ signal: controller.signal }, deaf);

    expect([events, failure]).toEqual([[], undefined]);
  });

  it('is let go when the listener leaves', async () => {
    asking.server.script(reply.stream([hello, step.hang()]));

    await callModel(asking.model, request(), () => false);

    await (await asking.server.request(1)).closed;
  });

  it('is let go when the listener fails, whose failure is its own', async () => {
    asking.server.script(reply.stream([hello, step.hang()]));

    const told = callModel(asking.model, request(), () => {
      throw new Error('My own fault.');
    });

    await expect(told).rejects.toThrow('My own fault.');
    await (await asking.server.request(1)).closed;
    expect(asking.server.requests).toHaveLength(1);
  });

  it('is told to stop even while whoever listens is busy', async () => {
    const controller = new AbortController();
    asking.server.script(reply.stream([hello, step.hang()]));
    const heard = createGate();
    const told = callModel(asking.model, request({ signal: controller.signal }), () => {
      heard.open();
      return new Promise(() => undefined);
    });
    await heard.opened;

    controller.abort();

    await (await asking.server.request(1)).closed;
    await told;
  });

  it('has its stream closed when it ignores the signal', async () => {
    const gate = createGate();
    const deaf = streamingModel('test', 'deaf', async () => {
      const deltas = { type: 'text-delta', id: 'a', delta: 'Hello' } as const;
      return new ReadableStream({ pull: (controller) => controller.enqueue(deltas), cancel: gate.open });
    });

    await callModel(deaf, request(), () => false);

    await gate.opened;
  });

  it('is not even asked when the run was stopped before', async () => {
    const { events, failure } = await asking.ask({ signal: AbortSignal.abort() });

    expect([events, failure, asking.server.requests]).toEqual([[], undefined, []]);
  });
});
