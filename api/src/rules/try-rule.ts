import { tightened } from '../agent/advance.ts';
import type { Effect } from './action.ts';
import { type Firing, RuleEvaluator, RuleMemory, RulesTogether } from './evaluate.ts';
import type { Rule } from './load-rules.ts';
import type { OwnEffects, PastMoment } from './past-run.ts';
import type { Trigger } from './rule.ts';
import type { RuleFacts } from './vocabulary.ts';

/** What a rule would have done at one moment, or why it would have failed there. */
export interface TriedFiring {
  readonly turn: number;
  readonly trigger: Trigger;
  readonly effect: Effect | undefined;
  readonly error: string | undefined;
}

/** Asks a rule at each of its moments. What it sets and tightens counts from then on; nothing else happens. */
export function tryRule(
  rule: Rule,
  moments: readonly PastMoment[],
  remembered: RuleFacts['state'] = {},
): readonly TriedFiring[] {
  const memory = new RuleMemory();
  const together = new RulesTogether([rule]);
  let own: OwnEffects = { state: remembered, limits: {} };
  const tried: TriedFiring[] = [];
  for (const moment of moments) {
    const { trigger, turn } = moment;
    if (trigger !== rule.declaration.trigger) continue;
    const facts = moment.facts(own);
    const take = (firing: Firing) => {
      const effect = firing.type === 'fired' ? firing.effect : undefined;
      own = after(own, effect, facts);
      tried.push({ turn, trigger, effect, error: firing.type === 'failed' ? firing.message : undefined });
    };
    new RuleEvaluator({ memory, facts, at: { place: 0 }, take, now: () => 0, workedMs: () => 0 }).ask(together);
  }
  return tried;
}

function after(own: OwnEffects, effect: Effect | undefined, { limits, turn }: RuleFacts): OwnEffects {
  if (effect?.type === 'set_state') return { ...own, state: { ...own.state, [effect.key]: effect.value } };
  if (effect?.type !== 'limit') return own;
  const { field } = effect;
  const to = tightened(limits[field], field, effect.to, turn);
  return { ...own, limits: { ...own.limits, [field]: Math.min(own.limits[field] ?? to, to) } };
}

/** "Would have fired at turns 3 and 7." */
export function inWords(tried: readonly TriedFiring[], asked: number): string {
  const fired = [...new Set(tried.filter(({ effect }) => effect).map(({ turn }) => turn))];
  const failed = tried.filter(({ error }) => error !== undefined).length;
  const parts = [
    fired.length === 0
      ? asked === 0
        ? 'Its trigger did not occur in this run.'
        : 'It would not have fired.'
      : `It would have fired at ${fired.length === 1 ? 'turn' : 'turns'} ${listed(fired)}.`,
    ...(failed > 0 ? [`It would have failed ${failed === 1 ? 'once' : `${failed} times`}.`] : []),
  ];
  return parts.join(' ');
}

function listed(numbers: readonly number[]): string {
  const last = numbers.at(-1);
  return numbers.length <= 1 ? String(last) : `${numbers.slice(0, -1).join(', ')} and ${last}`;
}
