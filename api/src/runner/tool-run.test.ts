import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Tool } from '../tools/tool.ts';
import { call, run, statuses } from './test/execution.ts';
import { acting, echo, hangs, source } from './test/tools.ts';
import { longestResult } from './tool-result.ts';

describe('a tool that misbehaves', () => {
  it('fails with its message and never a stack when it throws', async () => {
    const throws = acting('throws', async () => {
      throw new Error('The disk is full.');
    });
    const throwsAtOnce = acting('throws_at_once', () => {
      throw 'no error at all';
    });
    const throwsNothing = acting('throws_nothing', () => Promise.reject(undefined));

    const { answers } = await run(
      [throws, throwsAtOnce, throwsNothing],
      [call('throws'), call('throws_at_once'), call('throws_nothing')],
    );

    expect(answers.map(({ reply }) => reply)).toEqual([
      'The disk is full.',
      'no error at all',
      'It failed without saying why.',
    ]);
    expect(answers.map(({ outcome }) => outcome.status)).toEqual(['failed', 'failed', 'failed']);
  });

  it('is refused when it fails at checking the arguments, and its siblings still run', async () => {
    const broken: Tool = {
      ...echo,
      name: 'broken',
      check() {
        throw new Error('The schema is broken.');
      },
    };

    const { answers } = await run([broken, echo], [call('broken'), call('echo', { text: 'fine' })]);

    expect(answers.map(({ reply }) => reply)).toEqual([
      'broken was not run, because of its arguments. The schema is broken.',
      'fine',
    ]);
  });

  it('may not say too much, in its errors, its sources or the arguments it is called with', async () => {
    const wordy = acting('wordy', async () => {
      throw new Error('x'.repeat(100_000));
    });
    const citing = acting('citing', async (_input, { cite }) => {
      for (let n = 0; n < 1_000; n++) cite(source(`${n}.md`));
    });
    const bad = { ...call('echo'), arguments: undefined, rawArguments: `{${'x'.repeat(100_000)}` };

    const { answers, progress } = await run([wordy, citing, echo], [call('wordy'), call('citing'), bad]);

    expect(answers[0]?.reply).toHaveLength(2_000);
    expect(progress.filter(({ type }) => type === 'source-cited')).toHaveLength(50);
    expect(answers[2]?.outcome.arguments).toHaveLength(2_000);
    expect(JSON.stringify(answers[2]?.reply).length).toBeLessThan(1_000);
  });

  it('is given up after its own timeout, and the next one runs', async () => {
    const { answers, unfinished } = await run(
      [hangs({ timeoutMs: 20 }), echo],
      [call('hangs'), call('echo', { text: 'next' })],
      {
        limits: { maxParallelTools: 1, maxToolCallsPerTurn: 5 },
      },
    );

    expect(answers[0]?.outcome).toMatchObject({ status: 'failed' });
    expect(answers[0]?.reply).toBe('hangs did not answer within 0.02 s.');
    expect(answers[1]?.reply).toBe('next');
    expect(unfinished).toEqual([{ callId: 'hangs-0', name: 'hangs', fate: 'unknown' }]);
  });

  it('has its result cut when it returns 10 MB, whatever its shape', async () => {
    const text = acting('text', async () => 'x'.repeat(10_000_000));
    const list = acting('list', async () => Array.from({ length: 1_000_000 }, (_, index) => index));

    const { answers } = await run([text, list], [call('text'), call('list')]);

    const [first, second] = answers.map(({ reply }) => JSON.stringify(reply));
    expect(first?.length).toBeLessThan(longestResult + 200);
    expect(first).toContain('Cut: the result has 10,000,002 characters, and only the first 100,000 are shown.');
    expect(second?.length).toBeLessThan(longestResult + 200);
    expect(second).toContain('Cut: the result has 6,888,891 characters');
  });

  it('fails when what it returns is no JSON, and is cleaned of what no database holds', async () => {
    const circular: unknown[] = [];
    circular.push(circular);
    const odd = acting('odd', async () => circular);
    const dirty = acting('dirty', async () => ({ 'a\0b': ['c\0d', '\ud800'] }));
    const nothing = acting('nothing', async () => undefined);

    const { answers } = await run([odd, dirty, nothing], [call('odd'), call('dirty'), call('nothing')]);

    expect(answers[0]?.outcome.status).toBe('failed');
    expect(answers[1]?.reply).toEqual({ ab: ['cd', '\ufffd'] });
    expect(answers[2]?.reply).toBeNull();
  });
});

describe('when the run stops', () => {
  const stopping = acting(
    'stops',
    (_input, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const finishing = acting('finishes', async (_input, { signal }) => {
    await once(signal, 'abort');
    return 'done after all';
  });

  it('tells running tools, and records what became of each', async () => {
    const stop = new AbortController();
    const running = run(
      [stopping, finishing, hangs({ sideEffect: true })],
      [call('stops'), call('finishes'), call('hangs')],
      {
        signal: stop.signal,
        onProgress: (progress) => progress.type === 'call-running' && progress.call.name === 'hangs' && stop.abort(),
      },
    );

    const { answers, unfinished } = await running;

    expect(unfinished.toSorted((one, other) => (one.callId < other.callId ? -1 : 1))).toEqual([
      { callId: 'finishes-1', name: 'finishes', fate: 'finished' },
      { callId: 'hangs-2', name: 'hangs', fate: 'unknown' },
      { callId: 'stops-0', name: 'stops', fate: 'stopped' },
    ]);
    expect(answers.map(({ reply }) => reply)).toEqual([
      'stops was stopped before it finished, because the run ended.',
      'done after all',
      'hangs was stopped before it finished, because the run ended. Whether it took effect is not known: check before repeating it.',
    ]);
  });

  it('does not start those that wait, and keeps what was finished', async () => {
    const stop = new AbortController();
    const { answers, progress } = await run(
      [hangs(), echo],
      [
        call('hangs'),
        call('echo', { text: 'a' }),
        call('echo', { text: 'b' }),
        call('hangs', { n: 2 }),
        call('echo', { text: 'c' }),
      ],
      {
        limits: { maxParallelTools: 2, maxToolCallsPerTurn: 5 },
        signal: stop.signal,
        onProgress: (step) => step.type === 'call-running' && step.call.callId === 'hangs-3' && stop.abort(),
      },
    );

    expect(answers.map(({ outcome }) => outcome.status)).toEqual([
      'failed',
      'succeeded',
      'succeeded',
      'failed',
      'not-run',
    ]);
    expect(answers[4]?.reply).toBe('Not run: the run ended first.');
    expect(statuses(progress, 'echo-4')).toEqual(['PENDING', 'NOT_RUN']);
  });

  it('runs nothing when it has stopped already', async () => {
    const { answers, unfinished } = await run([echo], [call('echo', { text: 'a' })], { signal: AbortSignal.abort() });

    expect(answers.map(({ outcome }) => outcome.status)).toEqual(['not-run']);
    expect(unfinished).toEqual([]);
  });

  it('also stops at the deadline', async () => {
    const { answers, unfinished } = await run([hangs()], [call('hangs')], { deadline: performance.now() + 20 });

    expect(answers[0]?.reply).toBe('hangs was stopped before it finished, because the run ended.');
    expect(unfinished).toEqual([{ callId: 'hangs-0', name: 'hangs', fate: 'unknown' }]);
  });

  it('drops what an abandoned tool does later', async () => {
    const late = Promise.withResolvers<string>();
    const stop = new AbortController();
    const ignoring = acting('ignoring', async (_input, { cite }) => {
      const text = await late.promise;
      cite(source('late.md'));
      throw new Error(text);
    });
    const { answers, progress } = await run([ignoring], [call('ignoring')], {
      signal: stop.signal,
      onProgress: (step) => step.type === 'call-running' && stop.abort(),
    });
    const told = progress.length;

    late.resolve('too late');
    await late.promise;
    await new Promise(setImmediate);

    expect(progress).toHaveLength(told);
    expect(answers[0]?.outcome.status).toBe('failed');
  });
});
