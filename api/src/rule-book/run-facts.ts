import { type AgentState, tokensSoFar, usageSoFar } from '../agent/state.ts';
import type { AnsweredCall, RunView } from '../events/run-events.ts';
import {
  type CommonFacts,
  type EndingFact,
  mostTools,
  type PastTool,
  type RuleFacts,
  type ToolCount,
} from '../rules/vocabulary.ts';
import { endingOfEvent, type Happening, jsonOf, ToolOfEvent } from './event-facts.ts';
import type { RunSubject } from './run-subject.ts';

/** What does not change during a run. */
export interface AboutRun {
  readonly question: string;
  readonly modelName: string;
  readonly treeName: string;
}

interface Whom {
  readonly runId: string;
  readonly userId: string;
  readonly projectId: string;
  readonly subject: RunSubject;
  readonly about: AboutRun;
}

/** What has happened, how the run stood then, and what the rule remembers that is being asked about it. */
export interface AskedRule extends Happening {
  readonly run: AgentState;
  readonly state: RuleFacts['state'];
}

/**
 * What the rules of a run see, about the event that has woken them. Nothing is worked out or made before it is asked for:
 * rules are asked at every step of every run, and few runs have rules that ask for all of it.
 */
export class RunFacts implements RuleFacts {
  readonly #happening: AskedRule;
  readonly #view: RunView;
  readonly history: RunHistory;
  readonly #whom: Whom;
  #run: RuleFacts['run'] | undefined;
  #tokens: RunTokens | undefined;
  #context: RunWindow | undefined;
  #tool: ToolOfEvent | undefined;

  constructor(happening: AskedRule, view: RunView, whom: Whom) {
    this.#happening = happening;
    this.#view = view;
    this.history = new RunHistory(happening, view);
    this.#whom = whom;
  }

  get question(): string {
    return this.#whom.about.question;
  }

  get run(): RuleFacts['run'] {
    const { modelName: model, treeName: decisionTree } = this.#whom.about;
    this.#run ??= { id: this.#whom.runId, model, decisionTree };
    return this.#run;
  }

  get user(): RuleFacts['user'] {
    const { userId: id, subject } = this.#whom;
    return { id, role: subject.role };
  }

  get project(): RuleFacts['project'] {
    const { projectId: id, subject } = this.#whom;
    return { id, name: subject.projectName };
  }

  get tokens(): RunTokens {
    this.#tokens ??= new RunTokens(this.#happening);
    return this.#tokens;
  }

  get context(): RunWindow {
    this.#context ??= new RunWindow(this.#view);
    return this.#context;
  }

  get tool(): ToolOfEvent {
    this.#tool ??= new ToolOfEvent(this.#happening, this.#view);
    return this.#tool;
  }

  get state(): RuleFacts['state'] {
    return this.#happening.state;
  }

  get turn(): number {
    return this.#happening.event.turn;
  }

  get elapsed(): number {
    return (this.#happening.event.at - this.#happening.run.startTime) / 1_000;
  }

  get limits(): RuleFacts['limits'] {
    return this.#happening.run.config;
  }

  get event(): RuleFacts['event'] {
    const event = this.#happening.event;
    return { name: event.name, severity: event.severity, payload: jsonOf(event) };
  }

  get ending(): EndingFact {
    return endingOfEvent(jsonOf(this.#happening.event));
  }
}

class RunTokens implements Readonly<CommonFacts['tokens']> {
  readonly #happening: AskedRule;

  constructor(happening: AskedRule) {
    this.#happening = happening;
  }

  get used(): number {
    return tokensSoFar(this.#happening.run);
  }

  get input(): number {
    return usageSoFar(this.#happening.run).inputTokens;
  }

  get output(): number {
    return usageSoFar(this.#happening.run).outputTokens;
  }

  get budget(): number {
    return this.#happening.run.config.tokenBudget;
  }

  get left(): number {
    return Math.max(0, this.budget - this.used);
  }

  get share(): number {
    return this.used / this.budget;
  }
}

class RunWindow implements Readonly<CommonFacts['context']> {
  readonly #view: RunView;

  constructor(view: RunView) {
    this.#view = view;
  }

  get tokens(): number {
    return Math.round(this.#view.promptTokens());
  }

  get window(): number {
    return this.#view.windowSize;
  }

  get share(): number {
    return this.tokens / this.window;
  }
}

/** How often a tool was called. */
interface Tally extends ToolCount {
  readonly name: string;
  calls: number;
  failures: number;
}

const noTool: Tally = { name: '', calls: 0, failures: 0 };

/** What happened so far. Calls are counted as they come, not anew for each question. */
class RunHistory implements Readonly<RuleFacts['history']> {
  readonly #happening: AskedRule;
  readonly #view: RunView;
  #executed = 0;
  #failures = 0;
  /** Of the tool that was counted last, which is mostly the one that is asked about. */
  #latest = noTool;
  /** Of all tools, once there are several. */
  #tallies: Map<string, Tally> | undefined;
  /** How many calls of the run have been looked at. */
  #seen = 0;
  /** The newest ones, and how many calls there were when they were looked at; few rules ask. */
  #tools: readonly PastTool[] = [];
  #listed = 0;

  constructor(happening: AskedRule, view: RunView) {
    this.#happening = happening;
    this.#view = view;
  }

  get messages(): number {
    return this.#view.messages();
  }

  get toolCalls(): number {
    this.#catchUp();
    return this.#executed;
  }

  get failures(): number {
    this.#catchUp();
    return this.#failures;
  }

  get repeats(): number {
    const { identicalStreak, staleStreak } = this.#happening.run;
    return Math.max(identicalStreak, staleStreak);
  }

  get errorStreak(): number {
    return this.#happening.run.errorStreak;
  }

  get tools(): readonly PastTool[] {
    const calls = this.#view.toolCalls();
    if (this.#listed !== calls.length) {
      this.#listed = calls.length;
      this.#tools = newestTools(calls);
    }
    return this.#tools;
  }

  countOf(tool: string): ToolCount {
    this.#catchUp();
    return this.#latest.name === tool ? this.#latest : (this.#tallies?.get(tool) ?? noTool);
  }

  #catchUp(): void {
    const calls = this.#view.toolCalls();
    for (; this.#seen < calls.length; this.#seen += 1) {
      const outcome = calls[this.#seen]?.outcome;
      if (!outcome || outcome.status === 'not-run') continue;
      const failures = outcome.status === 'failed' ? 1 : 0;
      this.#executed += 1;
      this.#failures += failures;
      if (this.#latest === noTool || this.#latest.name !== outcome.name) this.#latest = this.#tallyOf(outcome.name);
      this.#latest.calls += 1;
      this.#latest.failures += failures;
    }
  }

  #tallyOf(name: string): Tally {
    const tally = this.#tallies?.get(name) ?? { name, calls: 0, failures: 0 };
    if (this.#latest === noTool) return tally;
    this.#tallies ??= new Map([[this.#latest.name, this.#latest]]);
    this.#tallies.set(name, tally);
    return tally;
  }
}

/** Of those that were run, oldest first. */
function newestTools(calls: readonly AnsweredCall[]): readonly PastTool[] {
  const tools: PastTool[] = [];
  for (let place = calls.length - 1; place >= 0 && tools.length < mostTools; place -= 1) {
    const call = calls[place];
    if (call && call.outcome.status !== 'not-run') tools.push(pastTool(call));
  }
  return tools.reverse();
}

function pastTool({ turn, durationMs, outcome }: AnsweredCall): PastTool {
  const error = outcome.status === 'failed' ? outcome.error : '';
  return { name: outcome.name, ok: outcome.status === 'succeeded', error, turn, durationMs };
}
