import { decisionTree } from '../decision-tree.ts';
import { DefaultDecisionTree, wrapUp } from '../default-tree.ts';
import type { AgentState } from '../state.ts';
import { wrapUpHint } from '../warnings.ts';

@decisionTree('answer-now', 'Answers at once from what the conversation holds: no tools are offered.')
export class AnswerNowTree extends DefaultDecisionTree {
  override onTurnStart(state: AgentState): AgentState {
    const next = super.onTurnStart(state);
    return next.toolsOffered ? wrapUp(next, wrapUpHint) : next;
  }
}
