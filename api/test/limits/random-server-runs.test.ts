import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { estimateTokenCount } from 'tokenx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Reply as ServerReply, reply as serving, step } from '../kit/model-replies.ts';
import type { ChatRequest } from '../kit/model-server.ts';
import { type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import type { Told } from '../oracle/kit/told.ts';
import { lastReply, type RandomScript, randomScript } from './random-scripts.ts';
import { type RoutedModels, routeModels } from './routed-models.ts';
import type { Reply } from './scripted-model.ts';
import { watchTools } from './watched-tools.ts';

const runs = 50;
/** The least that a person can set. */
const timeoutSeconds = 10;
const promise = 1_000;

const tools = watchTools();
let kit: OracleKit;
let models: RoutedModels;
beforeAll(async () => {
  kit = await startOracleKit({
    tools: tools.registry,
    modelPatience: { firstChunkTimeoutMs: 2_000, idleTimeoutMs: 1_000 },
  });
  models = routeModels(kit.models);
});
afterAll(() => kit.stop());

describe(`${runs} random runs through the whole server, at once`, () => {
  it('never exceed a limit, and are saved and replayed as they were streamed', async () => {
    const scripts = fc.sample(randomScript, { numRuns: runs, seed: 1_116 });
    const asked = await Promise.all(scripts.map(ask));

    for (const [index, { told, replies }] of asked.entries()) check(told, replies, `run ${index}`);
    expect(new Set(asked.map(({ told }) => told.reason)).size).toBeGreaterThanOrEqual(6);
  }, 60_000);
});

/** `settle`, behind `ask`, checks the order, the end, the replay and what is saved. */
async function ask(script: RandomScript, index: number): Promise<{ readonly told: Told; readonly replies: number }> {
  const user = await kit.newUser();
  let turn = 0;
  let refused = 0;
  const model = models.add(`run-${index}`, ({ body }) => {
    const reply = script.replies[turn] ?? lastReply;
    if (refused++ < (reply.refusals ?? 0)) {
      return serving.error(503, { headers: { 'retry-after-ms': String(reply.retryAfterMs ?? 0) } });
    }
    turn += 1;
    refused = 0;
    return serverReply(reply, body);
  });
  const config = { ...script.config, timeoutSeconds, tokenBudget: (script.config.tokenBudget ?? 0) + 300 };
  const stream = kit.open(user, { model, config });
  if (script.cancel && 'chunks' in script.cancel) {
    const { chunks } = script.cancel;
    const { runId, __typename } = await stream.until(
      ({ seq, __typename }) => seq >= chunks || __typename === 'DoneChunk',
    );
    if (__typename !== 'DoneChunk') await kit.cancel(user, runId);
  }
  return { told: await kit.settle(user, stream), replies: turn };
}

function check(told: Told, replies: number, id: string): void {
  const { ending, reason, run } = told;
  const { config } = run;
  const started = told.of('ToolCallChunk').filter(({ status }) => status === 'RUNNING');
  const byTurn = Map.groupBy(started, ({ turn }) => turn);

  expect(reason, id).not.toBe('INTERRUPTED');
  expect(replies, id).toBeLessThanOrEqual(config.maxIterations);
  expect(ending.turns, id).toBeLessThanOrEqual(config.maxIterations);
  for (const calls of byTurn.values()) {
    const distinct = new Set(calls.map((call) => `${call.name}${JSON.stringify(call.arguments)}`));
    expect(distinct.size, id).toBeLessThanOrEqual(Number(config.maxToolCallsPerTurn));
  }
  // A piece of a random script has at most 1 500 characters.
  expect(ending.usage.totalTokens, id).toBeLessThanOrEqual(
    config.tokenBudget + estimateTokenCount('word '.repeat(300)),
  );
  expect(ending.durationMs, id).toBeLessThanOrEqual(timeoutSeconds * 1_000 + promise);
  const warned = told.system('LIMIT_WARNING').map(({ limitType }) => limitType);
  expect(warned.length, id).toBe(new Set(warned).size);
  expect(told.system('LOOP_DETECTED').length, id).toBeLessThanOrEqual(1);
}

function serverReply({ parts, usage, hiddenTokens = 0, keepsCap }: Reply, body: ChatRequest): ServerReply {
  const cap = keepsCap ? (body.max_tokens ?? Infinity) : Infinity;
  const hidden = Math.min(hiddenTokens, Math.max(0, cap - 50));
  let output = hidden;
  const steps = [];
  let calls = 0;
  for (const part of parts) {
    const said = part.do === 'call' ? part.written : 'text' in part ? part.text : '';
    if (output + estimateTokenCount(said) > cap) {
      output = cap;
      break;
    }
    output += estimateTokenCount(said);
    switch (part.do) {
      case 'text':
        steps.push(step.text(part.text));
        break;
      case 'reasoning':
        steps.push(step.reasoning(part.text));
        break;
      case 'call':
        steps.push(step.toolCall({ name: part.name, arguments: part.written }, calls++));
        break;
      case 'pause':
        steps.push(step.wait(pause(part.milliseconds)));
        break;
      case 'break':
        return serving.stream([...steps, step.break()]);
      case 'hang':
        return serving.stream([...steps, step.hang()]);
    }
  }
  const input = body.messages.reduce((sum, { content }) => sum + estimateTokenCount(content ?? ''), 0);
  const reported = usage === 'none' ? [] : [step.usage({ input, output, reasoning: hidden })];
  return serving.stream([...steps, step.finish(output >= cap ? 'length' : 'stop'), ...reported, step.done()]);
}
