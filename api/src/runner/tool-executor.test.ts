import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Json } from '../agent/json.ts';
import { defineTool } from '../tools/tool.ts';
import { call, run, statuses } from './test/execution.ts';
import { acting, echo, hangs, source } from './test/tools.ts';

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
