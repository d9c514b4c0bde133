import { estimateTokenCount } from 'tokenx';
import { AgentConfigSchema } from '../../agent/config.ts';
import { DefaultDecisionTree } from '../../agent/default-tree.ts';
import { openAllEvents } from '../../events/test/open-events.ts';
import { createToolRegistry } from '../../tools/registry.ts';
import { noKnowledge } from '../../tools/test/no-knowledge.ts';
import { openRun as openBareRun } from '../open-run.ts';
import type { EmittedChunk, RunContext } from '../run-context.ts';

const config = AgentConfigSchema.parse({ tokenBudget: 200_000 });

/** A run that has not begun, and what it emits. */
export interface Opened extends RunContext {
  readonly emitted: readonly EmittedChunk[];
  readonly estimates: () => number;
  /** What the model is told with the coming request. */
  readonly lateHints: readonly string[];
}

export function openRun({ windowSize = 64_000, tokenBudget = config.tokenBudget } = {}): Opened {
  const emitted: EmittedChunk[] = [];
  let estimates = 0;
  const limits = { ...config, tokenBudget };
  const run = openBareRun(
    { runId: 'r', userId: 'u', projectId: 'p', question: 'Q?', config: limits, thinking: false, windowSize },
    {
      tree: new DefaultDecisionTree(limits),
      tools: createToolRegistry([]),
      toolScope: { projectId: 'p', userId: 'u', runId: 'r', ...noKnowledge },
      callModel: () => {
        throw new Error('No model here.');
      },
      loadHistory: async () => ({ exchanges: [] }),
      openEvents: openAllEvents,
      emit: (chunk) => void emitted.push(chunk),
      pause: () => undefined,
      recordDecision: () => undefined,
      reportFailure: () => undefined,
      estimateTokens: (text) => {
        estimates += 1;
        return estimateTokenCount(text);
      },
      now: () => 0,
      frozen: true,
    },
  );
  return {
    ...run,
    emitted,
    estimates: () => estimates,
    get lateHints() {
      return run.events.takeHints();
    },
  };
}
