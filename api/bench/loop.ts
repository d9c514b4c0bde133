import { AgentConfigSchema } from '../src/agent/config.ts';
import { DefaultDecisionTree } from '../src/agent/default-tree.ts';
import { openAllEvents } from '../src/events/test/open-events.ts';
import type { ModelEvent } from '../src/models/model-port.ts';
import { estimateTokens } from '../src/models/token-estimate.ts';
import type { RunPorts } from '../src/runner/run-context.ts';
import { runQuery } from '../src/runner/run-query.ts';
import { noKnowledge } from '../src/tools/test/no-knowledge.ts';
import { median } from './median.ts';
import { benchTools, deltasPerTurn, deltaText } from './workload.ts';

export interface LoopCost {
  readonly turns: number;
  /** Microseconds of processor time for each turn. */
  readonly bare: number;
  readonly runner: number;
}

const rounds = 7;
/** So many turns are run, in runs of whatever length, for one measurement. */
const turnsPerRound = 3_000;

/** What the loop itself costs: the runner with everything on, against a loop that only reads the same events. */
export async function measureLoop(lengths: readonly number[]): Promise<readonly LoopCost[]> {
  const costs: LoopCost[] = [];
  for (const turns of lengths) {
    const bare: number[] = [];
    const runner: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await costOf(() => runBare(turns), turns));
      runner.push(await costOf(() => runWhole(turns), turns));
    }
    // The first rounds are still being compiled.
    costs.push({ turns, bare: median(bare.slice(2)), runner: median(runner.slice(2)) });
  }
  return costs;
}

async function costOf(run: () => Promise<unknown>, turns: number): Promise<number> {
  const times = Math.ceil(turnsPerRound / turns);
  globalThis.gc?.();
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (times * turns);
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

async function runBare(turns: number): Promise<number> {
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

async function runWhole(turns: number): Promise<number> {
  const chunks: unknown[] = [];
  const decisions: unknown[] = [];
  let turn = 0;
  const ports: RunPorts = {
    tree: new DefaultDecisionTree(config),
    callModel: () => reply(++turn, turns),
    tools: benchTools,
    toolScope: {
      projectId: 'project',
      userId: 'user',
      ...noKnowledge,
    },
    loadHistory: async () => ({ exchanges: [] }),
    openEvents: openAllEvents,
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
