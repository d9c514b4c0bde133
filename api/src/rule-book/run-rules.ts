import { AgentConfigSchema } from '../agent/config.ts';
import type { Json } from '../agent/json.ts';
import { describeSettings } from '../agent/settings.ts';
import type { EventBus, EventListener } from '../events/bus.ts';
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
  readonly bus: EventBus;
  readonly view: RunView;
  readonly about: AboutRun;
}

const nothing = {};

const titles = new Map(describeSettings(AgentConfigSchema).map(({ name, title, unit }) => [name, { title, unit }]));

/**
 * The rules of one run, at work. Takes the rules in force anew at each turn; what they did is written behind its back. The
 * bus tells of one event at a time, so that one of these will do for a run; it is itself what listens, without closures,
 * because events come by at every step of every run.
 */
export class RunRules implements EventListener, EvaluationOptions, AskedRule {
  #inForce: PlacedRules;
  /** Which of the rules is asked, and about what. */
  place = 0;
  #event: RunEvent | undefined;
  #rules: readonly Rule[] = [];
  readonly #evaluator: RuleEvaluator;
  readonly #book: RunRulesDependencies['book'];
  #seen: unknown;
  readonly facts: RunFacts;
  readonly memory = new RuleMemory();
  #states: RunSubject['states'];
  #personal: RunSubject['personal'];
  readonly #dependencies: RunRulesDependencies;

  constructor(dependencies: RunRulesDependencies) {
    const { book, subject, view, about } = dependencies;
    this.#book = book;
    this.#states = subject.states;
    this.#personal = subject.personal;
    this.#seen = book.present;
    this.#inForce = placed(book.byEvent(subject.personal));
    this.#dependencies = dependencies;
    this.facts = new RunFacts(this, view, about, dependencies);
    this.#evaluator = new RuleEvaluator(this);
  }

  listen(): void {
    const { bus } = this.#dependencies;
    if (this.#states.size > 0)
      bus.on('query.start', () => bus.emit('rules.remembered', { states: Object.fromEntries(this.#states) }));
    bus.add(this);
  }

  /** From the next turn on. */
  use(personal: RunSubject['personal']): void {
    this.#personal = personal;
    this.#seen = undefined;
  }

  get names(): EventNames {
    return this.#inForce.names;
  }

  hear(event: RunEvent, place: number): void {
    if (event.name === 'agent.turn.start' && this.#seen !== this.#book.present) this.#renew();
    const together = this.#inForce.at[place];
    if (!together) return;
    this.#rules = together.rules;
    this.#event = event;
    this.#evaluator.ask(together);
  }

  #renew(): void {
    this.#seen = this.#book.present;
    this.#inForce = placed(this.#book.byEvent(this.#personal));
  }

  get at(): Place {
    return this;
  }

  get event(): RunEvent {
    if (!this.#event) throw new Error('Nothing has happened yet.');
    return this.#event;
  }

  /** What the rule that is asked remembers. */
  get state(): RuleFacts['state'] {
    if (this.#states.size === 0) return nothing;
    return this.#states.get(this.#rules[this.place]?.declaration.id ?? '') ?? nothing;
  }

  now(): number {
    return this.#dependencies.view.now();
  }

  workedMs(): number {
    return process.threadCpuUsage().user / 1_000;
  }

  /** Sees to what a rule did about an event. */
  take(firing: Firing): void {
    const { firings, log, runId } = this.#dependencies;
    const { turn } = this.event;
    const { id, trigger } = firing.rule.declaration;
    if (firing.type === 'failed') {
      log.warn({ runId, rule: id, turn, problem: firing.message }, 'a rule failed');
      firings.add({ ruleId: id, turn, trigger, effect: null, error: firing.message });
      return;
    }
    const { effect } = firing;
    const outcome = this.#perform(firing.rule, effect);
    firings.add({ ruleId: id, turn, trigger, effect: { ...effect, ...outcome }, error: null });
  }

  /** Sees to what a rule wants; anything worth keeping about how that went. */
  #perform(rule: Rule, effect: Effect): Readonly<Record<string, Json>> {
    const { log, runId, firings, bus, view } = this.#dependencies;
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
