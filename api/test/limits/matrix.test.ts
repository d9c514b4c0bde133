import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { reply, type Step, step } from '../kit/model-replies.ts';
import type { ModelServerRequest } from '../kit/model-server.ts';
import { type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import type { Asked, Stream } from '../oracle/kit/stream.ts';
import type { Told } from '../oracle/kit/told.ts';
import { impossible, type Limit, limits, type Moment, moments } from './matrix.ts';
import { type Answering, type RoutedModels, routeModels } from './routed-models.ts';
import type { Part } from './scripted-model.ts';
import { runScripted, streamedAnswer } from './scripted-run.ts';
import { watchTools } from './watched-tools.ts';

/** From the limit to the terminal chunk. */
const promise = 1_000;
const usage = { input: 100, output: 10 };
const sentence = 'A sentence that is streamed again and again. ';

let kit: OracleKit;
let models: RoutedModels;
beforeAll(async () => {
  kit = await startOracleKit({ tools: watchTools().registry });
  models = routeModels(kit.models);
});
afterAll(() => kit.stop());

const tested = new Set<string>();
/** One field of the matrix. Those that wait for a real clock wait together. */
function field(limit: Limit, moment: Moment, behaviour: string, test: () => Promise<void>): void {
  tested.add(`${limit} ${moment}`);
  it.concurrent(`${limit}, ${moment}: ${behaviour}`, test);
}

const callOf = (name: string, n = 0) => ({ name, arguments: { n } });
const calling = (name: string, n = 0, used = usage) =>
  reply.toolCalls([callOf(name, n)], { usage: used, text: 'Hm. ' });

/** Asks a model that says this; `settle` checks that everything is saved and replayed as it was streamed. */
async function ask(id: string, says: Parameters<RoutedModels['add']>[1], asked: Asked, during?: During): Promise<Told> {
  const user = await kit.newUser();
  const stream = kit.open(user, { model: models.add(id, says), ...asked });
  await during?.(stream, user);
  const told = await kit.settle(user, stream);
  const next = await kit.ask(user, { model: 'simulated/answer', conversationId: told.conversationId });

  expect(next.reason).toBe('COMPLETED');
  expect(next.exchange.parentId).toBe(told.nodeId);
  return told;
}
type During = (stream: Stream, user: TestUser) => Promise<void>;

function expectClosing(told: Told, words: string): void {
  expect(told.of('ContentChunk').at(-1)?.text).toContain(words);
  expect(told.exchange.answer).toContain(words);
}

describe('a limit', () => {
  field('iterations', 'between turns', 'the calls of the last turn are answered, then it ends', async () => {
    const told = await ask('i-b', (_request, number) => calling('look', number), { config: { maxIterations: 3 } });

    expect(told.ending).toMatchObject({
      reason: 'MAX_ITERATIONS',
      limitType: 'ITERATIONS',
      usedValue: 3,
      limitValue: 3,
    });
    expect(told.ending).toMatchObject({ turns: 3, usage: { inputTokens: 300, outputTokens: 30, estimated: false } });
    expect(models.requests('i-b')).toHaveLength(3);
    expectClosing(told, '3 of 3 turns');
  });

  field('iterations', 'between turns', 'with one turn allowed, its tools are run', async () => {
    const told = await ask('i-b1', [calling('look')], { config: { maxIterations: 1 } });

    expect(told.ending).toMatchObject({ reason: 'MAX_ITERATIONS', usedValue: 1, limitValue: 1, turns: 1 });
    expect(told.of('ToolResultChunk')).toMatchObject([{ ok: true }]);
  });

  field('tokens', 'while streaming', 'the chunk in hand is kept, and the provider is left', async () => {
    const endless = reply.stream([...Array<Step>(400).fill(step.text(sentence)), step.hang()]);
    const told = await ask('t-s', [endless], { config: { tokenBudget: 1_000 } });
    const [request] = models.requests('t-s');
    await request?.closed;

    expect(told.ending).toMatchObject({ reason: 'TOKEN_BUDGET', limitType: 'TOKENS', limitValue: 1_000, turns: 1 });
    expect(told.ending.usedValue).toBe(told.ending.usage.totalTokens);
    expect(told.ending.usedValue).toBeGreaterThanOrEqual(1_000);
    expect(told.ending.usedValue).toBeLessThan(1_000 + sentence.length);
    expect(told.ending.usage.estimated).toBe(true);
    expect(told.text.startsWith(sentence.repeat(2))).toBe(true);
    expectClosing(told, 'token budget');
  });

  field('tokens', 'between turns', 'a call that cannot fit is not made, and what it would take is said', async () => {
    const told = await ask('t-b', [calling('look', 0, { input: 700, output: 250 })], {
      config: { tokenBudget: 1_000 },
    });

    expect(told.ending).toMatchObject({ reason: 'TOKEN_BUDGET', usedValue: 950, limitValue: 1_000, turns: 1 });
    expect(told.ending.usage).toMatchObject({ inputTokens: 700, outputTokens: 250, totalTokens: 950 });
    expect(models.requests('t-b')).toHaveLength(1);
    expectClosing(told, 'would have taken');
  });

  field('time', 'while streaming', 'what was said is kept', async () => {
    const told = await ask('z-s', [reply.stream([step.text(sentence), step.hang()])], {
      config: { timeoutSeconds: 10 },
    });

    expectTimeout(told);
    expect(told.ending).toMatchObject({ turns: 1, unfinishedTools: [] });
    expect(told.text.startsWith(sentence)).toBe(true);
  });

  field('time', 'in a tool', 'tools are stopped or abandoned, and their fates told', async () => {
    const both = reply.toolCalls([callOf('linger'), callOf('deaf_for_ever'), callOf('look')], { usage });
    const told = await ask('z-t', [both], { config: { timeoutSeconds: 10 } });

    expectTimeout(told);
    expect(told.ending.unfinishedTools).toMatchObject([
      { name: 'linger', fate: 'STOPPED' },
      { name: 'deaf_for_ever', fate: 'UNKNOWN' },
    ]);
    expect(told.of('ToolResultChunk')).toMatchObject([{ ok: false }, { ok: false }, { name: 'look', ok: true }]);
    expect(told.ending).toMatchObject({ turns: 1, usage: { totalTokens: 110 }, saved: { toolCalls: 3 } });
  });

  field('time', 'in a retry wait', 'the provider that asks for a minute is not waited for', async () => {
    const told = await ask('z-r', [reply.error(429, { headers: { 'retry-after': '60' } })], {
      config: { timeoutSeconds: 10 },
    });

    expectTimeout(told);
    expect(told.ending).toMatchObject({ turns: 1, usage: { totalTokens: 0 } });
    expect(models.requests('z-r')).toHaveLength(1);
  });

  field('time', 'between turns', 'no turn begins after it', async () => {
    let late = 0;
    const { result, chunks, spent } = await runScripted({
      tools: watchTools().registry,
      config: { timeoutSeconds: 60 },
      now: () => performance.now() + late,
      reply: () => ({ parts: [{ do: 'text', text: sentence }, lookAt(1)], usage: 'reported', keepsCap: true }),
      onEmit: ({ type }) => {
        if (type === 'ToolResultChunk') late = 60_100; // the clock, not the timer
      },
    });

    expect(result.ending).toMatchObject({ reason: 'TIMEOUT', limitType: 'TIME', limitValue: 60, turns: 1 });
    expect(result.ending.durationMs - 60_000).toBeLessThanOrEqual(promise);
    expect(spent).toHaveLength(1);
    expect(result.answer).toBe(streamedAnswer(chunks));
  });

  field('tool calls per turn', 'in a tool', 'the others are not run, which is said, and the run goes on', async () => {
    const many = reply.toolCalls(
      [0, 1, 2, 3, 3].map((n) => callOf('look', n)),
      { usage },
    );
    const told = await ask('c-t', [many, reply.text('Done.')], { config: { maxToolCallsPerTurn: 2 } });

    expect(told.ending).toMatchObject({ reason: 'COMPLETED', limitType: null, turns: 2 });
    expect(told.of('ToolResultChunk')).toHaveLength(2);
    expect(told.of('ToolCallChunk').filter(({ status }) => status === 'NOT_RUN')).toHaveLength(3);
    expect(told.system('TOOL_LIMIT')).toMatchObject([{ limitType: 'TOOL_CALLS', currentValue: 5, limitValue: 2 }]);
    expect(toolAnswers('c-t', 1)).toHaveLength(5);
  });

  field('no progress', 'between turns', 'after the results of the third turn', async () => {
    const told = await ask('p-b', () => calling('look', 1), {});

    expect(told.ending).toMatchObject({ reason: 'NO_PROGRESS', usedValue: 3, limitValue: 3, turns: 3 });
    expect(told.ending.usage).toMatchObject({ inputTokens: 300, outputTokens: 30 });
    expect(told.of('ToolResultChunk')).toHaveLength(3);
    expect(told.system('NO_PROGRESS')).toHaveLength(1);
    expectClosing(told, 'look:{"n":1}');
  });

  field('errors', 'between turns', 'after the results of the third turn', async () => {
    const told = await ask('e-b', (_request, number) => calling('fail', number), {});

    expect(told.ending).toMatchObject({ reason: 'ERROR_LIMIT', usedValue: 3, limitValue: 3, turns: 3 });
    expect(told.of('ToolResultChunk')).toMatchObject([{ ok: false }, { ok: false }, { ok: false }]);
    expect(told.system('ERROR_LIMIT')).toHaveLength(1);
    expectClosing(told, 'Broken 3.');
  });
});

describe('cancelling', () => {
  field('cancel', 'while streaming', 'what was said is kept', async () => {
    const told = await cancelled('x-s', [reply.stream([step.text(sentence), step.hang()])], (stream) =>
      stream.until(({ __typename }) => __typename === 'ContentChunk'),
    );

    expect(told.text).toBe(sentence);
    expect(told.ending).toMatchObject({ turns: 1, limitType: null, usage: { estimated: true } });
  });

  field('cancel', 'in a tool', 'the tool is stopped, its fate told, and nothing is left dangling', async () => {
    const told = await cancelled('x-t', [calling('linger')], (stream) =>
      stream.until((chunk) => chunk.__typename === 'ToolCallChunk' && chunk.status === 'RUNNING'),
    );

    expect(told.ending).toMatchObject({ turns: 1, usage: { totalTokens: 110, estimated: false } });
    expect(told.ending.unfinishedTools).toMatchObject([{ name: 'linger', fate: 'STOPPED' }]);
  });

  field('cancel', 'in a retry wait', 'the wait ends', async () => {
    const refused = Promise.withResolvers<ModelServerRequest>();
    const says: Answering = (request) => {
      refused.resolve(request);
      return reply.error(503, { headers: { 'retry-after': '60' } });
    };
    const told = await cancelled('x-r', says, async (_stream, user) => {
      await (await refused.promise).closed;
      const { runs } = await user.ask<RunsView>('{ runs(first: 1) { edges { node { id } } } }');
      return { runId: runs.edges[0]?.node.id ?? '' };
    });

    expect(told.ending).toMatchObject({ turns: 1, usage: { totalTokens: 0 } });
    expect(models.requests('x-r')).toHaveLength(1);
  });

  field('cancel', 'between turns', 'the coming turn says nothing', async () => {
    const { result, chunks } = await runScripted({
      tools: watchTools().registry,
      reply: () => ({ parts: [{ do: 'text', text: sentence }, lookAt(1)], usage: 'reported', keepsCap: true }),
      onDecision: ({ turn }, run) => {
        if (turn === 1) run.stop('cancelled');
      },
    });

    expect(result.ending).toMatchObject({ reason: 'CANCELLED', unfinishedTools: [], saved: { toolCalls: 1 } });
    expect(result.answer).toBe(sentence);
    expect(result.answer).toBe(streamedAnswer(chunks));
  });
});

describe('the matrix', () => {
  it.for(limits)('has a test for %s at every moment at which it can come', (limit) => {
    const left = moments.filter((moment) => !tested.has(`${limit} ${moment}`));

    expect(left).toEqual(moments.filter((moment) => impossible[limit]?.[moment] !== undefined));
  });
});

function expectTimeout(told: Told): void {
  const { ending } = told;
  expect(ending).toMatchObject({ reason: 'TIMEOUT', limitType: 'TIME', limitValue: 10 });
  expect(ending.usedValue).toBeGreaterThanOrEqual(10);
  expect(ending.durationMs).toBeGreaterThanOrEqual(10_000);
  expect(ending.durationMs - 10_000).toBeLessThanOrEqual(promise);
  expect(told.system('LIMIT_WARNING')).toMatchObject([{ limitType: 'TIME', limitValue: 10 }]);
  expect(told.system('LIMIT_REACHED')).toMatchObject([{ limitType: 'TIME', limitValue: 10 }]);
  expectClosing(told, 'of 10 seconds used');
}

interface RunsView {
  readonly runs: { readonly edges: readonly { readonly node: { readonly id: string } }[] };
}

async function cancelled(
  id: string,
  says: Parameters<RoutedModels['add']>[1],
  moment: (stream: Stream, user: TestUser) => Promise<{ readonly runId: string }>,
): Promise<Told> {
  let asked = 0;
  const told = await ask(id, says, {}, async (stream, user) => {
    const { runId } = await moment(stream, user);
    asked = Date.now();
    expect(await kit.cancel(user, runId)).toBe(true);
  });

  expect(told.reason).toBe('CANCELLED');
  expect(Date.parse(told.done.at) - asked).toBeLessThanOrEqual(promise);
  expect(told.of('SystemChunk')).toEqual([]);
  return told;
}

/** What the model was told of its calls in its request with this number, counted from 0. */
function toolAnswers(id: string, request: number): readonly unknown[] {
  return (models.requests(id)[request]?.body.messages ?? []).filter(({ role }) => role === 'tool');
}

function lookAt(n: number): Part {
  return { do: 'call', name: 'look', written: JSON.stringify({ n }) };
}
