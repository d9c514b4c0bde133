import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentConfigSchema } from '../agent/config.ts';
import { type AgentState, initialState } from '../agent/state.ts';
import type { ToolOutcome } from '../agent/tool-call.ts';
import { noUsage } from '../agent/usage.ts';
import type { RunEvent } from '../events/event.ts';
import type { AnsweredCall, RunView } from '../events/run-events.ts';
import { numberFacts, readNumbers, writeOneByOne } from '../rules/fact-numbers.ts';
import { RunFacts } from './run-facts.ts';

const statuses = ['succeeded', 'failed', 'not-run'] as const;
const called = fc.record({ name: fc.constantFrom('read', 'list', ''), status: fc.constantFrom(...statuses) });
type Called = typeof called extends fc.Arbitrary<infer Value> ? Value : never;

function answered({ name, status }: Called): AnsweredCall {
  const call = { callId: 'call', name, arguments: {}, repeatable: false };
  const became = { succeeded: { result: 'page' }, failed: { error: 'gone' }, 'not-run': {} }[status];
  return { turn: 1, durationMs: 1, outcome: { ...call, status, ...became } as ToolOutcome };
}

function watched(state: AgentState, calls: readonly AnsweredCall[], shown: Partial<RunView> = {}): RunFacts {
  const view: RunView = {
    windowSize: 64_000,
    now: () => 0,
    turn: () => state.turn,
    state: () => state,
    messages: () => 0,
    promptTokens: () => 0,
    toolCalls: () => calls,
    tighten: () => undefined,
    tell: () => undefined,
    estimateTokens: (text) => text.length,
    reportFailure: () => undefined,
    ...shown,
  };
  const event = { number: 1, name: 'agent.turn.start', severity: 'DEBUG', at: 5_000, turn: state.turn, dedupeKey: '' };
  const whom = { runId: 'run', userId: 'user', projectId: 'project' };
  const subject = { role: 'USER', projectName: 'Project', states: new Map(), personal: new Map() } as const;
  return new RunFacts(
    { event: { ...event, payload: {} } as RunEvent, state: {} },
    view,
    { question: 'Why?', modelName: 'model', treeName: 'default' },
    { ...whom, subject },
  );
}

const usage = fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat() }).map((some) => ({ ...noUsage, ...some }));
const state = fc
  .record({
    turn: fc.nat(100),
    startTime: fc.nat(9_000),
    tokensUsed: usage,
    pendingUsage: fc.option(usage, { nil: undefined }),
    identicalStreak: fc.nat(9),
    staleStreak: fc.nat(9),
    errorStreak: fc.nat(9),
    maxIterations: fc.integer({ min: 1, max: 1_000 }),
    tokenBudget: fc.integer({ min: 1_000, max: 100_000 }),
  })
  .map(({ maxIterations, tokenBudget, ...some }): AgentState => {
    const config = { ...AgentConfigSchema.parse({}), maxIterations, tokenBudget };
    return { ...initialState({ userId: 'user', projectId: 'project', config, now: 0 }), ...some };
  });

describe('the facts of a run', () => {
  it('are the same numbers together as one by one', () => {
    fc.assert(
      fc.property(
        state,
        fc.array(called),
        fc.nat(),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        (about, calls, said, asked) => {
          const facts = watched(about, calls.map(answered), { messages: () => said, promptTokens: () => asked });
          const oneByOne = new Float64Array(numberFacts.length);
          writeOneByOne(facts, oneByOne);

          expect([...readNumbers(facts)]).toEqual([...oneByOne]);
        },
      ),
    );
  });

  it('count the calls that were run, by tool and altogether, whenever they are asked', () => {
    fc.assert(
      fc.property(fc.array(called), fc.infiniteStream(fc.constantFrom('', 'read', 'toolCalls')), (calls, asked) => {
        const known: AnsweredCall[] = [];
        const { history } = watched(
          initialState({ userId: 'user', projectId: 'project', config: AgentConfigSchema.parse({}), now: 0 }),
          known,
        );
        for (const call of calls) {
          known.push(answered(call));
          const next = asked.next().value;
          if (next === 'toolCalls') void history.toolCalls;
          else if (next) history.countOf(next);
        }
        const run = calls.filter(({ status }) => status !== 'not-run');
        const failed = run.filter(({ status }) => status === 'failed');

        expect([history.toolCalls, history.failures]).toEqual([run.length, failed.length]);
        for (const tool of ['read', 'list', '', 'never'])
          expect(history.countOf(tool)).toMatchObject({
            calls: run.filter(({ name }) => name === tool).length,
            failures: failed.filter(({ name }) => name === tool).length,
          });
      }),
    );
  });
});
