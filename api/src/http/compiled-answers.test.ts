import fc from 'fast-check';
import { type ExecutionArgs, execute, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { ChunkBody } from '../agent/chunk.ts';
import { noUsage } from '../agent/usage.ts';
import { schema } from '../graphql/schema.ts';
import { compileAnswers } from './compiled-answers.ts';
import { collectGarbage } from './test/collect-garbage.ts';
import { randomDocument } from './test/random-selections.ts';

const notice = { systemType: 'LIMIT_WARNING', severity: 'WARNING', message: 'Careful.' } as const;
const ending = {
  reason: 'COMPLETED',
  message: 'Answered.',
  turns: 1,
  usage: noUsage,
  durationMs: 12,
  unfinishedTools: [{ callId: 'a', name: 'look', fate: 'stopped' }],
  saved: { contentCharacters: 1, toolCalls: 0, sources: 0 },
  nextActions: [{ action: 'CONTINUE', label: 'Go on' }],
} as const;
/** Every type, and what may be missing or odd in it. The last ones are wrong, and the executor says so. */
const bodies: readonly (ChunkBody | Readonly<Record<string, unknown>>)[] = [
  { type: 'ContentChunk', text: 'text "with" \n all sorts \u{1f600}' },
  { type: 'ThinkingChunk', text: '', agent: 'librarian' },
  { type: 'ToolCallChunk', callId: 'a', name: 'look', arguments: { n: [1, null] }, turn: 1, status: 'PENDING' },
  { type: 'ToolResultChunk', callId: 'a', name: 'look', ok: true, result: false, durationMs: 1.6 },
  { type: 'ToolResultChunk', callId: 'a', name: 'look', ok: false, error: 'It broke.', durationMs: 0 },
  { type: 'SourceChunk', kind: 'VAULT', path: 'a.md', score: 0.25, line: 3, title: 'A', snippet: 'half \ud83e' },
  { type: 'SystemChunk', ...notice, limitType: 'TIME', currentValue: 0, limitValue: 10, advice: 'Wait.' },
  { type: 'SystemChunk', ...notice },
  { type: 'ContextChunk', tokens: 12.4, windowSize: 64_000 },
  { type: 'ErrorChunk', code: 'TIMEOUT', message: 'Too slow.', retryable: true },
  { type: 'DoneChunk', terminationReason: 'COMPLETED', ending, conversationId: 'c', nodeId: 'n' },
  { type: 'ContentChunk' },
  { type: 'ToolCallChunk', callId: 'a', name: 'look', arguments: {}, turn: 1.5, status: 'UNHEARD_OF' },
];
const chunks = bodies.map((body, index) => ({
  ...body,
  runId: 'run',
  seq: index + 1,
  fromSeq: index,
  at: '2026-11-16T00:00:00.000Z',
}));

/** All ways to set them. */
function allValues(names: readonly string[]): readonly Readonly<Record<string, boolean>>[] {
  return names.reduce<readonly Readonly<Record<string, boolean>>[]>(
    (all, name) => all.flatMap((values) => [true, false].map((value) => ({ ...values, [name]: value }))),
    [{}],
  );
}

function argsOf(query: string): ExecutionArgs {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  return { schema, document, contextValue: {} };
}

describe('what is sent for the events of a subscription', () => {
  /** With every way to set both variables; a fixed seed never changes, another is told by what fails. */
  it.each([
    ['the same each time', { seed: 7, numRuns: 250 }],
    ['another each time', { numRuns: 250 }],
  ])('are answered as the executor answers them, whatever is selected: %s', async (_which, parameters) => {
    let fast = 0;
    await fc.assert(
      fc.asyncProperty(randomDocument, async ({ text, operations }) => {
        const args = argsOf(text);
        const asking = operations.flatMap(({ operationName, variables }) =>
          allValues(variables).map((variableValues) => ({ ...args, operationName, variableValues })),
        );
        for (const asked of asking) {
          const answer = compileAnswers(asked);
          for (const chunk of chunks) {
            const answered = answer?.(chunk);
            if (answered === undefined) continue;
            fast += 1;
            expect(answered).toBe(JSON.stringify(await execute({ ...asked, rootValue: chunk })));
          }
        }
      }),
      parameters,
    );

    expect(fast).toBeGreaterThan(1_500);
  });

  it('are answered fast for what clients usually ask, and left to the executor where they are wrong', () => {
    const answer = compileAnswers(
      argsOf(`subscription { oracleRun(runId: "run") { __typename ... on StreamChunk { seq at } ... on ContentChunk { text }
        ... on ToolCallChunk { turn } ... on ToolResultChunk { result } ... on DoneChunk { ending { reason usage { totalTokens } } } } }`),
    );

    expect(chunks.map((chunk) => answer?.(chunk) !== undefined)).toEqual([...Array(11).fill(true), false, false]);
  });

  it('are written once for all readers of one operation, and anew for another event of the same place', () => {
    const args = argsOf('subscription { oracleRun(runId: "run") { ... on StreamChunk { seq runId } } }');
    const [one, other] = [compileAnswers(args), compileAnswers({ ...args, contextValue: { viewer: 'another' } })];
    const [chunk] = chunks;

    expect(other).toBe(one);
    expect(one?.(chunk)).toBe(one?.(chunk));
    expect(one?.({ ...chunk, runId: 'elsewhere' })).toBe('{"data":{"oracleRun":{"seq":1,"runId":"elsewhere"}}}');
    expect(one?.(chunk)).toBe('{"data":{"oracleRun":{"seq":1,"runId":"run"}}}');
  });

  it('hold on to nothing of the one who asked first, for as long as the document is known', async () => {
    const args = argsOf('subscription ($run: ID!) { oracleRun(runId: $run) { ... on StreamChunk { seq at } } }');
    const ask = () => {
      const own = { rootValue: { socket: [] }, contextValue: { viewer: [] }, variableValues: { run: 'run' } };
      const answer = compileAnswers({ ...args, ...own });
      return { answer, held: [new WeakRef(own.rootValue), new WeakRef(own.contextValue), new WeakRef(own)] };
    };
    const { answer, held } = ask();
    await collectGarbage();

    expect(held.map((each) => each.deref())).toEqual([undefined, undefined, undefined]);
    expect(compileAnswers({ ...args, variableValues: { run: 'run' } })).toBe(answer);
  });

  it('are not shared where variables decide what is selected', () => {
    const query = `subscription ($yes: Boolean!) { oracleRun(runId: "run") {
      __typename ... on StreamChunk @include(if: $yes) { seq } } }`;
    const args = argsOf(query);
    const answers = [true, false].map((yes) => compileAnswers({ ...args, variableValues: { yes } })?.(chunks[0]));

    expect(answers).toEqual([
      '{"data":{"oracleRun":{"__typename":"ContentChunk","seq":1}}}',
      '{"data":{"oracleRun":{"__typename":"ContentChunk"}}}',
    ]);
  });

  it.each([
    'subscription { oracleRun(runId: "run") @include(if: true) { __typename } }',
    'subscription { settingsChanged { id } }',
  ])('are left to the executor: %s', (query) => {
    expect(compileAnswers(argsOf(query))).toBeUndefined();
  });
});
