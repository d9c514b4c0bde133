import type { Json } from '../agent/json.ts';
import { stalledTurns } from '../agent/progress.ts';
import { tokensSoFar, usageSoFar } from '../agent/state.ts';
import { payloadOf, type RunEvent } from '../events/event.ts';
import type { AnsweredCall, RunView } from '../events/run-events.ts';
import {
  type CommonFacts,
  type EndingFact,
  mostTools,
  type PastTool,
  type RuleFacts,
  type ToolFact,
} from '../rules/vocabulary.ts';
import type { RunSubject } from './rule-store.ts';

/** What does not change during a run. */
export interface AboutRun {
  readonly runId: string;
  readonly question: string;
  readonly modelName: string;
  readonly treeName: string;
}

interface Whom {
  readonly userId: string;
  readonly projectId: string;
  readonly subject: RunSubject;
}

type RunFact = Pick<CommonFacts, 'question' | 'run' | 'user' | 'project' | 'history'>;

/** The facts of a run under way that are the same for all its moments, or follow it by themselves. */
export class RunFacts implements RunFact {
  readonly question: string;
  readonly run: RunFact['run'];
  readonly user: RunFact['user'];
  readonly project: RunFact['project'];
  readonly history: RunHistory;

  constructor(
    readonly view: RunView,
    { runId, question, modelName, treeName }: AboutRun,
    { userId, projectId, subject }: Whom,
  ) {
    this.question = question;
    this.run = { id: runId, model: modelName, decisionTree: treeName };
    this.user = { id: userId, role: subject.role };
    this.project = { id: projectId, name: subject.projectName };
    this.history = new RunHistory(view);
  }
}

/** What happened so far. Calls are counted as they come, not anew for each question. */
class RunHistory implements Readonly<CommonFacts['history']> {
  readonly #view: RunView;
  #tools: PastTool[] = [];
  #executed = 0;
  #failures = 0;
  /** How many calls of the run have been looked at. */
  #seen = 0;

  constructor(view: RunView) {
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
    return stalledTurns(this.#view.state()).turns;
  }

  get errorStreak(): number {
    return this.#view.state().errorStreak;
  }

  get tools(): readonly PastTool[] {
    this.#catchUp();
    return this.#tools;
  }

  #catchUp(): void {
    const calls = this.#view.toolCalls();
    for (; this.#seen < calls.length; this.#seen += 1) {
      const call = calls[this.#seen];
      if (!call || call.outcome.status === 'not-run') continue;
      this.#executed += 1;
      if (call.outcome.status === 'failed') this.#failures += 1;
      this.#tools.push(pastTool(call));
    }
    if (this.#tools.length > 2 * mostTools) this.#tools = this.#tools.slice(-mostTools);
  }
}

function pastTool({ turn, durationMs, outcome }: AnsweredCall): PastTool {
  const error = outcome.status === 'failed' ? outcome.error : '';
  return { name: outcome.name, ok: outcome.status === 'succeeded', error, turn, durationMs };
}

/** What the rules see that an event has woken. Each fact is worked out when it is asked for. */
export class FactsNow implements RuleFacts {
  readonly #of: RunFacts;
  readonly #event: RunEvent;
  readonly #state: () => Readonly<Record<string, Json>>;
  #tool: ToolFact | undefined;

  /** `state` is what the rule remembers that is being asked. */
  constructor(of: RunFacts, event: RunEvent, state: () => Readonly<Record<string, Json>>) {
    this.#of = of;
    this.#event = event;
    this.#state = state;
  }

  get question(): string {
    return this.#of.question;
  }

  get run(): RuleFacts['run'] {
    return this.#of.run;
  }

  get user(): RuleFacts['user'] {
    return this.#of.user;
  }

  get project(): RuleFacts['project'] {
    return this.#of.project;
  }

  get history(): RuleFacts['history'] {
    return this.#of.history;
  }

  get state(): RuleFacts['state'] {
    return this.#state();
  }

  get turn(): number {
    return this.#of.view.turn();
  }

  get elapsed(): number {
    const { view } = this.#of;
    return (view.now() - view.state().startTime) / 1_000;
  }

  get tokens(): RuleFacts['tokens'] {
    const state = this.#of.view.state();
    const { inputTokens: input, outputTokens: output } = usageSoFar(state);
    const used = tokensSoFar(state);
    const budget = state.config.tokenBudget;
    return { used, input, output, budget, left: Math.max(0, budget - used), share: used / budget };
  }

  get context(): RuleFacts['context'] {
    const { view } = this.#of;
    const tokens = Math.round(view.promptTokens());
    return { tokens, window: view.windowSize, share: tokens / view.windowSize };
  }

  get limits(): RuleFacts['limits'] {
    return this.#of.view.state().config;
  }

  get event(): RuleFacts['event'] {
    const { name, severity } = this.#event;
    return { name, severity, payload: jsonOf(this.#event) };
  }

  get tool(): ToolFact {
    this.#tool ??= toolFact(jsonOf(this.#event), this.#event.name, this.#of.view.estimateTokens);
    return this.#tool;
  }

  get ending(): EndingFact {
    return endingFact(jsonOf(this.#event));
  }
}

function jsonOf(event: RunEvent): Readonly<Record<string, Json>> {
  return payloadOf(event) as Readonly<Record<string, Json>>;
}

function toolFact(
  payload: Readonly<Record<string, Json>>,
  name: string,
  estimateTokens: (text: string) => number,
): ToolFact {
  const text = () => {
    const { result } = payload;
    return result === undefined || result === null ? '' : typeof result === 'string' ? result : JSON.stringify(result);
  };
  return {
    name: String(payload.tool ?? ''),
    arguments: isRecord(payload.arguments) ? payload.arguments : {},
    ok: name === 'tool.call.success',
    get result() {
      return text();
    },
    get resultTokens() {
      return estimateTokens(text());
    },
    error: typeof payload.error === 'string' ? payload.error : '',
    durationMs: typeof payload.durationMs === 'number' ? payload.durationMs : 0,
  };
}

function endingFact({ reason, turns, tokens, durationMs }: Readonly<Record<string, Json>>): EndingFact {
  return {
    reason: String(reason),
    turns: Number(turns),
    tokens: Number(tokens),
    seconds: Number(durationMs) / 1_000,
  };
}

function isRecord(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
