import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentConfigSchema } from '../agent/config.ts';
import { type AgentState, initialState } from '../agent/state.ts';
import type { ToolOutcome } from '../agent/tool-call.ts';
import type { RunEvent } from '../events/event.ts';
import type { AnsweredCall, RunView } from '../events/run-events.ts';
import { RunFacts } from './run-facts.ts';

const statuses = ['succeeded', 'failed', 'not-run'] as const;
const called = fc.record({ name: fc.constantFrom('read', 'list', ''), status: fc.constantFrom(...statuses) });
type Called = typeof called extends fc.Arbitrary<infer Value> ? Value : never;

function answered({ name, status }: Called): AnsweredCall {
  const call = { callId: 'call', name, arguments: {}, repeatable: false };
  const became = { succeeded: { result: 'page' }, failed: { error: 'gone' }, 'not-run': {} }[status];
  return { turn: 1, durationMs: 1, outcome: { ...call, status, ...became } as ToolOutcome };
}

function watched(state: AgentState, calls: readonly AnsweredCall[]): RunFacts {
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
  };
  const event = { number: 1, name: 'agent.turn.start', severity: 'DEBUG', at: 5_000, turn: state.turn, dedupeKey: '' };
  const whom = { runId: 'run', userId: 'user', projectId: 'project' };
  const subject = { role: 'USER', projectName: 'Project', states: new Map(), personal: new Map() } as const;
  const about = { question: 'Why?', modelName: 'model', treeName: 'default' };
  const happening = { event: { ...event, payload: {} } as RunEvent, run: state, state: {} };
  return new RunFacts(happening, view, { ...whom, subject, about });
}

describe('the facts of a run', () => {
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
