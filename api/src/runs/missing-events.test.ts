import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentConfigSchema } from '../agent/config.ts';
import { endingOf } from '../agent/ending.ts';
import type { Json } from '../agent/json.ts';
import { initialState } from '../agent/state.ts';
import type { LoggedEvent } from './event-reading.ts';
import { type MissingEvent, missingEvents, neverAnswered } from './missing-events.ts';

const config = AgentConfigSchema.parse({});
const state = { ...initialState({ userId: 'u', projectId: 'p', config, now: 0 }), turn: 2 };
const saved = { contentCharacters: 0, toolCalls: 0, sources: 0 };
const ending = endingOf(state, { reason: 'INTERRUPTED', unfinishedTools: [], saved });

type Said = readonly [name: string, turn: number, payload?: Json, agent?: string | undefined];

/** A second lies between one and the next. */
function logged(said: readonly Said[]): readonly LoggedEvent[] {
  return said.map(([name, turn, payload = {}, agent = null], index) => {
    return { number: index + 1, at: new Date(index * 1_000), turn, name, severity: 'INFO', agent, payload } as const;
  });
}

function missingFrom(said: readonly Said[]): readonly MissingEvent[] {
  return missingEvents({ events: logged(said), ending, lastAt: said.length * 1_000 });
}

const librarian = 'librarian';
/** A whole last turn, with two sub-agents at work beside each other. */
const whole: readonly Said[] = [
  ['agent.turn.start', 2, { expectedInput: 700.4, messages: 3, tokensUsed: 900 }],
  ['model.call.start', 2, { expectedInput: 710 }],
  ['model.call.end', 2, { contextTokens: 800, messages: 4 }],
  ['tool.call.pending', 2, { callId: 'a', tool: 'vault_read' }],
  ['tool.call.pending', 2, { callId: 'b', tool: 'delegate_librarian' }],
  ['tool.call.failure', 2, { callId: 'a', tool: 'vault_read' }],
  ['query.start', 0, {}, librarian],
  ['query.start', 0, {}, librarian],
  ['agent.turn.start', 1, { expectedInput: 50, messages: 2, tokensUsed: 7 }, librarian],
  ['agent.turn.start', 1, { expectedInput: 50, messages: 2, tokensUsed: 8 }, librarian],
  ['model.call.start', 1, { expectedInput: 51 }, librarian],
  ['tool.call.pending', 1, { callId: 'a', tool: 'vault_read' }, librarian],
  ['tool.call.success', 1, { callId: 'a', tool: 'vault_read' }, librarian],
  ['model.call.end', 1, { contextTokens: 60, messages: 3 }, librarian],
  ['agent.turn.end', 1, {}, librarian],
  ['session.end', 1, { reason: 'COMPLETED' }, librarian],
  ['agent.turn.end', 1, {}, librarian],
  ['session.end', 1, { reason: 'COMPLETED' }, librarian],
  ['tool.call.success', 2, { callId: 'b', tool: 'delegate_librarian' }],
  ['agent.turn.end', 2, { contextTokens: 900, messages: 5 }],
];

describe('the events of a run whose server died', () => {
  it('in the middle of a reply: the call, the turn and the run are told to have ended', () => {
    expect(missingFrom(whole.slice(0, 2))).toEqual([
      {
        name: 'model.call.end',
        turn: 2,
        severity: 'DEBUG',
        payload: {
          ...{ inputTokens: 710, outputTokens: 0, calls: 0, complete: false, durationMs: 1_000 },
          ...{ contextTokens: 700, messages: 3 },
        },
      },
      {
        name: 'agent.turn.end',
        turn: 2,
        severity: 'DEBUG',
        payload: { calls: 0, failures: 0, complete: false, tokensUsed: 0, contextTokens: 700, messages: 3 },
      },
      {
        name: 'session.end',
        turn: 2,
        severity: 'INFO',
        payload: {
          ...{ reason: 'INTERRUPTED', message: ending.message, turns: 2, tokens: 0, durationMs: 0 },
          ...{ contextTokens: 700, messages: 3 },
        },
      },
    ]);
  });

  it('while a tool was at work: its call failed, and counts as failed in the turn', () => {
    const [call, turn] = missingFrom(whole.slice(0, 6));

    expect(call).toMatchObject({
      name: 'tool.call.failure',
      severity: 'ERROR',
      payload: { callId: 'b', tool: 'delegate_librarian', error: neverAnswered, durationMs: 2_000 },
    });
    expect(turn).toMatchObject({ name: 'agent.turn.end', payload: { calls: 2, failures: 2, messages: 4 } });
  });

  it('while a sub-agent was at work: that ends first, under its name', () => {
    const missing = missingFrom(whole.slice(0, 11));

    expect(missing.map(({ name, agent }) => `${agent ?? 'oracle'} ${name}`)).toEqual([
      'librarian model.call.end',
      'librarian agent.turn.end',
      'librarian agent.turn.end',
      'librarian session.end',
      'librarian session.end',
      'oracle tool.call.failure',
      'oracle agent.turn.end',
      'oracle session.end',
    ]);
    expect(missing[3]).toMatchObject({ turn: 1, payload: { reason: 'INTERRUPTED', turns: 1 } });
  });

  it('before it did anything, or between two turns: only the run is told to have ended', () => {
    for (const said of [[], [['query.start', 0] as const], whole])
      expect(missingFrom(said).map(({ name }) => name)).toEqual(['session.end']);
  });

  it('when it had told a reason that it never came to store: the true one is told as well', () => {
    const told: Said = ['session.end', 2, { reason: 'COMPLETED' }];

    expect(missingFrom([...whole, told])).toMatchObject([{ name: 'session.end', payload: { reason: 'INTERRUPTED' } }]);
  });

  it('wherever it died: all that began has ended once, and nothing is told twice when a recovery is repeated', () => {
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(12), (died, diedAgain) => {
        const before = whole.slice(0, died);
        const asSaid = ({ name, turn, payload, agent }: MissingEvent): Said => [name, turn, payload as Json, agent];
        const first = missingFrom(before).map(asSaid);
        const half = [...before, ...first.slice(0, diedAgain)];
        const all = [...half, ...missingFrom(half).map(asSaid)];
        const count = (pattern: RegExp) => all.filter(([name]) => pattern.test(name)).length;

        expect(all.map(([name]) => name)).toEqual([...before, ...first].map(([name]) => name));
        expect(missingFrom(all)).toEqual([]);
        expect(count(/turn\.end/)).toBe(count(/turn\.start/));
        expect(count(/model\.call\.end/)).toBe(count(/model\.call\.start/));
        expect(count(/tool\.call\.(success|failure)/)).toBe(count(/tool\.call\.pending/));
        expect(count(/session\.end/)).toBe(count(/query\.start/) + 1);
      }),
    );
  });
});
