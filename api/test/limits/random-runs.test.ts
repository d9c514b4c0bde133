import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callSignature } from '../../src/agent/tool-call.ts';
import { totalTokens } from '../../src/agent/usage.ts';
import type { EmittedChunk } from '../../src/runner/run-context.ts';
import { lastReply, type RandomScript, randomScript } from './random-scripts.ts';
import { startScripted, streamedAnswer } from './scripted-run.ts';
import { watchTools } from './watched-tools.ts';

const runs = 500;
const atOnce = 10;
/** From a limit to the end of the run, as promised. */
const promise = 1_000;

describe(`${runs} random runs`, () => {
  it('never exceed a limit, end once, for the first reason that holds, and save what was streamed', async () => {
    const scripts = fc.sample(randomScript, { numRuns: runs, seed: 20_261_116 });
    const reasons = new Map<string, number>();
    const problems: string[] = [];
    await inParallel([...scripts.entries()], async ([index, script]) => {
      try {
        const reason = await check(script);
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      } catch (error) {
        problems.push(
          `Run ${index}: ${error instanceof Error ? error.message : error}\n${JSON.stringify(script, shortly)}`,
        );
      }
    });

    expect(problems.slice(0, 3)).toEqual([]);
    // The dice must have shown every ending that a script can bring about.
    expect([...reasons.keys()].sort()).toEqual(endings);
  }, 120_000);
});

const endings = [
  'CANCELLED',
  'COMPLETED',
  'ERROR_LIMIT',
  'MAX_ITERATIONS',
  'MODEL_ERROR',
  'NO_PROGRESS',
  'TIMEOUT',
  'TOKEN_BUDGET',
];

/** Plays a script and holds it against every promise. Returns the reason of the end. */
async function check(script: RandomScript): Promise<string> {
  const tools = watchTools();
  let cancelled = false;
  let decided = false;
  let said = 0;
  const { cancel } = script;
  const { run, config, chunks, decisions, spent, failures } = startScripted({
    config: script.config,
    tools: tools.registry,
    reply: (turn) => script.replies[turn - 1] ?? lastReply,
    onEmit: (_chunk, underWay) => {
      said += 1;
      if (cancel && 'chunks' in cancel && said === cancel.chunks) queueMicrotask(() => stop(underWay));
    },
    onDecision: ({ verdict }) => {
      decided ||= !verdict.continue;
    },
  });
  function stop(underWay: typeof run): void {
    cancelled ||= !decided; // after the decision it comes too late
    underWay.stop('cancelled');
  }
  const timer = cancel && 'milliseconds' in cancel ? setTimeout(() => stop(run), cancel.milliseconds) : undefined;

  const { ending, answer, toolCalls } = await run.result;
  clearTimeout(timer);
  const { reason, durationMs, usage } = ending;
  const total = totalTokens(usage);
  const timeout = config.timeoutSeconds * 1_000;
  const replied = spent.filter(({ finished }) => finished);
  const last = spent.at(-1);

  // Limits.
  expect(failures).toEqual([]);
  expect(spent.length).toBeLessThanOrEqual(config.maxIterations);
  expect(ending.turns).toBeLessThanOrEqual(config.maxIterations);
  for (const started of startedByTurn(chunks)) expect(started).toBeLessThanOrEqual(config.maxToolCallsPerTurn);
  expect(tools.executed).toBe(startedByTurn(chunks).reduce((sum, started) => sum + started, 0));
  expect(tools.mostAtOnce).toBeLessThanOrEqual(config.maxParallelTools);
  const piece = last?.lastPiece ?? 0;
  const truth = spent.reduce((sum, { input, output }) => sum + (output > 0 ? input + output : 0), 0);
  expect(truth, 'what the provider knows').toBeLessThanOrEqual(config.tokenBudget + piece);
  expect(total, 'what the ending says').toBeLessThanOrEqual(config.tokenBudget + piece);
  expect(durationMs).toBeLessThanOrEqual(timeout + promise);

  // The reason, from what was seen outside.
  const completed = last?.finished === true && last.calls === 0 && decisions.at(-1)?.evaluations[1]?.fired === true;
  if (cancelled) expect(reason).toBe('CANCELLED');
  else if (completed) expect(reason).toBe('COMPLETED');
  else expect(['CANCELLED', 'COMPLETED', 'INTERRUPTED']).not.toContain(reason);
  if (reason === 'COMPLETED') expect(last).toMatchObject({ finished: true, calls: 0 });
  if (reason === 'MAX_ITERATIONS') expect(replied.length).toBe(config.maxIterations);
  if (reason === 'TIMEOUT') expect(durationMs).toBeGreaterThanOrEqual(Math.floor(timeout));
  if (['NO_PROGRESS', 'ERROR_LIMIT', 'MODEL_ERROR'].includes(reason)) {
    expect(total).toBeLessThan(config.tokenBudget);
    expect(durationMs).toBeLessThanOrEqual(Math.ceil(timeout));
    if (reason !== 'MODEL_ERROR') expect(replied.length).toBeLessThan(config.maxIterations);
  }
  expect(decisions.filter(({ verdict }) => !verdict.continue)).toEqual([decisions.at(-1)]);
  expect(decisions.at(-1)?.evaluations.find(({ fired }) => fired)?.reason).toBe(reason);

  // Said once, and saved as it was said.
  for (const [kind, times] of warnings(chunks)) expect(times, kind).toBe(1);
  expect(chunks.filter(({ type }) => type === 'ErrorChunk').length).toBe(reason === 'MODEL_ERROR' ? 1 : 0);
  expect(answer).toBe(streamedAnswer(chunks));
  expect(ending.saved).toMatchObject({ contentCharacters: answer.length, toolCalls: toolCalls.length });
  expect(toolCalls.map(({ outcome }) => outcome.callId)).toEqual(pending(chunks));
  return reason;
}

/** How many distinct calls were started in each turn. */
function startedByTurn(chunks: readonly EmittedChunk[]): readonly number[] {
  const turns = new Map<number, Set<string>>();
  for (const chunk of chunks) {
    if (chunk.type !== 'ToolCallChunk' || chunk.status !== 'RUNNING') continue;
    turns.set(chunk.turn, (turns.get(chunk.turn) ?? new Set()).add(callSignature(chunk)));
  }
  return [...turns.values()].map(({ size }) => size);
}

function warnings(chunks: readonly EmittedChunk[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const chunk of chunks) {
    if (chunk.type !== 'SystemChunk' || chunk.systemType === 'TOOL_LIMIT') continue;
    const kind = `${chunk.systemType} ${chunk.limitType}`;
    times.set(kind, (times.get(kind) ?? 0) + 1);
  }
  return times;
}

function pending(chunks: readonly EmittedChunk[]): readonly string[] {
  return chunks.flatMap((chunk) =>
    chunk.type === 'ToolCallChunk' && chunk.status === 'PENDING' ? [chunk.callId] : [],
  );
}

/** For messages: long texts by their length. */
function shortly(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > 40 ? `${value.length} characters` : value;
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  async function takeTurns(): Promise<void> {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  }
  await Promise.all(Array.from({ length: atOnce }, takeTurns));
}
