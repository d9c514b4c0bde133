import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import { reasoningFields } from './reasoning-marks.ts';

type Tools = NonNullable<LanguageModelV4CallOptions['tools']>;

interface BodyOptions {
  /** Fields that only this server wants. */
  readonly extra: object;
  readonly newerCap: boolean;
}

/**
 * Writes request bodies. Messages and tools are kept as written text with the objects they came from: a long conversation
 * is not serialised again on every turn. One per model, because reasoning is shown only to the model it came from.
 */
export class ChatBody {
  readonly #messages = new WeakMap<LanguageModelV4Message, string>();
  readonly #tools = new WeakMap<Tools, string>();

  constructor(private readonly modelId: string) {}

  write({ prompt, tools = [], maxOutputTokens }: LanguageModelV4CallOptions, { extra, newerCap }: BodyOptions): string {
    const settings = JSON.stringify({
      model: this.modelId,
      stream: true,
      stream_options: { include_usage: true },
      [newerCap ? 'max_completion_tokens' : 'max_tokens']: maxOutputTokens,
      ...(tools.length > 0 ? { tool_choice: 'auto' } : {}),
      ...extra,
    });
    const messages = prompt.map((message) => this.#message(message)).join(',');
    const declared = tools.length > 0 ? `,"tools":${this.#declare(tools)}` : '';
    return `${settings.slice(0, -1)},"messages":[${messages}]${declared}}`;
  }

  #message(message: LanguageModelV4Message): string {
    let text = this.#messages.get(message);
    if (text === undefined) {
      text = chatMessages(message, this.modelId)
        .map((written) => JSON.stringify(written))
        .join(',');
      this.#messages.set(message, text);
    }
    return text;
  }

  #declare(tools: Tools): string {
    let text = this.#tools.get(tools);
    if (text === undefined) {
      const functions = tools.filter((tool) => tool.type === 'function');
      text = JSON.stringify(
        functions.map(({ name, description, inputSchema }) => ({
          type: 'function',
          function: { name, description, parameters: inputSchema },
        })),
      );
      this.#tools.set(tools, text);
    }
    return text;
  }
}

/** Results of several calls are one message with us and several with them. */
function chatMessages(message: LanguageModelV4Message, modelId: string): readonly object[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user':
      return [{ role: 'user', content: textOf(message.content) }];
    case 'assistant':
      return [assistantMessage(message, modelId)];
    case 'tool':
      return message.content.flatMap((part) =>
        part.type === 'tool-result'
          ? [
              {
                role: 'tool',
                tool_call_id: part.toolCallId,
                content: 'value' in part.output ? String(part.output.value) : '',
              },
            ]
          : [],
      );
  }
}

function assistantMessage(
  { content }: Extract<LanguageModelV4Message, { role: 'assistant' }>,
  modelId: string,
): object {
  const calls = content.filter((part) => part.type === 'tool-call');
  const text = textOf(content);
  if (calls.length === 0) return { role: 'assistant', content: text };
  const reasoning = content.filter((part) => part.type === 'reasoning').map((part) => reasoningFields(part, modelId));
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...Object.assign({}, ...reasoning),
    tool_calls: calls.map(({ toolCallId, toolName, input }) => ({
      id: toolCallId,
      type: 'function',
      function: { name: toolName, arguments: JSON.stringify(input) },
    })),
  };
}

function textOf(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');
}
