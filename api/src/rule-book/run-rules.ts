import { AgentConfigSchema } from '../agent/config.ts';
import type { Json } from '../agent/json.ts';
import { describeSettings } from '../agent/settings.ts';
import type { EventBus } from '../events/bus.ts';
import type { RunEvent } from '../events/event.ts';
import type { RunView } from '../events/run-events.ts';
import type { Logger } from '../logger.ts';
import type { Effect } from '../rules/action.ts';
import { type Firing, RuleEvaluator, RuleMemory, type RulesByEvent, type RulesTogether } from '../rules/evaluate.ts';
import type { Rule } from '../rules/load-rules.ts';
import type { Place } from '../rules/quick-rules.ts';
import type { RuleFacts } from '../rules/vocabulary.ts';
import type { Happening } from './event-facts.ts';
import type { FiringLog } from './firing-log.ts';
import type { RuleBook } from './rule-book.ts';
import { type AboutRun, RunFacts } from './run-facts.ts';
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
const workedMs = () => process.threadCpuUsage().user / 1_000;

const titles = new Map(describeSettings(AgentConfigSchema).map(({ name, title, unit }) => [name, { title, unit }]));

/** The rules of one run, at work. Takes the rules in force anew at each turn; what they did is written behind its back. */
export class RunRules {
  readonly #memory = new RuleMemory();
  readonly #states: Map<string, Readonly<Record<string, Json>>>;
  readonly #dependencies: RunRulesDependencies;
  #inForce: RulesByEvent;
  #seen: unknown;
  #personal: RunSubject['personal'];

  constructor(dependencies: RunRulesDependencies) {
    this.#dependencies = dependencies;
    this.#states = new Map(dependencies.subject.states);
    this.#personal = dependencies.subject.personal;
    this.#inForce = new Map();
    this.#renew();
  }

  /** From the next turn on. */
  use(personal: RunSubject['personal']): void {
    this.#personal = personal;
    this.#seen = undefined;
  }

  attach(bus: EventBus, view: RunView, about: Omit<AboutRun, 'runId'>): void {
    const kept: Kept = {
      memory: this.#memory,
      states: this.#states,
      take: (firing, event) => this.#take(firing, event, bus, view),
    };
    let work: RulesAtWork | undefined;
    if (this.#states.size > 0)
      bus.on('query.start', () => bus.emit('rules.remembered', { states: Object.fromEntries(this.#states) }));
    bus.on(
      (name) => name === 'agent.turn.start' || this.#inForce.has(name),
      (event) => {
        if (event.name === 'agent.turn.start' && this.#renew()) bus.interestsChanged();
        const rules = this.#inForce.get(event.name);
        if (!rules) return;
        work ??= new RulesAtWork(event, view, about, this.#dependencies, kept);
        work.ask(rules, event);
      },
    );
  }

  /** True when others are in force now. */
  #renew(): boolean {
    const { book } = this.#dependencies;
    if (this.#seen === book.present) return false;
    this.#seen = book.present;
    this.#inForce = book.byEvent(this.#personal);
    return true;
  }

  #take(firing: Firing, { turn }: RunEvent, bus: EventBus, view: RunView): void {
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
        this.#states.set(id, { ...this.#states.get(id), [effect.key]: effect.value });
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

/** Which of the rules is asked, and about what. */
type Asked = Place & Happening & { rules: readonly Rule[] };

/** Asks the rules that an event has woken. The bus tells of one event at a time, so that one of these will do for a run. */
class RulesAtWork {
  readonly #evaluator: RuleEvaluator;
  readonly #asked: Asked;

  constructor(
    event: RunEvent,
    view: RunView,
    about: Omit<AboutRun, 'runId'>,
    whom: RunRulesDependencies,
    { memory, states, take }: Kept,
  ) {
    const asked: Asked = { place: 0, event, rules: [] };
    const state = () =>
      states.size === 0 ? nothing : (states.get(asked.rules[asked.place]?.declaration.id ?? '') ?? nothing);
    this.#asked = asked;
    this.#evaluator = new RuleEvaluator({
      memory,
      now: () => view.now(),
      workedMs,
      facts: new RunFacts(asked, view, { ...about, runId: whom.runId }, whom, state),
      at: asked,
      take: (firing) => take(firing, asked.event),
    });
  }

  ask(together: RulesTogether, event: RunEvent): void {
    this.#asked.rules = together.rules;
    this.#asked.event = event;
    this.#evaluator.ask(together);
  }
}

interface Kept {
  readonly memory: RuleMemory;
  readonly states: ReadonlyMap<string, RuleFacts['state']>;
  take(firing: Firing, event: RunEvent): void;
}
