import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { mostTokens, type Usage, wholeTokens } from '../agent/usage.ts';
import { type FinishKind, type ModelEvent, ModelFailure, type ModelRequest } from './model-port.ts';
import { continuationOf } from './prompt-translation.ts';
import { ReasoningKeeper } from './reasoning-keeper.ts';
import type { Segment } from './text-calls/text-call.ts';
import { TextChannel } from './text-channel.ts';
import { type ReadArguments, readArguments, refusedArguments } from './tool-arguments.ts';
import { UniqueCallIds } from './unique-call-ids.ts';
import { wellFormed } from './well-formed-text.ts';

/** Turns the parts of one reply into events, whatever shape the provider gave them. */
export class ReplyReader {
  readonly #text: TextChannel;
  readonly #reasoning: TextChannel;
  readonly #kept = new ReasoningKeeper();
  readonly #callIds: UniqueCallIds;
  /** What the provider reported as an error in the middle of the reply; the first stands. */
  error: { readonly reported: unknown } | undefined;
  finished = false;
  #begun = false;

  constructor(
    request: Pick<ModelRequest, 'messages' | 'tools' | 'withheldTools'>,
    private readonly told: (event: ModelEvent) => void,
  ) {
    this.#callIds = new UniqueCallIds(request.messages);
    this.#text = new TextChannel(request);
    this.#reasoning = new TextChannel(request);
  }

  read(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-delta':
        this.#tell('reasoning-delta', this.#reasoning.release());
        this.#tell(part.type, this.#text.push(part.delta));
        break;
      case 'reasoning-delta':
        this.#kept.add(part);
        this.#tell('text-delta', this.#text.release());
        this.#tell(part.type, this.#reasoning.push(part.delta));
        break;
      case 'reasoning-start':
      case 'reasoning-end':
        this.#kept.add(part);
        break;
      case 'tool-input-delta':
        this.#say('arguments-delta', part.delta);
        break;
      case 'tool-call':
        this.#readCall(part);
        break;
      case 'error':
        this.error ??= { reported: part.error };
        break;
      case 'finish':
        this.#finish(part.usage, part.finishReason);
    }
  }

  /** There will be no more. What was held back, as it might have become a call, is text after all; nothing is called. */
  breakOff(reason: unknown): void {
    this.error ??= { reported: reason };
    this.#flush();
  }

  #readCall({ toolCallId, toolName, input }: LanguageModelV4ToolCall): void {
    this.#tell('reasoning-delta', this.#reasoning.release());
    this.#tell('text-delta', this.#text.release());
    this.#call(toolCallId, toolName, readArguments(input));
  }

  #call(id: string, name: string, read: ReadArguments): void {
    this.#begun = true;
    this.told({
      type: 'tool-call',
      callId: this.#callIds.take(id),
      name: wellFormed(name).trim() || 'unnamed_tool',
      ...read,
    });
  }

  #finish(reported: LanguageModelV4Usage, { unified, raw }: LanguageModelV4FinishReason): void {
    this.finished = true;
    this.#flush();
    const usage = usageOf(reported);
    // An error before the first word leads to another try, of which nobody hears.
    const heard = this.#begun || this.error === undefined;
    if (usage !== undefined && heard) this.told({ type: 'usage', usage });
    if (this.error !== undefined) return;
    if (unified === 'error' || unified === 'interrupted') {
      this.error = { reported: brokenOff(unified) };
      return;
    }
    const kind: FinishKind = unified;
    const reason = raw ?? (unified === 'other' ? undefined : unified);
    const continuation = continuationOf(this.#kept.blocks());
    this.told({
      type: 'finish',
      kind,
      ...(reason === undefined ? {} : { reason }),
      ...(continuation === undefined ? {} : { continuation }),
    });
  }

  #flush(): void {
    this.#tell('reasoning-delta', this.#reasoning.end());
    this.#tell('text-delta', this.#text.end());
  }

  #tell(type: 'text-delta' | 'reasoning-delta', segments: string | readonly Segment[]): void {
    if (typeof segments === 'string') {
      this.#say(type, segments);
      return;
    }
    for (const segment of segments) {
      if (segment.type === 'text') this.#say(type, segment.text);
      else if (segment.type === 'markup') this.#say('arguments-delta', segment.text);
      else if (this.error === undefined) {
        const { name, input, problem } = segment.call;
        this.#call('', name, problem === undefined ? readArguments(input) : refusedArguments(input, problem));
      }
    }
  }

  #say(type: 'text-delta' | 'reasoning-delta' | 'arguments-delta', text: string): void {
    if (text === '') return;
    this.#begun = true;
    this.told({ type, text });
  }
}

/** Undefined when the provider gave no count at all; then the runner estimates. One beyond belief is a guess as well. */
function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage | undefined {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined;
  const [input, cached] = [inputTokens.total ?? 0, inputTokens.cacheRead ?? 0];
  const [output, reasoning] = [outputTokens.total ?? 0, outputTokens.reasoning ?? 0];
  return {
    inputTokens: wholeTokens(input),
    cachedInputTokens: wholeTokens(cached),
    outputTokens: wholeTokens(output),
    reasoningTokens: wholeTokens(reasoning),
    estimated: Math.max(input, cached, output, reasoning) > mostTokens,
  };
}

function brokenOff(how: 'error' | 'interrupted'): ModelFailure {
  return how === 'error'
    ? new ModelFailure('MODEL_ERROR', 'The model ended its reply with an error.', true)
    : new ModelFailure('UNAVAILABLE', 'The model broke off before its reply was complete.', true);
}
