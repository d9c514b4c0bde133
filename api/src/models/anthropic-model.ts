import { createAnthropic } from '@ai-sdk/anthropic';
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import { type Adaptation, Adaptations, adaptedTo, isThinking } from './adaptations.ts';

export interface AnthropicEndpoint {
  readonly apiKey: string;
  readonly baseURL?: string;
  /** What its models turned out to refuse; outlives the single model, which is made anew for every run. */
  readonly adaptations?: Adaptations;
}

/** The least that the provider accepts for thinking. */
const leastThinking = 1_024;
const mostThinking = 4_096;

/** Anthropic's own library does the protocol; this keeps our promises about it. */
export function createAnthropicModel(endpoint: AnthropicEndpoint, modelId: string): LanguageModelV4 {
  const { adaptations = new Adaptations(), ...address } = endpoint;
  const model = createAnthropic(address).languageModel(modelId);

  /** Asks, and asks again without a word on thinking when the model refuses one. */
  async function ask(options: LanguageModelV4CallOptions, adaptation: Adaptation) {
    const { reasoning, ...silent } = options;
    const thinks = isThinking(options);
    try {
      const result = await model.doStream(adapted(adaptation.silentOnThinking ? silent : options));
      if (adaptation !== adaptations.of(modelId, thinks)) adaptations.remember(modelId, thinks, adaptation);
      return result;
    } catch (error) {
      const next = adaptedTo(error, adaptation, reasoning !== undefined);
      if (next === undefined) throw error;
      return await ask(options, next);
    }
  }

  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(adapted(options)),
    doStream: (options) => ask(options, adaptations.of(modelId, isThinking(options))),
  };
}

function adapted(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  return withDeclaredTools(withThinking({ ...options, prompt: options.prompt.map(withAcceptedIds) }));
}

/** The library adds the thinking budget to the output cap; our cap is for both, so the budget is taken out of it. */
function withThinking(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { maxOutputTokens = 0, reasoning } = options;
  if (reasoning === undefined || reasoning === 'none') return options;
  const budgetTokens = Math.min(mostThinking, Math.floor(maxOutputTokens / 2));
  if (budgetTokens < leastThinking) return { ...options, reasoning: 'none' };
  return {
    ...options,
    reasoning: 'provider-default',
    maxOutputTokens: maxOutputTokens - budgetTokens,
    providerOptions: { ...options.providerOptions, anthropic: { thinking: { type: 'enabled', budgetTokens } } },
  };
}

/** A conversation with tool calls needs its tools declared, also in a turn in which none may be called. */
function withDeclaredTools(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  if (options.tools !== undefined && options.tools.length > 0) return options;
  const names = new Set(options.prompt.flatMap(calledTools));
  if (names.size === 0) return options;
  const tools = [...names].map((name) => ({
    type: 'function' as const,
    name,
    inputSchema: { type: 'object' as const },
  }));
  return { ...options, tools, toolChoice: { type: 'none' } };
}

function calledTools(message: LanguageModelV4Message): readonly string[] {
  if (message.role !== 'assistant') return [];
  return message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : []));
}

const accepted = new WeakMap<LanguageModelV4Message, LanguageModelV4Message>();

/** Calls that another model made earlier may have ids which Anthropic refuses. */
function withAcceptedIds(message: LanguageModelV4Message): LanguageModelV4Message {
  let known = accepted.get(message);
  if (known === undefined) {
    known = renamed(message);
    accepted.set(message, known);
  }
  return known;
}

function renamed(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role === 'assistant') {
    return {
      ...message,
      content: message.content.map((part) => (part.type === 'tool-call' ? acceptedId(part) : part)),
    };
  }
  if (message.role === 'tool') {
    return {
      ...message,
      content: message.content.map((part) => (part.type === 'tool-result' ? acceptedId(part) : part)),
    };
  }
  return message;
}

function acceptedId<Part extends { readonly toolCallId: string }>(part: Part): Part {
  return { ...part, toolCallId: part.toolCallId.replace(/[^a-zA-Z0-9_-]/g, '_') };
}
