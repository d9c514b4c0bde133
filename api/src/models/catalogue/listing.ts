import { isLoose, type Loose } from '../openai/chat-chunk.ts';
import { wellFormed } from '../well-formed-text.ts';

/** A model as its provider lists it. What the provider does not say stays undefined. */
export interface ListedModel {
  readonly id: string;
  readonly title: string;
  readonly window: number | undefined;
  readonly tools: boolean | undefined;
  readonly thinking: boolean | undefined;
}

/** More than any provider has; a list without an end is cut here. */
const mostModels = 5_000;
const longestTitle = 120;
/** What can be named in a setting or a query, with the provider's prefix before it. */
const usableId = /^[\x21-\x7e]{1,180}$/;
/** Plain OpenAI lists everything it has, without saying what it is for. */
const otherKinds = /^(?:text-embedding|whisper|tts-|dall-e|omni-moderation|text-moderation|sora|gpt-image)/;

/**
 * Reads a list of models in any of the forms that servers use: OpenAI's, with the additions of OpenRouter, Anthropic,
 * Mistral, Groq, Together, vLLM and llama.cpp. Undefined when it is no such list.
 */
export function readListing(answer: unknown): readonly ListedModel[] | undefined {
  const entries = Array.isArray(answer) ? answer : isLoose(answer) ? (answer.data ?? answer.models) : undefined;
  if (!Array.isArray(entries)) return undefined;
  const models = new Map<string, ListedModel>();
  for (const entry of entries.slice(0, mostModels)) {
    const model = isLoose(entry) && answersQuestions(entry) ? listed(entry) : undefined;
    if (model !== undefined && !models.has(model.id)) models.set(model.id, model);
  }
  return [...models.values()];
}

function listed(entry: Loose): ListedModel | undefined {
  const id = firstText(entry.id, entry.model, entry.name);
  if (id === undefined || !usableId.test(id)) return undefined;
  const title = wellFormed(firstText(entry.display_name, entry.name) ?? id).replace(/\s+/g, ' ');
  return {
    id,
    title: title.trim().slice(0, longestTitle).toWellFormed() || id,
    window: windowOf(entry),
    tools: ability(entry, ['tools'], ['tools', 'function_calling', 'tool_use', 'tool_calling']),
    thinking: ability(entry, ['reasoning', 'include_reasoning', 'reasoning_effort'], ['thinking', 'reasoning']),
  };
}

function windowOf(entry: Loose): number | undefined {
  const meta = isLoose(entry.meta) ? entry.meta : {};
  const claims = [
    entry.context_length,
    entry.context_window,
    entry.max_model_len,
    entry.max_context_length,
    entry.max_input_tokens,
    meta.n_ctx,
    meta.n_ctx_train,
  ];
  return claims.find((claim): claim is number => Number.isSafeInteger(claim) && Number(claim) > 0);
}

/** By the request parameters a model takes, or by the capabilities it is said to have: a list, or a map of them. */
function ability(entry: Loose, parameters: readonly string[], names: readonly string[]): boolean | undefined {
  const taken = entry.supported_parameters;
  if (Array.isArray(taken)) return parameters.some((name) => taken.includes(name));
  const capabilities = entry.capabilities;
  if (Array.isArray(capabilities)) return names.some((name) => capabilities.includes(name));
  if (!isLoose(capabilities)) return undefined;
  const claims = names.map((name) => capabilities[name]).map((claim) => (isLoose(claim) ? claim.supported : claim));
  return claims.find((claim) => typeof claim === 'boolean');
}

/** False for what is listed, but makes pictures, sounds or numbers instead of text. */
function answersQuestions(entry: Loose): boolean {
  const architecture = isLoose(entry.architecture) ? entry.architecture : {};
  const output = architecture.output_modalities;
  if (Array.isArray(output) && !output.includes('text')) return false;
  const capabilities = entry.capabilities;
  if (isLoose(capabilities) && capabilities.completion_chat === false) return false;
  if (entry.type === 'embedding' || entry.type === 'rerank' || entry.type === 'image') return false;
  return typeof entry.id !== 'string' || !otherKinds.test(entry.id);
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}
