import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Json } from '../agent/json.ts';
import { createToolRegistry } from '../tools/registry.ts';
import { defineTool, type Source, type Tool } from '../tools/tool.ts';
import { call, execute, type Overrides, statuses } from './test/execution.ts';
import { longestResult } from './tool-result.ts';

const echo = defineTool({
  name: 'echo',
  description: 'Answers with the text.',
  input: z.object({ text: z.string() }),
  run: async ({ text }) => text,
});

/** A tool without arguments that does what it is told. */
function acting(name: string, run: Parameters<typeof defineTool>[0]['run'], options: Partial<Tool> = {}): Tool {
  return defineTool({ name, description: name, input: z.object({ n: z.number().optional() }), ...options, run });
}

const hangs = (options: Partial<Tool> = {}) => acting('hangs', () => new Promise(() => undefined), options);

function run(tools: readonly Tool[], calls: Parameters<typeof execute>[1], overrides?: Overrides) {
  return execute(createToolRegistry(tools), calls, overrides);
}

describe('a call that cannot be run', () => {
  it('is told when its arguments are no JSON, and its siblings still run', async () => {
    const bad = { ...call('echo'), arguments: undefined, rawArguments: '{"text": "open' };

    const { answers } = await run([echo], [bad, call('echo', { text: 'fine' })]);

    expect(answers[0]?.outcome).toMatchObject({ status: 'failed', arguments: '{"text": "open' });
    expect(answers[0]?.reply).toMatch(
      /^The arguments of echo are not valid JSON \(.+\)\. Send one JSON object\. You sent: \{/,
    );
    expect(answers[1]?.outcome).toMatchObject({ status: 'succeeded', result: 'fine' });
  });

  it('is told the sentence that came with it, when somebody already knows what is wrong', async () => {
    const bad = { ...call('echo'), arguments: undefined, rawArguments: '{', problem: 'The arguments end too early.' };

    const { answers } = await run([echo], [bad]);

    expect(answers[0]?.reply).toBe('The arguments end too early.');
  });

  it('is told the names of the tools and the nearest when it asked for an unknown one', async () => {
    const { answers } = await run([echo, hangs()], [call('ecoh'), call('something_else')]);

    expect(answers.map(({ reply }) => reply)).toEqual([
      'There is no tool called "ecoh". Did you mean echo? The tools are: echo, hangs.',
      'There is no tool called "something_else". The tools are: echo, hangs.',
    ]);
  });

  it('is told every argument that is wrong', async () => {
    const strict = defineTool({
      name: 'strict',
      description: '',
      input: z.strictObject({
        text: z.string().max(3),
        count: z.int().min(2).max(5),
        mode: z.enum(['fast', 'slow']),
        tags: z.array(z.string()).optional(),
      }),
      run: async () => null,
    });

    const { answers } = await run(
      [strict],
      [call('strict', { text: 'long', count: 9, tags: ['a', 1], other: 1 }), call('strict', [])],
    );

    expect(answers[0]?.reply).toBe(
      'strict was not run, because of its arguments. "text" must have at most 3 characters. "count" must be at most 5. ' +
        '"mode" is missing; it must be one of "fast", "slow". "tags.1" must be a text. Leave out "other": there is no such argument.',
    );
    expect(answers[1]?.reply).toBe(
      'strict was not run, because of its arguments. The arguments must be a JSON object.',
    );
  });

  it('counts as no arguments when they are null or blank', async () => {
    const counted = acting('counted', async (input) => input);

    const { answers } = await run(
      [counted],
      [call('counted', null), { ...call('counted'), arguments: undefined, rawArguments: ' ' }],
    );

    expect(answers.map(({ reply }) => reply)).toEqual([{}, {}]);
  });
});

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

describe('limits and sharing', () => {
  it('answers calls past the limit as not run; repeats and refused calls cost nothing', async () => {
    const calls = [
      call('echo', { text: 'a' }),
      call('nope'),
      call('echo', { text: 'a' }),
      call('echo', { text: 'b' }),
      call('echo', { text: 'c' }),
      call('echo', { text: 'b' }),
    ];

    const { answers, overLimit } = await run([echo], calls, {
      limits: { maxToolCallsPerTurn: 2, maxParallelTools: 3 },
    });

    expect(answers.map(({ outcome }) => outcome.status)).toEqual([
      'succeeded',
      'failed',
      'succeeded',
      'succeeded',
      'not-run',
      'succeeded',
    ]);
    expect(answers[4]?.reply).toBe(
      'Not run: at most 2 tool calls per turn. Call it again on the next turn if you still need it.',
    );
    expect(overLimit).toBe(1);
  });

  it('runs identical calls once, however the arguments are ordered', async () => {
    let runs = 0;
    const counting = defineTool({
      name: 'counting',
      description: '',
      input: z.object({ a: z.number(), b: z.number() }),
      run: async () => ++runs,
    });

    const { answers, progress } = await run(
      [counting],
      [call('counting', { a: 1, b: 2 }), call('counting', { b: 2, a: 1 })],
    );

    expect(runs).toBe(1);
    expect(answers.map(({ reply }) => reply)).toEqual([1, 1]);
    expect(statuses(progress, 'counting-1')).toEqual(['PENDING', 'RUNNING', 'ok']);
  });

  it('runs nothing on a turn without tools, and says so', async () => {
    const { answers, progress, overLimit } = await run([echo], [call('echo', { text: 'a' }), call('nope')], {
      offered: false,
    });

    expect(answers.map(({ outcome, reply }) => [outcome.status, reply])).toEqual([
      ['not-run', 'Not run: no tools are offered on this turn. Answer with what you have.'],
      ['not-run', 'Not run: no tools are offered on this turn. Answer with what you have.'],
    ]);
    expect(statuses(progress, 'echo-0')).toEqual(['PENDING', 'NOT_RUN']);
    expect(overLimit).toBe(0);
  });

  it('remembers whether the tool is repeatable', async () => {
    const { answers } = await run([acting('poll', async () => 'still busy', { repeatable: true })], [call('poll')]);

    expect(answers[0]?.outcome.repeatable).toBe(true);
  });
});

describe('what is reported', () => {
  it('holds an early answer back, with its sources, until those before it are given', async () => {
    const gate = Promise.withResolvers<void>();
    const slow = acting('slow', async (_input, { cite }) => {
      cite(source('slow.md'));
      await gate.promise;
      return 'slow';
    });
    const fast = acting('fast', async (_input, { cite }) => {
      cite(source('fast.md'));
      setImmediate(gate.resolve);
      return 'fast';
    });

    const { progress } = await run([slow, fast], [call('slow'), call('fast')]);

    expect(
      progress.map((step) =>
        step.type === 'call-answered'
          ? step.answer.reply
          : step.type === 'source-cited'
            ? `${step.call.name} cites ${step.source.path}`
            : `${step.call.name} ${step.type}`,
      ),
    ).toEqual([
      'slow call-pending',
      'fast call-pending',
      'slow call-running',
      'fast call-running',
      'slow',
      'slow cites slow.md',
      'fast',
      'fast cites fast.md',
    ]);
  });

  it('drops the sources of a failed call, cites shared ones once and cuts long snippets', async () => {
    const fails = acting('fails', async (_input, { cite }) => {
      cite(source('never.md'));
      throw new Error('no');
    });
    const cites = acting('cites', async (_input, { cite }) => cite({ ...source('once.md'), snippet: 'x'.repeat(900) }));

    const { progress } = await run([fails, cites], [call('fails'), call('cites'), call('cites')]);

    const cited = progress.flatMap((step) => (step.type === 'source-cited' ? [step.source] : []));
    expect(cited.map(({ path, snippet }) => [path, snippet?.length])).toEqual([['once.md', 500]]);
  });

  it('tells tools the project of the run and takes none from the model', async () => {
    const where = acting('where', async (_input, { projectId, userId }) => ({ projectId, userId }));

    const { answers } = await run([where], [call('where', { projectId: 'another', userId: 'another' } satisfies Json)]);

    expect(answers[0]?.reply).toEqual({ projectId: 'the-project', userId: 'the-user' });
  });
});

function source(path: string): Source {
  return { kind: 'VAULT', path };
}
