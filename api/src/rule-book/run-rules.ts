import { AgentConfigSchema } from '../agent/config.ts';
import type { Json } from '../agent/json.ts';
import { describeSettings } from '../agent/settings.ts';
import type { EventBus } from '../events/bus.ts';
import { knownEventNames, type RunEvent } from '../events/event.ts';
import { EventNames } from '../events/event-names.ts';
import type { RunView } from '../events/run-events.ts';
import type { Logger } from '../logger.ts';
import type { Effect } from '../rules/action.ts';
import {
  type EvaluationOptions,
  type Firing,
  RuleEvaluator,
  RuleMemory,
  type RulesByEvent,
  type RulesTogether,
} from '../rules/evaluate.ts';
import type { Rule } from '../rules/load-rules.ts';
import type { Place } from '../rules/quick-rules.ts';
import type { RuleFacts } from '../rules/vocabulary.ts';
import type { FiringLog } from './firing-log.ts';
import type { RuleBook } from './rule-book.ts';
import { type AboutRun, type AskedRule, RunFacts } from './run-facts.ts';
import type { RunSubject } from './run-subject.ts';

export interface RunRulesDependencies {
  readonly book: Pick<RuleBook, 'present' | 'byEvent'>;
  readonly log: Logger;
  readonly runId: string;
  readonly userId: string;
  readonly projectId: string;
  readonly subject: RunSubject;
  readonly firings: Pick<FiringLog, 'add' | 'remember'>;
}

const nothing = {};

const titles = new Map(describeSettings(AgentConfigSchema).map(({ name, title, unit }) => [name, { title, unit }]));

const noRules: PlacedRules = { names: EventNames.of('agent.turn.start'), at: [] };

/** The rules of one run, at work. Takes the rules in force anew at each turn; what they did is written behind its back. */
export class RunRules {
  readonly #memory = new RuleMemory();
  #states: ReadonlyMap<string, Readonly<Record<string, Json>>>;
  readonly #dependencies: RunRulesDependencies;
  #inForce = noRules;
  #seen: unknown;
  #personal: RunSubject['personal'];

  constructor(dependencies: RunRulesDependencies) {
    this.#dependencies = dependencies;
    this.#states = dependencies.subject.states;
    this.#personal = dependencies.subject.personal;
    this.#renew();
  }

  /** From the next turn on. */
  use(personal: RunSubject['personal']): void {
    this.#personal = personal;
    this.#seen = undefined;
  }

  attach(bus: EventBus, view: RunView, about: AboutRun): void {
    let work: RulesAtWork | undefined;
    if (this.#states.size > 0)
      bus.on('query.start', () => bus.emit('rules.remembered', { states: Object.fromEntries(this.#states) }));
    const listening = bus.on(this.#inForce.names, (event, place) => {
      if (event.name === 'agent.turn.start' && this.#renew()) listening.names = this.#inForce.names;
      const rules = this.#inForce.at[place];
      if (!rules) return;
      work ??= new RulesAtWork(event, { rules: this, bus, view }, about, this.#dependencies);
      work.ask(rules, event);
    });
  }

  get memory(): RuleMemory {
    return this.#memory;
  }

  /** What each rule remembers. */
  get states(): ReadonlyMap<string, RuleFacts['state']> {
    return this.#states;
  }

  /** True when others are in force now. */
  #renew(): boolean {
    const { book } = this.#dependencies;
    if (this.#seen === book.present) return false;
    this.#seen = book.present;
    this.#inForce = placed(book.byEvent(this.#personal));
    return true;
  }

  /** Sees to what a rule did about an event. */
  take(firing: Firing, { turn }: RunEvent, bus: EventBus, view: RunView): void {
    const { firings, log, runId } = this.#dependencies;
    const { id, trigger } = firing.rule.declaration;
    if (firing.type === 'failed') {
      log.warn({ runId, rule: id, turn, problem: firing.message }, 'a rule failed');
      firings.add({ ruleId: id, turn, trigger, effect: null, error: firing.message });
      return;
    }
    const { effect } = firing;
    const outcome = this.#perform(firing.rule, effect, bus, view);
    firings.add({ ruleId: id, turn, trigger, effect: { ...effect, ...outcome }, error: null });
  }

  /** Sees to what a rule wants; anything worth keeping about how that went. */
  #perform(rule: Rule, effect: Effect, bus: EventBus, view: RunView): Readonly<Record<string, Json>> {
    const { log, runId, firings } = this.#dependencies;
    const { id, name } = rule.declaration;
    switch (effect.type) {
      case 'notify': {
        const advice = effect.advice === undefined ? {} : { advice: effect.advice };
        bus.emit('rule.notify', { rule: id, message: effect.message, ...advice }, { severity: effect.severity });
        return {};
      }
      case 'hint':
        bus.emit('rule.hint', { rule: id, hint: effect.message });
        return {};
      case 'log':
        log[effect.level]({ runId, rule: id }, effect.message);
        return {};
      case 'set_state':
        this.#states = new Map(this.#states).set(id, { ...this.#states.get(id), [effect.key]: effect.value });
        firings.remember({ ruleId: id, key: effect.key, value: effect.value });
        return {};
      case 'emit_event':
        bus.emit(effect.name, effect.payload, { severity: effect.severity });
        return {};
      case 'limit': {
        const change = view.tighten(effect.field, effect.to);
        if (!change) return { changed: false };
        const { title = effect.field, unit = '' } = titles.get(effect.field) ?? {};
        const message = `${title} is now ${change.to} ${unit} instead of ${change.from}, by the rule “${name}”.`;
        bus.emit('rule.notify', { rule: id, message, limit: { field: effect.field, ...change } });
        return { changed: true, from: change.from, to: change.to };
      }
    }
  }
}

/** Rules by the place of the event that wakes them. */
interface PlacedRules {
  /** With the start of a turn, from when on other rules may be in force. */
  readonly names: EventNames;
  readonly at: readonly (RulesTogether | undefined)[];
}

const knownPlaces = new WeakMap<RulesByEvent, PlacedRules>();

/** Found out once for all runs with the same rules. */
function placed(rules: RulesByEvent): PlacedRules {
  let known = knownPlaces.get(rules);
  if (!known) {
    const names = new EventNames((name) => name === 'agent.turn.start' || rules.has(name));
    known = { names, at: knownEventNames.map((name) => rules.get(name)) };
    knownPlaces.set(rules, known);
  }
  return known;
}

interface WatchedRun {
  readonly rules: RunRules;
  readonly bus: EventBus;
  readonly view: RunView;
}

/**
 * Asks the rules that an event has woken. The bus tells of one event at a time, so that one of these will do for a run;
 * there are no closures in it, because every run makes one.
 */
class RulesAtWork implements EvaluationOptions, AskedRule {
  readonly memory: RuleMemory;
  readonly facts: RunFacts;
  /** Which of the rules is asked, and about what. */
  place = 0;
  event: RunEvent;
  #rules: readonly Rule[] = [];
  readonly #run: WatchedRun;
  readonly #evaluator: RuleEvaluator;

  constructor(event: RunEvent, run: WatchedRun, about: AboutRun, whom: RunRulesDependencies) {
    this.memory = run.rules.memory;
    this.facts = new RunFacts(this, run.view, about, whom);
    this.event = event;
    this.#run = run;
    this.#evaluator = new RuleEvaluator(this);
  }

  get at(): Place {
    return this;
  }

  /** What the rule that is asked remembers. */
  get state(): RuleFacts['state'] {
    const { states } = this.#run.rules;
    return states.size === 0 ? nothing : (states.get(this.#rules[this.place]?.declaration.id ?? '') ?? nothing);
  }

  ask(together: RulesTogether, event: RunEvent): void {
    this.#rules = together.rules;
    this.event = event;
    this.#evaluator.ask(together);
  }

  now(): number {
    return this.#run.view.now();
  }

  workedMs(): number {
    return process.threadCpuUsage().user / 1_000;
  }

  take(firing: Firing): void {
    const { rules, bus, view } = this.#run;
    rules.take(firing, this.event, bus, view);
  }
}
