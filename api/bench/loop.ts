import type { LanguageModelV4 } from '@ai-sdk/provider';
import { AgentConfigSchema } from '../src/agent/config.ts';
import { DefaultDecisionTree } from '../src/agent/default-tree.ts';
import type { RunEvents, RunView } from '../src/events/run-events.ts';
import { callModel } from '../src/models/call-model.ts';
import type { ModelEvent } from '../src/models/model-port.ts';
import { told } from '../src/models/test/told.ts';
import { estimateTokens } from '../src/models/token-estimate.ts';
import type { RunPorts } from '../src/runner/run-context.ts';
import { runQuery } from '../src/runner/run-query.ts';
import { noKnowledge } from '../src/tools/test/no-knowledge.ts';
import { benchTools, deltasPerTurn, deltaText } from './workload.ts';

/**
 * Microseconds of processor time for each turn of what `work` does. What only this thread took leaves out compiling and
 * collecting garbage beside it; the system knows it exactly only while the thread has been asleep since, now and then.
 */
export async function costOf(
  turns: number,
  work: () => Promise<unknown>,
  used: (before?: NodeJS.CpuUsage) => NodeJS.CpuUsage = process.cpuUsage,
): Promise<number> {
  const before = used();
  await work();
  const { user, system } = used(before);
  return (user + system) / turns;
}

async function* reply(turn: number, turns: number): AsyncGenerator<ModelEvent, void, undefined> {
  for (let delta = 0; delta < deltasPerTurn; delta += 1) yield { type: 'text-delta', text: deltaText };
  const page = { page: turn };
  if (turn < turns)
    yield {
      type: 'tool-call',
      callId: `call-${turn}`,
      name: 'look',
      argumentsText: JSON.stringify(page),
      arguments: page,
    };
  yield {
    type: 'usage',
    usage: { inputTokens: 100, cachedInputTokens: 0, outputTokens: 100, reasoningTokens: 0, estimated: false },
  };
  yield { type: 'finish', kind: turn < turns ? 'tool-calls' : 'stop' };
}

/** A loop that only reads the events, runs the tool and keeps what was said. */
export async function runBare(turns: number): Promise<number> {
  const chunks: unknown[] = [];
  const messages: unknown[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    let text = '';
    for await (const event of reply(turn, turns)) {
      if (event.type === 'text-delta') {
        text += event.text;
        chunks.push({ type: 'ContentChunk', text: event.text });
      } else if (event.type === 'tool-call') {
        const result = await Promise.resolve(`page ${turn}`);
        chunks.push({ type: 'ToolResultChunk', callId: event.callId, result });
        messages.push(event, result);
      }
    }
    messages.push(text);
  }
  return chunks.length;
}

const config = { ...AgentConfigSchema.parse({}), maxIterations: 1_000, tokenBudget: 100_000_000, timeoutSeconds: 600 };
const request = {
  runId: 'run',
  userId: 'user',
  projectId: 'project',
  question: 'Why?',
  thinking: false,
  windowSize: 64_000,
};

/**
 * The runner with everything on, but for a model and a log in memory. The model is a generator of events, as for the bare
 * loop; or, with `asked`, one as providers are, read by the product as it reads them.
 */
export async function runWhole(
  turns: number,
  openEvents: (view: RunView) => RunEvents,
  asked?: LanguageModelV4,
): Promise<number> {
  const chunks: unknown[] = [];
  const decisions: unknown[] = [];
  let turn = 0;
  const ports: RunPorts = {
    tree: new DefaultDecisionTree(config),
    callModel: (request, hear) => (asked ? callModel(asked, request, hear) : told(reply(++turn, turns), hear)),
    tools: benchTools,
    toolScope: { projectId: 'project', userId: 'user', ...noKnowledge },
    loadHistory: async () => ({ exchanges: [] }),
    openEvents,
    emit: (chunk) => void chunks.push(chunk),
    pause: () => undefined,
    recordDecision: (decision) => void decisions.push(decision),
    reportFailure: (error) => {
      throw error;
    },
    estimateTokens,
    now: () => performance.now(),
    frozen: false,
  };
  const { ending } = await runQuery({ ...request, config }, ports).result;
  if (ending.turns !== turns || ending.reason !== 'COMPLETED')
    throw new Error(`The loop ended early: ${ending.message}`);
  return chunks.length;
}
