import type { Effect } from './action.ts';
import { failureOf } from './expression.ts';
import type { Rule } from './load-rules.ts';
import { NotQuick, type QuickCondition } from './quick-condition.ts';
import type { Trigger } from './rule.ts';
import { type DressedFacts, languageOf } from './rule-context.ts';
import type { RuleFacts } from './vocabulary.ts';

/** What one rule may take. Its cost is bounded before it is loaded; this is for what nobody thought of. */
export const ruleBudgetMs = 5;

/** Rules that are switched on, by their trigger, in the order in which they fire. */
export type RulesByTrigger = ReadonlyMap<Trigger, readonly Rule[]>;

/** Those in force, highest priority first; of equal ones, in the order of their ids. */
export function indexRules(rules: readonly Rule[]): RulesByTrigger {
  const index = new Map<Trigger, Rule[]>();
  const inOrder = rules.toSorted(
    ({ declaration: one }, { declaration: other }) => other.priority - one.priority || (one.id < other.id ? -1 : 1),
  );
  for (const rule of inOrder) {
    const same = index.get(rule.declaration.trigger);
    if (same) same.push(rule);
    else index.set(rule.declaration.trigger, [rule]);
  }
  return index;
}

/** What is remembered of the rules within one run. */
export class RuleMemory {
  readonly #fired = new Set<string>();
  readonly #skipped = new Set<string>();
  readonly #failures = new Set<string>();

  mayFire({ declaration: { id, once } }: Rule): boolean {
    return !this.#skipped.has(id) && !(once && this.#fired.has(id));
  }

  noteFired(id: string): void {
    this.#fired.add(id);
  }

  /** For the rest of the run. */
  skip(id: string): void {
    this.#skipped.add(id);
  }

  /** Whether this was not said before: a rule that fails in the same way each turn is shown once. */
  isNewFailure(id: string, message: string): boolean {
    const key = `${id}\n${message}`;
    if (this.#failures.has(key)) return false;
    this.#failures.add(key);
    return true;
  }
}

/** A rule that fired, or failed. */
export type Firing =
  | { readonly type: 'fired'; readonly rule: Rule; readonly effect: Effect }
  | { readonly type: 'failed'; readonly rule: Rule; readonly message: string };

export interface EvaluationOptions {
  readonly memory: RuleMemory;
  /** Milliseconds, never running backwards. */
  now(): number;
  /** Milliseconds that this thread was at work. Costs more to ask than `now`. */
  workedMs(): number;
  /** What the rule sees. May be the same object as for the rule before: then CEL is given it once, all but the state. */
  factsFor(rule: Rule): RuleFacts;
}

/**
 * Asks the rules of a trigger, one after the other. What a rule did is seen to by `take` before the next is asked, so
 * that a limit that one tightened is what the next reads. No rule can keep another from being asked, nor throw.
 */
export function evaluateRules(
  rules: readonly Rule[],
  options: EvaluationOptions,
  take: (firing: Firing) => void,
): void {
  let dressed: DressedFacts | undefined;
  const dress = (rule: Rule, facts: RuleFacts): DressedFacts => {
    if (dressed?.facts !== facts) dressed = languageOf(rule.declaration.trigger).dress(facts);
    return dressed;
  };
  for (const rule of rules) {
    if (!options.memory.mayFire(rule)) continue;
    const firing = ask(rule, options, dress);
    if (firing) take(firing);
  }
}

type Dress = (rule: Rule, facts: RuleFacts) => DressedFacts;

function ask(rule: Rule, options: EvaluationOptions, dress: Dress): Firing | undefined {
  const { memory, now, workedMs } = options;
  const { id } = rule.declaration;
  const fail = (message: string): Firing | undefined =>
    memory.isNewFailure(id, message) ? { type: 'failed', rule, message } : undefined;
  try {
    const facts = options.factsFor(rule);
    const answer = quickAnswer(rule.condition.quick, facts);
    if (answer === false) return undefined;
    const attempt = (clock: () => number) => {
      const started = clock();
      const effect = effectOf(rule, dress(rule, facts), answer);
      return { effect, overran: clock() - started > ruleBudgetMs };
    };
    const first = attempt(now);
    // The machine may have been busy with something else. A rule has no side effects: it is tried again, and blamed
    // for the time that it was really at work.
    if (first.overran && attempt(workedMs).overran) {
      memory.skip(id);
      return fail(`It took longer than ${ruleBudgetMs} ms and is not asked again in this run.`);
    }
    if (!first.effect) return undefined;
    memory.noteFired(id);
    return { type: 'fired', rule, effect: first.effect };
  } catch (error) {
    return fail(failureOf(error));
  }
}

function quickAnswer(quick: QuickCondition | undefined, facts: RuleFacts): boolean | undefined {
  try {
    return quick?.(facts);
  } catch (error) {
    if (error instanceof NotQuick) return undefined;
    throw error;
  }
}

function effectOf(rule: Rule, facts: DressedFacts, known: boolean | undefined): Effect | undefined {
  const holds = known ?? rule.condition.evaluate(facts);
  if (typeof holds !== 'boolean') throw new Error(`The condition gave no yes or no, but a ${typeof holds}.`);
  return holds ? rule.makeEffect(facts) : undefined;
}
