import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventSeverities } from './event.ts';
import { openRunEvents, type RunEvents } from './run-events.ts';
import { SelfNotices } from './self-notices.ts';
import { injectPoints } from './subscriber.ts';
import { subscriberOf } from './test/subscribers.ts';

const points = injectPoints.filter((point) => point !== 'IMMEDIATE');
/** All runs have the same subscribers, as they have in a server: the very same objects. */
const subscribers = [
  ...injectPoints.map((inject) =>
    subscriberOf({
      id: inject.toLowerCase().replace('_', '-'),
      inject,
      events: ['*'],
      template: '{mark}',
      columns: ['mark'],
    }),
  ),
  subscriberOf({ id: 'batched', events: ['rule.*'], template: '{mark}', batch: { size: 3, window_seconds: 2 } }),
  subscriberOf({ id: 'counted', events: ['rule.*'], template: '{mark}', dedupe: { window_seconds: 3 }, keep: true }),
  subscriberOf({ id: 'reminders', events: ['agent.self.notify'], template: '{message}', columns: ['message'] }),
];

const users = ['ada', 'ben', 'cleo', 'dan'] as const;
type User = (typeof users)[number];

const step = fc.record({
  user: fc.constantFrom(...users),
  wait: fc.integer({ min: 0, max: 2_000 }),
  what: fc.oneof(
    fc.record({ emit: fc.constantFrom('rule.a', 'rule.b'), severity: fc.constantFrom(...eventSeverities) }),
    fc.record({ reach: fc.constantFrom(...points) }),
    fc.constantFrom('turn', 'remind', 'ask', 'wake', 'fail'),
  ),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value & { readonly at: number } : never;

/** One run of one person; everything that anybody hears of it is written down. */
class ListenedRun {
  readonly heard: string[] = [];
  readonly #own = new SelfNotices();
  readonly #events: RunEvents;
  #alarm: (() => void) | undefined;
  #now = 0;
  #turn = 0;
  #marks = 0;

  constructor(readonly user: User) {
    this.#events = openRunEvents(
      {
        windowSize: 100_000,
        now: () => this.#now,
        turn: () => this.#turn,
        state: () => {
          throw new Error('Nobody here asks for it.');
        },
        messages: () => 1,
        promptTokens: () => 1,
        toolCalls: () => [],
        tighten: () => undefined,
        tell: ({ message }) => this.heard.push(`person: ${message}`),
        estimateTokens: (text) => text.length,
        reportFailure: (error) => this.heard.push(`failure: ${String(error)}`),
      },
      {
        subscribers: () => subscribers,
        listeners: [
          (bus) => bus.on('*', ({ number, payload }) => this.heard.push(`bus ${number}: ${JSON.stringify(payload)}`)),
          (bus) =>
            bus.on('rule.fail', () => {
              throw new Error(`a handler of ${user}`);
            }),
          (bus) =>
            this.#own.listen(bus, {
              turn: () => this.#turn,
              messages: () => 1,
              promptTokens: () => 1,
              windowSize: 1,
              tokensUsed: () => 1,
            }),
        ],
        later: (_milliseconds, callback) => {
          this.#alarm = callback;
          return () => {
            this.#alarm = undefined;
          };
        },
        onLeftOver: (notices) => this.heard.push(...notices.map(({ entry }) => `left: ${JSON.stringify(entry.event)}`)),
      },
    );
  }

  take({ what, at }: Step): void {
    this.#now = at;
    const mark = `<${this.user}-${++this.#marks}>`;
    if (typeof what === 'object' && 'emit' in what) this.#events.emit(what.emit, { mark }, what.severity);
    else if (typeof what === 'object') this.#events.reach(what.reach);
    else if (what === 'turn') this.#beginTurn();
    else if (what === 'remind')
      this.#own.add({ id: mark, message: mark, category: 'c', priority: 'NORMAL' }, this.#turn);
    else if (what === 'ask') this.#ask();
    else if (what === 'wake') this.#alarm?.();
    else this.#events.emit('rule.fail', { mark });
  }

  end(at: number): readonly string[] {
    this.#now = at;
    this.#events.end();
    return this.heard;
  }

  #ask(): void {
    this.heard.push(...this.#events.takeHints().map((line) => `model: ${line}`));
    this.#events.hintsHeard();
  }

  #beginTurn(): void {
    this.#turn += 1;
    this.#events.emit('agent.turn.start', { expectedInput: 1, messages: 1, tokensUsed: 1 });
  }
}

/** What each of them has heard in the end. */
function play(steps: readonly Step[], whose: readonly User[]): ReadonlyMap<User, readonly string[]> {
  const runs = new Map(whose.map((user) => [user, new ListenedRun(user)]));
  for (const one of steps) runs.get(one.user)?.take(one);
  return new Map([...runs].map(([user, run]) => [user, run.end(steps.at(-1)?.at ?? 0)]));
}

describe('runs of several people at the same time', () => {
  it('hear of their own events alone, and of them exactly as if nobody else were there', () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (drawn) => {
        let at = 0;
        const steps = drawn.map((one) => {
          at += one.wait;
          return { ...one, at };
        });
        const together = play(steps, users);
        for (const user of users) {
          const heard = together.get(user) ?? [];
          const marks = heard.flatMap((line) => line.match(/<?\b(?:ada|ben|cleo|dan)\b/g) ?? []);
          compared += marks.length;
          expect(marks.filter((mark) => mark.replace('<', '') !== user)).toEqual([]);
          expect(heard).toEqual(play(steps, [user]).get(user));
        }
      }),
    );
    expect(compared).toBeGreaterThan(1_000); // else nothing was shown
  });
});
