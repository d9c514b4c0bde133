import type { JSONObject, LanguageModelV4Usage } from '@ai-sdk/provider';
import { isLoose, type Loose } from './chat-chunk.ts';

export const unknownUsage: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** Undefined when there is no count in it: a later empty report must not replace an earlier full one. */
export function readUsage(reported: unknown): LanguageModelV4Usage | undefined {
  if (!isLoose(reported)) return undefined;
  const input = count(reported.prompt_tokens);
  const completion = count(reported.completion_tokens);
  if (input === undefined && completion === undefined) return undefined;
  const cached =
    count(detail(reported, 'prompt_tokens_details').cached_tokens) ?? count(reported.prompt_cache_hit_tokens);
  const reasoning = count(detail(reported, 'completion_tokens_details').reasoning_tokens);
  const output = outputTokens(input ?? 0, completion ?? 0, reasoning ?? 0, count(reported.total_tokens));
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead: cached, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning },
    raw: reported as JSONObject,
  };
}

/** Most providers count reasoning within the completion; where the total shows that it comes on top, it is added. */
function outputTokens(input: number, completion: number, reasoning: number, total: number | undefined): number {
  return reasoning > 0 && total === input + completion + reasoning ? completion + reasoning : completion;
}

function detail(reported: Loose, name: string): Loose {
  const details = reported[name];
  return isLoose(details) ? details : {};
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
