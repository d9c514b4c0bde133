import type { RuleDeclaration } from '../rules/rule.ts';

/** What somebody decided about rules, by their ids. */
export type Switches = ReadonlyMap<string, boolean>;

/**
 * Whether a rule counts for a person. What an administrator switched off is off for everybody; a core rule is not a
 * person's to switch; else the person decides, then the organisation, then the rule itself.
 */
export function isEnabled({ id, core, enabled }: RuleDeclaration, organisation: Switches, personal: Switches): boolean {
  const common = organisation.get(id);
  if (common === false) return false;
  return (core ? undefined : personal.get(id)) ?? common ?? enabled;
}
