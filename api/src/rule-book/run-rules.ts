import { AgentConfigSchema } from '../agent/config.ts';
import type { Json } from '../agent/json.ts';
import { describeSettings } from '../agent/settings.ts';
import { type AgentState, initialState } from '../agent/state.ts';
import { grouped } from '../agent/words.ts';
import type { EventBus, EventListener } from '../events/bus.ts';
import type { RunEvent } from '../events/event.ts';
import type { EventNames } from '../events/event-names.ts';
import type { RunView } from '../events/run-events.ts';
import type { Logger } from '../logger.ts';
import type { Effect } from '../rules/action.ts';
import { type EvaluationOptions, type Firing, RuleEvaluator, RuleMemory } from '../rules/evaluate.ts';
import type { Rule } from '../rules/load-rules.ts';
import type { Place } from '../rules/quick-rules.ts';
import type { RuleFacts } from '../rules/vocabulary.ts';
import type { FiringLog } from './firing-log.ts';
import type { PlacedRules } from './placed-rules.ts';
import type { RuleBook } from './rule-book.ts';
import { type AboutRun, type AskedRule, RunFacts } from './run-facts.ts';
import type { RunSubject } from './run-subject.ts';

/** What is there before the run begins. */
export interface RunRulesDependencies {
  readonly book: Pick<RuleBook, 'present' | 'placed'>;
  readonly log: Logger;
  readonly runId: string;
  readonly userId: string;
  readonly projectId: string;
  readonly subject: RunSubject;
  readonly firings: Pick<FiringLog, 'add' | 'remember'>;
  readonly about: AboutRun;
}

const nothing = {};
const nothingYet: RunEvent = {
  number: 0,
  name: 'rule.none',
  severity: 'DEBUG',
  at: 0,
  turn: 0,
  dedupeKey: '',
  payload: {},
};
const notBegun = initialState({ userId: '', projectId: '', config: AgentConfigSchema.parse({}), now: 0 });

const titles = new Map(describeSettings(AgentConfigSchema).map(({ name, title, unit }) => [name, { title, unit }]));

/**
 * The rules of one run, at work. Takes the rules in force anew at each turn; what they did is written behind its back. The
 * bus tells of one event at a time, so that one of these will do for a run; it is itself what listens, without closures,
 * because events come by at every step of every run.
 */
export class RunRules implements EventListener, EvaluationOptions, AskedRule {
  names: EventNames;
  #placed: PlacedRules['at'];
  /** Which of the rules is asked, and about what. */
  place = 0;
  event: RunEvent = nothingYet;
  run: AgentState = notBegun;
  #rules: readonly Rule[] = [];
  readonly #evaluator: RuleEvaluator;
  readonly #book: RunRulesDependencies['book'];
  #seen: unknown;
  readonly facts: RunFacts;
  readonly memory = new RuleMemory();
  #states: RunSubject['states'];
  #personal: RunSubject['personal'];
  readonly #dependencies: RunRulesDependencies;
  readonly #bus: EventBus;
  readonly #view: RunView;

  constructor(dependencies: RunRulesDependencies, bus: EventBus, view: RunView) {
    const { book, subject } = dependencies;
    this.#book = book;
    this.#states = subject.states;
    this.#personal = subject.personal;
    this.#seen = book.present;
    const { names, at } = book.placed(subject.personal);
    this.names = names;
    this.#placed = at;
    this.#dependencies = dependencies;
    this.#bus = bus;
    this.#view = view;
    this.facts = new RunFacts(this, view, dependencies);
    this.#evaluator = new RuleEvaluator(this);
  }

  listen(): void {
    const bus = this.#bus;
    if (this.#states.size > 0)
      bus.on('query.start', () => bus.emit('rules.remembered', { states: Object.fromEntries(this.#states) }));
    bus.add(this);
  }

  /** From the next turn on. */
  use(personal: RunSubject['personal']): void {
    this.#personal = personal;
    this.#seen = undefined;
  }

  hear(event: RunEvent, place: number): void {
    if (event.name === 'agent.turn.start' && this.#seen !== this.#book.present) this.#renew();
    const together = this.#placed[place];
    if (!together) return;
    this.#rules = together.rules;
    this.event = event;
    this.run = this.#view.state();
    this.#evaluator.ask(together);
  }

  #renew(): void {
    this.#seen = this.#book.present;
    const { names, at } = this.#book.placed(this.#personal);
    this.names = names;
    this.#placed = at;
  }

  get at(): Place {
    return this;
  }

  /** What the rule that is asked remembers. */
  get state(): RuleFacts['state'] {
    if (this.#states.size === 0) return nothing;
    return this.#states.get(this.#rules[this.place]?.declaration.id ?? '') ?? nothing;
  }

  now(): number {
    return this.#view.now();
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
    this.run = this.#view.state(); // a limit may be tighter now
    firings.add({ ruleId: id, turn, trigger, effect: { ...effect, ...outcome }, error: null });
  }

  /** Sees to what a rule wants; anything worth keeping about how that went. */
  #perform(rule: Rule, effect: Effect): Readonly<Record<string, Json>> {
    const { log, runId, firings } = this.#dependencies;
    const bus = this.#bus;
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
        const change = this.#view.tighten(effect.field, effect.to);
        if (!change) return { changed: false };
        const { title = effect.field, unit = '' } = titles.get(effect.field) ?? {};
        const message = `${title} is now ${grouped(change.to)} ${unit} instead of ${grouped(change.from)}, by the rule “${name}”.`;
        bus.emit('rule.limit', { rule: id, message, field: effect.field, ...change });
        return { changed: true, from: change.from, to: change.to };
      }
    }
  }
}
