import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import type { Json } from '../agent/json.ts';
import type { ModelMessage, ToolDeclaration } from './model-port.ts';

const translated = new WeakMap<ModelMessage, LanguageModelV4Message>();
const declared = new WeakMap<readonly ToolDeclaration[], LanguageModelV4FunctionTool[]>();

/** Each message is translated once, ever: the same object in a later request costs a look into a map. */
export function translatePrompt(messages: readonly ModelMessage[]): LanguageModelV4Prompt {
  return messages.map((message) => {
    const known = translated.get(message);
    if (known !== undefined) return known;
    const fresh = translate(message);
    translated.set(message, fresh);
    return fresh;
  });
}

export function translateTools(tools: readonly ToolDeclaration[]): LanguageModelV4FunctionTool[] {
  let known = declared.get(tools);
  if (known === undefined) {
    known = tools.map(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema }));
    declared.set(tools, known);
  }
  return known;
}

/** A block of reasoning that its provider wants to see again, with the provider's own marks. */
export interface KeptReasoning {
  readonly text: string;
  readonly marks: SharedV4ProviderMetadata;
}

/** What a `finish` event hands to the runner, to come back with the assistant message. */
export function continuationOf(blocks: readonly KeptReasoning[]): Json | undefined {
  return blocks.length === 0 ? undefined : blocks.map(({ text, marks }) => ({ text, marks }));
}

function translate(message: ModelMessage): LanguageModelV4Message {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] };
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...keptReasoning(message.continuation),
          ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
          ...message.toolCalls.map((call) => ({
            type: 'tool-call' as const,
            toolCallId: call.callId,
            toolName: acceptableName(call.name),
            input: isRecord(call.arguments) ? call.arguments : {},
          })),
        ],
      };
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map(({ callId, name, ok, text }) => ({
          type: 'tool-result',
          toolCallId: callId,
          toolName: acceptableName(name),
          output: { type: ok ? 'text' : 'error-text', value: text },
        })),
      };
  }
}

/** Providers refuse a whole conversation over one odd name that a model once made up. */
function acceptableName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_';
}

function keptReasoning(continuation: Json | undefined): LanguageModelV4ReasoningPart[] {
  if (!Array.isArray(continuation)) return [];
  return continuation
    .filter(isKeptReasoning)
    .map(({ text, marks }) => ({ type: 'reasoning', text, providerOptions: marks }));
}

function isKeptReasoning(value: unknown): value is KeptReasoning {
  return isRecord(value) && typeof value.text === 'string' && isRecord(value.marks);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
