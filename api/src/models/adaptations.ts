import { APICallError, type LanguageModelV4CallOptions } from '@ai-sdk/provider';

/** What a model turned out not to understand. */
export interface Adaptation {
  /** Nothing is said about thinking. */
  readonly silentOnThinking: boolean;
  /** The cap goes by its newer name, `max_completion_tokens`. */
  readonly newerCap: boolean;
}

const usual: Adaptation = { silentOnThinking: false, newerCap: false };

/** Remembers, for every model of a server, which parameters it refuses: it is asked once with them, then without. */
export class Adaptations {
  /** Apart for thinking and not: a model that cannot be told to think may well be told not to. */
  readonly #known = { thinking: new Map<string, Adaptation>(), not: new Map<string, Adaptation>() };

  of(modelId: string, thinking: boolean): Adaptation {
    return this.#known[thinking ? 'thinking' : 'not'].get(modelId) ?? usual;
  }

  remember(modelId: string, thinking: boolean, adaptation: Adaptation): void {
    this.#known[thinking ? 'thinking' : 'not'].set(modelId, adaptation);
  }
}

export function isThinking({ reasoning }: LanguageModelV4CallOptions): boolean {
  return reasoning !== undefined && reasoning !== 'none';
}

/** How to ask again after a refusal; undefined when the refusal is about something else. */
export function adaptedTo(refusal: unknown, tried: Adaptation, saidThinking: boolean): Adaptation | undefined {
  if (!APICallError.isInstance(refusal) || (refusal.statusCode !== 400 && refusal.statusCode !== 422)) return undefined;
  const complaint = wordsOf(refusal);
  if (!tried.newerCap && complaint.includes('max_completion_tokens')) return { ...tried, newerCap: true };
  if (saidThinking && !tried.silentOnThinking && aboutThinking.test(complaint)) {
    return { ...tried, silentOnThinking: true };
  }
  return undefined;
}

const aboutThinking = /reasoning|\bthink|enable_thinking|chat_template_kwargs|budget_tokens/i;
const longestComplaint = 4_000;

function wordsOf({ data, responseBody, message }: APICallError): string {
  const told = data === undefined ? (responseBody ?? message) : JSON.stringify(data);
  return told.slice(0, longestComplaint);
}
