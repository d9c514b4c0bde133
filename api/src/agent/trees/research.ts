import type { AgentConfig } from '../config.ts';
import { decisionTree } from '../decision-tree.ts';
import { DefaultDecisionTree, wrapUp } from '../default-tree.ts';
import { defineExtension } from '../extensions.ts';
import type { AgentState } from '../state.ts';
import type { ToolOutcome } from '../tool-call.ts';

/** Kept in the state's extensions, so that it is saved, shown and replayed with the rest. */
type Research = { readonly phase: 'research' | 'answer'; readonly findings: number };
export const research = defineExtension<Research>('research', { phase: 'research', findings: 0 });

@decisionTree('research', 'Gathers first, for at most half of the turns, then answers from what was found.')
export class ResearchTree extends DefaultDecisionTree {
  override onTurnStart(state: AgentState): AgentState {
    const next = super.onTurnStart(state);
    const { phase, findings } = research.read(next);
    if (phase === 'research' && !isGathered(state.turn, findings, this.getConfig())) return next;
    const answering = research.write(next, { phase: 'answer', findings });
    return wrapUp(
      answering,
      'The research is over: answer the question from what you have found, naming your sources.',
    );
  }

  override onToolResult(state: AgentState, outcome: ToolOutcome): AgentState {
    if (outcome.status !== 'succeeded') return state;
    const { phase, findings } = research.read(state);
    return research.write(state, { phase, findings: findings + 1 });
  }
}

function isGathered(turns: number, findings: number, config: AgentConfig): boolean {
  return findings >= 12 || turns >= Math.ceil(config.maxIterations / 2);
}
