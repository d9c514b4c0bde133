import type { JSONObject, LanguageModelV4ReasoningPart, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { isLoose, type Loose, textOf } from './chat-chunk.ts';

/** The name under which our own marks travel with a block of reasoning. */
const owner = 'chatCompletions';

/**
 * Reasoning comes in `reasoning_content` or in `reasoning`, and OpenRouter adds `reasoning_details`, some of it encrypted.
 * A model that called tools has to be shown its reasoning again in the form it came in, so that form is noted.
 */
export class ReasoningMarks {
  readonly #details: JSONObject[] = [];
  #asContent = false;

  constructor(private readonly modelId: string) {}

  read(delta: Loose): string {
    const content = textOf(delta.reasoning_content);
    if (content !== '') this.#asContent = true;
    const details = delta.reasoning_details;
    if (Array.isArray(details)) for (const detail of details) if (isLoose(detail)) this.#add(detail as JSONObject);
    return content || textOf(delta.reasoning);
  }

  end(parts: LanguageModelV4StreamPart[]): void {
    if (!this.#asContent && this.#details.length === 0) return;
    const marks: JSONObject = this.#details.length > 0 ? { details: this.#details } : { asContent: true };
    parts.push({
      type: 'reasoning-end',
      id: 'reasoning',
      providerMetadata: { [owner]: { ...marks, modelId: this.modelId } },
    });
  }

  /** Details are streamed a few words at a time; pieces of one block are joined again. */
  #add(detail: JSONObject): void {
    const last = this.#details.at(-1);
    const field = detail.type === 'reasoning.summary' ? 'summary' : 'text';
    const sameBlock = last?.type === detail.type && last?.index === detail.index;
    if (last !== undefined && sameBlock && typeof last[field] === 'string' && typeof detail[field] === 'string') {
      Object.assign(last, definedOf(detail), { [field]: last[field] + detail[field] });
    } else this.#details.push({ ...detail });
  }
}

/** The fields that show the model its own reasoning again; none for reasoning of another model. */
export function reasoningFields(part: LanguageModelV4ReasoningPart, modelId: string): JSONObject {
  const marks = part.providerOptions?.[owner];
  if (marks === undefined || marks.modelId !== modelId) return {};
  const details = marks.details;
  return details === undefined ? { reasoning_content: part.text } : { reasoning_details: details };
}

function definedOf(detail: JSONObject): JSONObject {
  return Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== null));
}
