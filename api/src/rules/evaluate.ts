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
  /** Those that are not asked again: fired, where once is enough, or too slow. Most runs have none. */
  #silent: Set<string> | undefined;
  readonly #failures = new Set<string>();

  mayFire({ declaration }: Rule): boolean {
    return !this.#silent?.has(declaration.id);
  }

  noteFired({ declaration: { id, once } }: Rule): void {
    if (once) this.skip(id);
  }

  /** For the rest of the run. */
  skip(id: string): void {
    this.#silent ??= new Set();
    this.#silent.add(id);
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
  /** Sees to what a rule did, before the next is asked. */
  take(firing: Firing): void;
}

/**
 * Asks rules one after the other. What a rule did is seen to before the next is asked, so that a limit that one
 * tightened is what the next reads. No rule can keep another from being asked, nor throw.
 */
export class RuleEvaluator {
  readonly #options: EvaluationOptions;
  /** As CEL was given them; worked out once for all rules that are asked about the same. */
  #dressed: DressedFacts | undefined;

  constructor(options: EvaluationOptions) {
    this.#options = options;
  }

  /** Asks the rules of a trigger that has occurred. */
  ask(rules: readonly Rule[]): void {
    this.#dressed = undefined;
    const { memory } = this.#options;
    for (const rule of rules) if (memory.mayFire(rule)) this.#askOne(rule);
  }

  #askOne(rule: Rule): void {
    try {
      const facts = this.#options.factsFor(rule);
      const answer = quickAnswer(rule.condition.quick, facts);
      if (answer !== false) this.#askAtLength(rule, facts, answer);
    } catch (error) {
      this.#fail(rule, failureOf(error));
    }
  }

  #askAtLength(rule: Rule, facts: RuleFacts, answer: boolean | undefined): void {
    const { memory, now, workedMs, take } = this.#options;
    const attempt = (clock: () => number) => {
      const started = clock();
      const effect = effectOf(rule, this.#dress(rule, facts), answer);
      return { effect, overran: clock() - started > ruleBudgetMs };
    };
    const { effect, overran } = attempt(now);
    // The machine may have been busy with something else. A rule has no side effects: it is tried again, and blamed
    // for the time that it was really at work.
    if (overran && attempt(workedMs).overran) {
      memory.skip(rule.declaration.id);
      this.#fail(rule, `It took longer than ${ruleBudgetMs} ms and is not asked again in this run.`);
    } else if (effect) {
      memory.noteFired(rule);
      this.#dressed = undefined;
      take({ type: 'fired', rule, effect });
    }
  }

  #dress(rule: Rule, facts: RuleFacts): DressedFacts {
    if (this.#dressed?.facts !== facts) this.#dressed = languageOf(rule.declaration.trigger).dress(facts);
    return this.#dressed;
  }

  #fail(rule: Rule, message: string): void {
    const { memory, take } = this.#options;
    if (memory.isNewFailure(rule.declaration.id, message)) take({ type: 'failed', rule, message });
  }
}

function quickAnswer(quick: QuickCondition | undefined, facts: RuleFacts): boolean | undefined {
  if (!quick) return undefined;
  try {
    return quick(facts);
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
