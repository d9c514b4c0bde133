import type { Json } from '../agent/json.ts';
import { payloadOf, type RunEvent } from '../events/event.ts';
import type { EndingFact, RuleFacts, ToolFact } from '../rules/vocabulary.ts';
import type { RunFacts } from './run-facts.ts';

/** What the rules of a run see, about the event that has woken them. Each fact is worked out when it is asked for. */
export class FactsNow implements RuleFacts {
  readonly #of: RunFacts;
  readonly #state: () => Readonly<Record<string, Json>>;
  #event: RunEvent | undefined;
  #tool: ToolFact | undefined;

  /** `state` is what the rule remembers that is being asked. */
  constructor(of: RunFacts, state: () => Readonly<Record<string, Json>>) {
    this.#of = of;
    this.#state = state;
  }

  /** From now on they are about this. */
  turnTo(event: RunEvent): void {
    this.#event = event;
    this.#tool = undefined;
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
    return this.#of.tokens;
  }

  get context(): RuleFacts['context'] {
    return this.#of.context;
  }

  get limits(): RuleFacts['limits'] {
    return this.#of.view.state().config;
  }

  get event(): RuleFacts['event'] {
    const event = this.#happened;
    return { name: event.name, severity: event.severity, payload: jsonOf(event) };
  }

  get tool(): ToolFact {
    this.#tool ??= new ToolNow(this.#happened, this.#of.view.estimateTokens);
    return this.#tool;
  }

  get ending(): EndingFact {
    return endingFact(jsonOf(this.#happened));
  }

  get #happened(): RunEvent {
    if (!this.#event) throw new Error('Nothing has happened yet.');
    return this.#event;
  }
}

function jsonOf(event: RunEvent): Readonly<Record<string, Json>> {
  return payloadOf(event) as Readonly<Record<string, Json>>;
}

/** The tool call that an event is about. */
export class ToolNow implements ToolFact {
  readonly #event: RunEvent;
  readonly #payload: Readonly<Record<string, Json>>;
  readonly #estimateTokens: (text: string) => number;

  constructor(event: RunEvent, estimateTokens: (text: string) => number) {
    this.#event = event;
    this.#payload = jsonOf(event);
    this.#estimateTokens = estimateTokens;
  }

  get name(): string {
    return String(this.#payload.tool ?? '');
  }

  get arguments(): Readonly<Record<string, Json>> {
    const { arguments: given } = this.#payload;
    return isRecord(given) ? given : {};
  }

  get ok(): boolean {
    return this.#event.name === 'tool.call.success';
  }

  get result(): string {
    const { result } = this.#payload;
    if (result === undefined || result === null) return '';
    return typeof result === 'string' ? result : JSON.stringify(result);
  }

  get resultTokens(): number {
    return this.#estimateTokens(this.result);
  }

  get error(): string {
    const { error } = this.#payload;
    return typeof error === 'string' ? error : '';
  }

  get durationMs(): number {
    const { durationMs } = this.#payload;
    return typeof durationMs === 'number' ? durationMs : 0;
  }
}

export function endingFact({ reason, turns, tokens, durationMs }: Readonly<Record<string, Json>>): EndingFact {
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
