import { estimateTokenCount } from 'tokenx';
import { AgentConfigSchema } from '../../agent/config.ts';
import { DefaultDecisionTree } from '../../agent/default-tree.ts';
import { initialState } from '../../agent/state.ts';
import { createToolRegistry } from '../../tools/registry.ts';
import { noKnowledge } from '../../tools/test/no-knowledge.ts';
import type { EmittedChunk, RunContext } from '../run-context.ts';

const config = AgentConfigSchema.parse({ tokenBudget: 200_000 });

/** A run that has not begun, and what it emits. */
export interface Opened extends RunContext {
  readonly emitted: readonly EmittedChunk[];
  readonly estimates: () => number;
}

export function openRun({ windowSize = 64_000, tokenBudget = config.tokenBudget } = {}): Opened {
  const emitted: EmittedChunk[] = [];
  let estimates = 0;
  const limits = { ...config, tokenBudget };
  return {
    emitted,
    estimates: () => estimates,
    request: { runId: 'r', userId: 'u', projectId: 'p', question: 'Q?', config: limits, thinking: false, windowSize },
    ports: {
      tree: new DefaultDecisionTree(limits),
      tools: createToolRegistry([]),
      toolScope: { projectId: 'p', userId: 'u', runId: 'r', ...noKnowledge },
      callModel: () => {
        throw new Error('No model here.');
      },
      loadHistory: async () => [],
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
    deadline: 1,
    stop: new AbortController(),
    declarations: [],
    state: initialState({ userId: 'u', projectId: 'p', config: limits, now: 0, windowSize }),
    messages: [],
    sizes: [],
    pastExchanges: 0,
    promptTokens: 0,
    toolTokens: 0,
    reportedContext: 0,
    answer: '',
    toolCalls: [],
    sources: [],
    unfinishedTools: [],
    reservedTokens: 0,
    delegations: 0,
    lateHints: [],
  };
}
