import fc from 'fast-check';
import type { AgentConfig } from '../../src/agent/config.ts';
import type { Part, Reply } from './scripted-model.ts';

/** A run as the dice have it. */
export interface RandomScript {
  readonly config: Partial<AgentConfig>;
  readonly replies: readonly Reply[];
  /** Cancelled when so many chunks were said, or after so many milliseconds. */
  readonly cancel: { readonly chunks: number } | { readonly milliseconds: number } | undefined;
}

const words = 'the quick brown fox, being lazy, jumps over nothing at all and says so at length '.repeat(40);
const someText = fc.integer({ min: 1, max: 1_500 }).map((length) => words.slice(0, length));

const saying: fc.Arbitrary<Part> = fc.oneof(
  { weight: 5, arbitrary: someText.map((text): Part => ({ do: 'text', text })) },
  { weight: 3, arbitrary: someText.map((text): Part => ({ do: 'reasoning', text })) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 15 }).map((milliseconds): Part => ({ do: 'pause', milliseconds })),
  },
);

/** Few tools and fewer arguments, so that calls repeat themselves. */
const calling: fc.Arbitrary<Part> = fc
  .record({
    name: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom('look', 'fail', 'poll', 'wait') },
      { weight: 1, arbitrary: fc.constantFrom('dawdle', 'deaf', 'linger', 'deaf_for_ever') },
      { weight: 1, arbitrary: fc.constant('unheard_of') },
    ),
    written: fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 0, max: 3 }).map((n) => JSON.stringify({ n })) },
      { weight: 1, arbitrary: fc.constantFrom('', '{"n":', '{"n":"many"}', 'null', '[]') },
    ),
  })
  .map((call) => ({ do: 'call', ...call }));

const ending: fc.Arbitrary<readonly Part[]> = fc.oneof(
  { weight: 30, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.constant<readonly Part[]>([{ do: 'break' }]) },
  { weight: 1, arbitrary: fc.constant<readonly Part[]>([{ do: 'hang' }]) },
);

const replying: fc.Arbitrary<Reply> = fc
  .record({
    refusals: fc.oneof(
      { weight: 12, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 5 }) },
    ),
    retryAfterMs: fc.constantFrom(0, 5, 30, 60_000),
    said: fc.array(saying, { maxLength: 5 }),
    calls: fc.oneof(
      { weight: 6, arbitrary: fc.array(calling, { minLength: 1, maxLength: 9 }) },
      { weight: 1, arbitrary: fc.constant([]) },
    ),
    end: ending,
    usage: fc.constantFrom('reported' as const, 'none' as const),
    hiddenTokens: fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 900 }) },
    ),
    keepsCap: fc.boolean(),
  })
  .map(({ said, calls, end, usage, hiddenTokens, keepsCap, ...rest }) => ({
    ...rest,
    usage,
    keepsCap,
    // Tokens that nobody sees can only be bounded by the provider itself, and counted when it tells of them.
    hiddenTokens: usage === 'reported' && keepsCap ? hiddenTokens : 0,
    parts: [...said, ...calls, ...end],
  }));

/** The same tool for ever, with the same arguments or with others each time. */
function stubborn([name, same]: readonly [string, boolean]): readonly Reply[] {
  return Array.from({ length: 9 }, (_, turn) => ({
    parts: [{ do: 'call', name, written: JSON.stringify({ n: same ? 1 : turn }) }],
    usage: 'reported',
    keepsCap: true,
  }));
}

export const randomScript: fc.Arbitrary<RandomScript> = fc.record({
  config: fc.record({
    maxIterations: fc.integer({ min: 1, max: 8 }),
    softWarningPercent: fc.integer({ min: 50, max: 90 }),
    tokenBudget: fc.integer({ min: 700, max: 8_000 }),
    tokenWarningPercent: fc.integer({ min: 50, max: 95 }),
    timeoutSeconds: fc.integer({ min: 30, max: 500 }).map((milliseconds) => milliseconds / 1_000),
    maxToolCallsPerTurn: fc.integer({ min: 1, max: 6 }),
    maxParallelTools: fc.integer({ min: 1, max: 4 }),
  }),
  replies: fc.oneof(
    { weight: 4, arbitrary: fc.array(replying, { minLength: 1, maxLength: 9 }) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('look', 'fail'), fc.boolean()).map(stubborn) },
  ),
  cancel: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }).map((chunks) => ({ chunks })) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 200 }).map((milliseconds) => ({ milliseconds })) },
  ),
});

export const lastReply: Reply = { parts: [{ do: 'text', text: 'That is all.' }], usage: 'reported', keepsCap: true };
