import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';

/** A call that was made since the question, with what came of it. */
export interface SeenCall {
  readonly name: string;
  readonly input: unknown;
  readonly ok: boolean;
  readonly text: string;
}

/** What a built-in model knows when it is asked: the prompt, read the way a model would. */
export interface Scene {
  readonly question: string;
  /** 1 for the first reply to the question. */
  readonly turn: number;
  readonly toolsOffered: boolean;
  /** Their names. */
  readonly offered: ReadonlySet<string>;
  readonly maxOutputTokens: number;
  readonly promptTokens: number;
  calls(): readonly SeenCall[];
}

/** Notes from the system that runs the model, in the person's place for lack of a better one. */
const notice = /^<notice>/;

export function readScene({ prompt, tools = [], maxOutputTokens = Infinity }: LanguageModelV4CallOptions): Scene {
  const asked = prompt.findLastIndex((message) => message.role === 'user' && !notice.test(textOf(message)));
  const since = prompt.slice(asked + 1);
  const question = prompt[asked];
  return {
    question: question === undefined ? '' : textOf(question),
    turn: 1 + since.filter(({ role }) => role === 'assistant').length,
    toolsOffered: tools.length > 0,
    offered: new Set(tools.map(({ name }) => name)),
    maxOutputTokens,
    promptTokens: Math.ceil(prompt.reduce((sum, message) => sum + sizeOf(message), 0) / charactersPerToken),
    calls: () => seenCalls(since),
  };
}

export const charactersPerToken = 4;
const sizes = new WeakMap<LanguageModelV4Message, number>();

/** Measured once: the same message comes again on every turn. */
function sizeOf(message: LanguageModelV4Message): number {
  let size = sizes.get(message);
  if (size === undefined) {
    size = JSON.stringify(message.content).length;
    sizes.set(message, size);
  }
  return size;
}

function textOf(message: LanguageModelV4Message): string {
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function seenCalls(messages: LanguageModelV4Prompt): readonly SeenCall[] {
  const inputs = new Map<string, unknown>();
  const seen: SeenCall[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const part of message.content) if (part.type === 'tool-call') inputs.set(part.toolCallId, part.input);
    } else if (message.role === 'tool') {
      for (const part of message.content) {
        if (part.type !== 'tool-result') continue;
        const { output, toolName, toolCallId } = part;
        const text = 'value' in output ? String(output.value) : '';
        seen.push({ name: toolName, input: inputs.get(toolCallId), ok: output.type === 'text', text });
      }
    }
  }
  return seen;
}
