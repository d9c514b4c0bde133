import { advance } from './advance.ts';
import type { AgentConfig } from './config.ts';
import { type DecisionTree, decisionTree } from './decision-tree.ts';
import type { AgentState } from './state.ts';
import { judge, type Verdict } from './termination.ts';
import type { ToolOutcome } from './tool-call.ts';
import { dueWarnings, lastTurn, noProgressHint, wrapUpHint } from './warnings.ts';

@decisionTree('default', 'Works until the question is answered, a limit is reached or nothing new turns up.')
export class DefaultDecisionTree implements DecisionTree {
  readonly #config: AgentConfig;

  constructor(config: AgentConfig) {
    this.#config = config;
  }

  getConfig(): AgentConfig {
    return this.#config;
  }

  shouldContinue(state: AgentState): Verdict {
    return judge(state);
  }

  /** Warns of limits that come near, and makes the last affordable turn one for the answer. */
  onTurnStart(state: AgentState): AgentState {
    let next = state;
    for (const { warning, notice, hint } of dueWarnings(state)) {
      next = advance(next, { type: 'notice-attached', notice, warning });
      next = advance(next, { type: 'hint-attached', hint });
    }
    const stuck = noProgressHint(state);
    if (stuck !== undefined) next = advance(next, { type: 'hint-attached', hint: stuck });
    return lastTurn(state) === undefined ? next : wrapUp(next, wrapUpHint);
  }

  onToolResult(state: AgentState, _outcome: ToolOutcome): AgentState {
    return state;
  }
}

/** A turn without tools, in which the model is told to answer. */
export function wrapUp(state: AgentState, hint: string): AgentState {
  return advance(advance(state, { type: 'tools-withheld' }), { type: 'hint-attached', hint });
}
