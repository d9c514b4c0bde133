import { estimateTokenCount } from 'tokenx';
import { type AgentConfig, AgentConfigSchema } from '../../src/agent/config.ts';
import { DefaultDecisionTree } from '../../src/agent/default-tree.ts';
import type { Decision } from '../../src/agent/steps.ts';
import { openEvents } from '../../src/events/test/open-events.ts';
import { callModel } from '../../src/models/call-model.ts';
import type { RetryPolicy } from '../../src/models/retry-after.ts';
import type { EmittedChunk, RunPorts, RunResult } from '../../src/runner/run-context.ts';
import { type RunUnderWay, runQuery } from '../../src/runner/run-query.ts';
import type { ToolRegistry } from '../../src/tools/registry.ts';
import { noKnowledge } from '../../src/tools/test/no-knowledge.ts';
import { modelSaying, type Reply, type Spent, sizeOf } from './scripted-model.ts';

export interface ScriptedRun {
  readonly config?: Partial<AgentConfig>;
  /** The reply for a turn; 1 for the first. */
  reply(turn: number): Reply;
  readonly tools: ToolRegistry;
  readonly now?: () => number;
  readonly question?: string;
  /** The log has no room for a while. */
  readonly pause?: RunPorts['pause'];
  onEmit?(chunk: EmittedChunk, run: RunUnderWay): void;
  onDecision?(decision: Decision, run: RunUnderWay): void;
}

export interface Watched {
  readonly run: RunUnderWay;
  readonly config: AgentConfig;
  readonly chunks: readonly EmittedChunk[];
  readonly decisions: readonly Decision[];
  /** One for each turn in which the model was asked. */
  readonly spent: readonly Spent[];
  readonly failures: readonly unknown[];
}

const quickRetries: RetryPolicy = { tries: 4, firstDelayMs: 2, longestDelayMs: 20, random: () => 0.5 };

/** Runs the real loop, executor and model caller on a scripted model, with everything that is said kept in memory. */
export function startScripted(script: ScriptedRun): Watched {
  const config: AgentConfig = { ...AgentConfigSchema.parse({}), ...script.config };
  const chunks: EmittedChunk[] = [];
  const decisions: Decision[] = [];
  const spent: Spent[] = [];
  const failures: unknown[] = [];
  const ports: RunPorts = {
    tree: new DefaultDecisionTree(config),
    tools: script.tools,
    toolScope: { projectId: 'project', userId: 'user', ...noKnowledge },
    callModel: (request, hear) => {
      const account: Spent = { input: sizeOf(request), output: 0, lastPiece: 0, finished: false, calls: 0 };
      spent.push(account);
      return callModel(modelSaying(script.reply(spent.length), request, account), request, hear, quickRetries);
    },
    loadHistory: async () => ({ exchanges: [] }),
    openEvents,
    emit: (chunk) => {
      chunks.push(chunk);
      script.onEmit?.(chunk, run);
    },
    pause: script.pause ?? (() => undefined),
    recordDecision: (decision) => {
      decisions.push(decision);
      script.onDecision?.(decision, run);
    },
    reportFailure: (error) => void failures.push(error),
    estimateTokens: estimateTokenCount,
    now: script.now ?? (() => performance.now()),
    frozen: true,
  };
  const run = runQuery(
    {
      runId: 'run',
      userId: 'user',
      projectId: 'project',
      question: script.question ?? 'What is it?',
      config,
      thinking: true,
      windowSize: 64_000,
    },
    ports,
  );
  return { run, config, chunks, decisions, spent, failures };
}

export function streamedAnswer(chunks: readonly EmittedChunk[]): string {
  return chunks.map((chunk) => (chunk.type === 'ContentChunk' ? chunk.text : '')).join('');
}

/** The script to its end. */
export async function runScripted(script: ScriptedRun): Promise<Watched & { readonly result: RunResult }> {
  const watched = startScripted(script);
  return { ...watched, result: await watched.run.result };
}
