import { AgentConfigSchema } from '../agent/config.ts';
import type { Json } from '../agent/json.ts';
import { describeSettings } from '../agent/settings.ts';
import type { EventBus } from '../events/bus.ts';
import type { RunEvent } from '../events/event.ts';
import type { RunView } from '../events/run-events.ts';
import type { Logger } from '../logger.ts';
import type { Effect } from '../rules/action.ts';
import {
  type EvaluationOptions,
  evaluateRules,
  type Firing,
  indexRules,
  RuleMemory,
  type RulesByTrigger,
} from '../rules/evaluate.ts';
import type { Rule } from '../rules/load-rules.ts';
import { eventsOfTrigger, type Trigger, triggers } from '../rules/rule.ts';
import type { FiringLog } from './firing-log.ts';
import type { RuleBook } from './rule-book.ts';
import type { RunSubject } from './rule-store.ts';
import { type AboutRun, FactsNow, RunFacts } from './run-facts.ts';

export interface RunRulesDependencies {
  readonly book: RuleBook;
  readonly log: Logger;
  readonly runId: string;
  readonly userId: string;
  readonly projectId: string;
  readonly subject: RunSubject;
  readonly firings: FiringLog;
}

const nothing = {};
const workedMs = () => process.threadCpuUsage().user / 1_000;

const titles = new Map(describeSettings(AgentConfigSchema).map(({ name, title, unit }) => [name, { title, unit }]));

/** The rules of one run, at work. Takes the rules in force anew at each turn; what they did is written behind its back. */
export class RunRules {
  readonly #memory = new RuleMemory();
  readonly #states: Map<string, Readonly<Record<string, Json>>>;
  readonly #dependencies: RunRulesDependencies;
  #inForce: RulesByTrigger;
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
    const run = new RunFacts(view, { ...about, runId: this.#dependencies.runId }, this.#dependencies);
    for (const trigger of triggers)
      for (const name of eventsOfTrigger[trigger]) bus.on(name, (event) => this.#wake(trigger, event, bus, view, run));
  }

  #renew(): void {
    const { book } = this.#dependencies;
    if (this.#seen === book.present) return;
    this.#seen = book.present;
    this.#inForce = indexRules(book.inForce(this.#personal));
  }

  #wake(trigger: Trigger, event: RunEvent, bus: EventBus, view: RunView, run: RunFacts): void {
    if (trigger === 'TURN_START') this.#renew();
    const rules = this.#inForce.get(trigger);
    if (!rules) return;
    let asked = '';
    const state = () => this.#states.get(asked) ?? nothing;
    let facts = new FactsNow(run, event, state);
    const options: EvaluationOptions = {
      memory: this.#memory,
      now: view.now,
      workedMs,
      factsFor: ({ declaration }) => {
        asked = declaration.id;
        return facts;
      },
    };
    evaluateRules(rules, options, (firing) => {
      this.#take(firing, trigger, event, bus, view);
      facts = new FactsNow(run, event, state); // it may have changed what the next rule sees
    });
  }

  #take(firing: Firing, trigger: Trigger, { turn }: RunEvent, bus: EventBus, view: RunView): void {
    const { firings, log, runId } = this.#dependencies;
    const { id } = firing.rule.declaration;
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
        bus.emit('rule.notify', { rule: id, message });
        return { changed: true, from: change.from, to: change.to };
      }
    }
  }
}
