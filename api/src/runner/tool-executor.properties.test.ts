import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createToolRegistry } from '../tools/registry.ts';
import { defineTool } from '../tools/tool.ts';
import { call, execute, statuses } from './test/execution.ts';

/** Calls of a few tools with a few arguments, so that many are the same, some fail and some are refused. */
const anyCall = fc
  .record({ kind: fc.constantFrom('work', 'fail', 'unknown'), n: fc.integer({ min: 0, max: 4 }) })
  .map(({ kind, n }) => call(kind, { n }));
const anyTurn = fc.record({
  calls: fc.array(anyCall, { maxLength: 25 }),
  limits: fc.record({
    maxToolCallsPerTurn: fc.integer({ min: 1, max: 20 }),
    maxParallelTools: fc.integer({ min: 1, max: 10 }),
  }),
  patience: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 5, maxLength: 5 }),
});
type Turn = typeof anyTurn extends fc.Arbitrary<infer Value> ? Value : never;

/** Runs a turn on tools that take as many rounds of the event loop as they are told, and watches them. */
async function watched({ calls, limits, patience }: Turn) {
  let inFlight = 0;
  let most = 0;
  const started: string[] = [];
  const slow = (name: string, answer: (n: number) => unknown) =>
    defineTool({
      name,
      description: name,
      input: z.object({ n: z.number() }),
      async run({ n }, { cite }) {
        inFlight += 1;
        most = Math.max(most, inFlight);
        started.push(`${name}${n}`);
        cite({ kind: 'VAULT', path: `${name}${n}` });
        for (let rounds = patience[n] ?? 0; rounds > 0; rounds--) await new Promise(setImmediate);
        inFlight -= 1;
        return answer(n);
      },
    });
  const tools = createToolRegistry([
    slow('work', (n) => n),
    slow('fail', () => Promise.reject(new Error('It broke.'))),
  ]);
  return { ...(await execute(tools, calls, { limits })), started, most };
}

const key = (name: string, input: unknown) => `${name}${JSON.stringify(input)}`;

describe('any turn', () => {
  it('is answered call for call, in call order, and so is it reported', async () => {
    await fc.assert(
      fc.asyncProperty(anyTurn, async (turn) => {
        const { answers, progress } = await watched(turn);

        expect(answers.map(({ outcome }) => key(outcome.name, outcome.arguments))).toEqual(
          turn.calls.map((made) => key(made.name, made.arguments)),
        );
        expect(progress.flatMap((step) => (step.type === 'call-answered' ? [step.answer] : []))).toEqual(answers);
        for (const { outcome } of answers) {
          const seen = statuses(progress, outcome.callId);
          if (outcome.status === 'not-run') expect(seen).toEqual(['PENDING', 'NOT_RUN']);
          else if (outcome.name === 'unknown') expect(seen).toEqual(['PENDING', 'failed']);
          else expect(seen).toEqual(['PENDING', 'RUNNING', outcome.status === 'succeeded' ? 'ok' : 'failed']);
        }
      }),
    );
  });

  it('runs each distinct call at most once and gives all its repeats the same answer', async () => {
    await fc.assert(
      fc.asyncProperty(anyTurn, async (turn) => {
        const { answers, started } = await watched(turn);

        expect(new Set(started).size).toBe(started.length);
        const byCall = Map.groupBy(answers, ({ outcome }) => key(outcome.name, outcome.arguments));
        for (const same of byCall.values()) {
          expect(new Set(same.map(({ outcome, reply }) => `${outcome.status} ${JSON.stringify(reply)}`)).size).toBe(1);
        }
      }),
    );
  });

  it('keeps to both limits, and leaves nothing out that they allow', async () => {
    await fc.assert(
      fc.asyncProperty(anyTurn, async (turn) => {
        const { answers, started, most, overLimit } = await watched(turn);

        const runnable = new Set(
          turn.calls.filter(({ name }) => name !== 'unknown').map((made) => key(made.name, made.arguments)),
        );
        expect(started).toHaveLength(Math.min(runnable.size, turn.limits.maxToolCallsPerTurn));
        expect(most).toBeLessThanOrEqual(turn.limits.maxParallelTools);
        expect(answers.filter(({ outcome }) => outcome.status === 'not-run')).toHaveLength(overLimit);
      }),
    );
  });

  it('has an answer for every call when it is stopped at any moment', async () => {
    await fc.assert(
      fc.asyncProperty(anyTurn, fc.nat(60), async (turn, moment) => {
        const stop = new AbortController();
        let steps = 0;
        const never = ['work', 'fail'].map((name) =>
          defineTool({
            name,
            description: name,
            input: z.object({ n: z.number() }),
            run: ({ n }, { signal }) =>
              n % 2 === 0
                ? Promise.resolve(n)
                : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
          }),
        );
        const stopAfter = () => steps++ >= moment && stop.abort();
        const ended = setTimeout(() => stop.abort(), 5);
        const { answers, progress, unfinished } = await execute(createToolRegistry(never), turn.calls, {
          limits: turn.limits,
          signal: stop.signal,
          onProgress: stopAfter,
        });
        clearTimeout(ended);

        expect(answers).toHaveLength(turn.calls.length);
        expect(progress.filter(({ type }) => type === 'call-answered')).toHaveLength(turn.calls.length);
        expect(unfinished.map(({ fate }) => fate)).not.toContain('unknown');
      }),
    );
  });
});
