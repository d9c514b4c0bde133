import { knownEventNames } from '../events/event.ts';
import { EventNames } from '../events/event-names.ts';
import { indexRules, type RulesTogether } from '../rules/evaluate.ts';
import type { Rule } from '../rules/load-rules.ts';

/** Rules by the place of the event that wakes them, found out once for all runs with the same rules. */
export interface PlacedRules {
  /** With the start of a turn, from when on other rules may be in force. */
  readonly names: EventNames;
  readonly at: readonly (RulesTogether | undefined)[];
}

export function placeRules(rules: readonly Rule[]): PlacedRules {
  const index = indexRules(rules);
  return {
    names: new EventNames((name) => name === 'agent.turn.start' || index.has(name)),
    at: knownEventNames.map((name) => index.get(name)),
  };
}
