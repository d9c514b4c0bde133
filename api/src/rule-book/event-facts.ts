import type { Json } from '../agent/json.ts';
import { payloadOf, type RunEvent } from '../events/event.ts';
import { resultTokens, type TokenEstimate } from '../rules/result-tokens.ts';
import type { EndingFact, ResultBound, ToolFact } from '../rules/vocabulary.ts';

/** The payload of an event, which is plain JSON. */
export function jsonOf(event: RunEvent): Readonly<Record<string, Json>> {
  return payloadOf(event) as Readonly<Record<string, Json>>;
}

/** What facts are about: one event after the other. */
export interface Happening {
  readonly event: RunEvent;
}

/** The tool call that an event is about. What takes a moment to find out is found out once for each event. */
export class ToolOfEvent implements ToolFact, ResultBound {
  readonly #happening: Happening;
  readonly #estimate: TokenEstimate;
  /** The number of which event, and what was found out about its result. */
  #written = 0;
  #text = '';
  #measured = 0;
  #tokens = 0;

  constructor(happening: Happening, estimate: TokenEstimate) {
    this.#happening = happening;
    this.#estimate = estimate;
  }

  get name(): string {
    return String(this.#payload.tool ?? '');
  }

  get arguments(): Readonly<Record<string, Json>> {
    const { arguments: given } = this.#payload;
    return isRecord(given) ? given : {};
  }

  get ok(): boolean {
    return this.#happening.event.name === 'tool.call.success';
  }

  get result(): string {
    const { result } = this.#payload;
    if (typeof result === 'string') return result;
    const { number } = this.#happening.event;
    if (this.#written !== number) {
      this.#written = number;
      this.#text = textOf(result);
    }
    return this.#text;
  }

  get resultTokens(): number {
    const { number } = this.#happening.event;
    if (this.#measured !== number) {
      this.#measured = number;
      this.#tokens = resultTokens(this.result, this.#estimate);
    }
    return this.#tokens;
  }

  /** No text has more tokens than characters. */
  resultMayExceed(tokens: number): boolean {
    return this.result.length > tokens;
  }

  get error(): string {
    const { error } = this.#payload;
    return typeof error === 'string' ? error : '';
  }

  get durationMs(): number {
    const { durationMs } = this.#payload;
    return typeof durationMs === 'number' ? durationMs : 0;
  }

  get #payload(): Readonly<Record<string, Json>> {
    return jsonOf(this.#happening.event);
  }
}

export function endingOfEvent({ reason, turns, tokens, durationMs }: Readonly<Record<string, Json>>): EndingFact {
  return {
    reason: String(reason),
    turns: Number(turns),
    tokens: Number(tokens),
    seconds: Number(durationMs) / 1_000,
  };
}

function textOf(result: Json | undefined): string {
  if (result === undefined || result === null) return '';
  return typeof result === 'string' ? result : JSON.stringify(result);
}

function isRecord(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
