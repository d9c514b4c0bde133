import type { AgentConfig } from './config.ts';
import type { AgentState } from './state.ts';
import type { Verdict } from './termination.ts';
import type { ToolOutcome } from './tool-call.ts';

/**
 * Decides when a run goes on, and what the person and the model are told on the way. Any object with these methods
 * will do. Pure: no I/O and no clock; the time is a field of the state.
 */
export interface DecisionTree {
  /** The limits this tree works under: those it was given, or tighter ones. */
  getConfig(): AgentConfig;
  shouldContinue(state: AgentState): Verdict;
  /** May attach notices for the person and hints for the model, withhold the tools, and write extensions. */
  onTurnStart(state: AgentState): AgentState;
  /** The core has already recorded the outcome. */
  onToolResult(state: AgentState, outcome: ToolOutcome): AgentState;
}

export type DecisionTreeClass = new (config: AgentConfig) => DecisionTree;

export interface DecisionTreeInfo {
  readonly name: string;
  readonly description: string;
}

export class UnknownDecisionTree extends Error {
  constructor(name: string, known: readonly string[]) {
    super(`There is no decision tree named "${name}". Known: ${known.join(', ')}.`);
    this.name = 'UnknownDecisionTree';
  }
}

const registered = new Map<string, DecisionTreeInfo & { readonly tree: DecisionTreeClass }>();

/** Registers a class under the name by which a query chooses it. */
export function decisionTree(name: string, description = '') {
  return (tree: DecisionTreeClass, _context: ClassDecoratorContext): void => {
    if (!/^[a-z][a-z0-9-]*$/.test(name))
      throw new Error(`"${name}" cannot name a decision tree: use lower-case letters, digits and hyphens.`);
    if (registered.has(name)) throw new Error(`A decision tree named "${name}" is registered already.`);
    registered.set(name, { name, description, tree });
  };
}

export function createDecisionTree(name: string, config: AgentConfig): DecisionTree {
  const found = registered.get(name);
  if (found === undefined) throw new UnknownDecisionTree(name, knownNames());
  return new found.tree(config);
}

/** By name, for people to choose from. */
export function listDecisionTrees(): readonly DecisionTreeInfo[] {
  return [...registered.values()]
    .map(({ name, description }) => ({ name, description }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function knownNames(): readonly string[] {
  return listDecisionTrees().map(({ name }) => name);
}
