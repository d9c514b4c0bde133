import type { Effect } from './action.ts';
import { failureOf } from './expression.ts';
import type { Rule } from './load-rules.ts';
import { type AskQuickly, askQuickly, type Place } from './quick-rules.ts';
import { eventsOfTrigger } from './rule.ts';
import { type DressedFacts, languageOf } from './rule-context.ts';
import type { RuleFacts } from './vocabulary.ts';

/**
 * What one rule may take. Its cost is bounded before it is loaded; this is for what nobody thought of. Conditions in quick
 * form are not timed: they are comparisons within that bound, and a look at the clock takes longer than most of them.
 */
export const ruleBudgetMs = 5;

/** Rules with the same trigger, in the order in which they fire. */
export class RulesTogether {
  readonly rules: readonly Rule[];
  readonly ask: AskQuickly;

  constructor(rules: readonly Rule[]) {
    this.rules = rules;
    this.ask = askQuickly(rules.map(({ condition }) => condition.quick));
  }
}

/** Rules that are switched on, by the name of the event that wakes them. */
export type RulesByEvent = ReadonlyMap<string, RulesTogether>;

/** Those in force, highest priority first; of equal ones, in the order of their ids. */
export function indexRules(rules: readonly Rule[]): RulesByEvent {
  const inOrder = rules.toSorted(
    ({ declaration: one }, { declaration: other }) => other.priority - one.priority || (one.id < other.id ? -1 : 1),
  );
  const same = Map.groupBy(inOrder, ({ declaration }) => declaration.trigger);
  const index = new Map<string, RulesTogether>();
  for (const [trigger, each] of same) {
    const together = new RulesTogether(each);
    for (const name of eventsOfTrigger[trigger]) index.set(name, together);
  }
  return index;
}

/** What is remembered of the rules within one run. */
export class RuleMemory {
  /** Those that are not asked again: fired, where once is enough, or too slow. Most runs have none. */
  #silent: Set<string> | undefined;
  #failures: Set<string> | undefined;

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

  /** Whether this was not said before: a rule that fails in the same way each turn, but for numbers, is shown once. */
  isNewFailure(id: string, message: string): boolean {
    const key = `${id}\n${message.replace(/\d+/g, '0')}`;
    this.#failures ??= new Set();
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
  /** What the rules see. Each fact is read when it is asked for, and may be another after a rule has fired. */
  readonly facts: RuleFacts;
  /** Says whose state the facts are asked for. */
  readonly at: Place;
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
  ask({ rules, ask }: RulesTogether): void {
    const { at } = this.#options;
    this.#dressed = undefined;
    for (at.place = 0; at.place < rules.length; at.place += 1) {
      const answer = this.#askQuickly(ask);
      if (answer === false) return;
      const rule = rules[at.place];
      if (rule && this.#options.memory.mayFire(rule))
        this.#askOne(rule, rule.condition.quick === undefined ? undefined : answer);
    }
  }

  /** Whether the condition holds at which it stopped, or undefined where CEL has to say; false when there is none. */
  #askQuickly(ask: AskQuickly): boolean | undefined {
    try {
      return ask(this.#options.facts, this.#options.at);
    } catch {
      return undefined; // whatever is wrong with the facts, CEL meets it too
    }
  }

  #askOne(rule: Rule, answer: boolean | undefined): void {
    try {
      this.#askAtLength(rule, answer);
    } catch (error) {
      this.#fail(rule, failureOf(error));
    }
  }

  #askAtLength(rule: Rule, answer: boolean | undefined): void {
    const options = this.#options;
    const attempt = (clock: () => number) => {
      const started = clock();
      const effect = effectOf(rule, this.#dress(rule), answer);
      return { effect, overran: clock() - started > ruleBudgetMs };
    };
    const { effect, overran } = attempt(() => options.now());
    // The machine may have been busy with something else. A rule has no side effects: it is tried again from the
    // beginning, and blamed for the time that it was really at work.
    if (overran) this.#dressed = undefined;
    if (overran && attempt(() => options.workedMs()).overran) {
      options.memory.skip(rule.declaration.id);
      this.#fail(rule, `It took longer than ${ruleBudgetMs} ms and is not asked again in this run.`);
    } else if (effect) {
      options.memory.noteFired(rule);
      options.take({ type: 'fired', rule, effect });
      this.#dressed = undefined; // it may have changed what the next rule sees
    }
  }

  #dress({ declaration }: Rule): DressedFacts {
    this.#dressed ??= languageOf(declaration.trigger).dress(this.#options.facts);
    return this.#dressed;
  }

  #fail(rule: Rule, message: string): void {
    const options = this.#options;
    if (options.memory.isNewFailure(rule.declaration.id, message)) options.take({ type: 'failed', rule, message });
  }
}

function effectOf(rule: Rule, facts: DressedFacts, known: boolean | undefined): Effect | undefined {
  const holds = known ?? rule.condition.evaluate(facts);
  if (typeof holds !== 'boolean') throw new Error(`The condition gave no yes or no, but a ${typeof holds}.`);
  return holds ? rule.makeEffect(facts) : undefined;
}
