import { setTimeout as pause } from 'node:timers/promises';
import { APICallError, type LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { estimateTokenCount } from 'tokenx';
import type { ModelMessage, ModelRequest } from '../../src/models/model-port.ts';
import { streamingModel } from '../../src/models/streaming-model.ts';

/** What a scripted model does in one turn, part by part. */
export type Part =
  | { readonly do: 'text' | 'reasoning'; readonly text: string }
  | { readonly do: 'call'; readonly name: string; readonly written: string }
  | { readonly do: 'pause'; readonly milliseconds: number }
  /** The connection breaks in the middle of the reply. */
  | { readonly do: 'break' }
  /** Says nothing more, and does not end. */
  | { readonly do: 'hang' };

export interface Reply {
  /** Refusals with 503 before the reply begins. */
  readonly refusals?: number;
  readonly retryAfterMs?: number;
  readonly parts: readonly Part[];
  /** Whether it says what it used, and how much of that nobody saw. */
  readonly usage: 'reported' | 'none';
  readonly hiddenTokens?: number;
  /** Whether it stops at the output cap, as providers should. */
  readonly keepsCap: boolean;
}

/** What a provider knows of one call, whatever it reports. */
export interface Spent {
  readonly input: number;
  output: number;
  /** The tokens of the last piece that it sent. */
  lastPiece: number;
  finished: boolean;
  calls: number;
}

/** A model that gives this one reply, and keeps account of it. */
export function modelSaying(reply: Reply, request: ModelRequest, account: Spent) {
  let refusals = reply.refusals ?? 0;
  return streamingModel('scripted', 'scripted', async ({ abortSignal, maxOutputTokens = Infinity }) => {
    if (refusals-- > 0) throw refusal(reply.retryAfterMs);
    const parts = perform(reply, request, account, reply.keepsCap ? maxOutputTokens : Infinity, abortSignal);
    return new ReadableStream<LanguageModelV4StreamPart>(
      {
        async pull(controller) {
          const { done, value } = await parts.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
      },
      { highWaterMark: 0 },
    );
  });
}

async function* perform(
  { parts, usage, hiddenTokens = 0 }: Reply,
  request: ModelRequest,
  account: Spent,
  cap: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<LanguageModelV4StreamPart, void, undefined> {
  const hidden = Math.min(hiddenTokens, Math.max(0, request.maxOutputTokens - 50));
  let cut = false;
  account.output += hidden;
  for (const [index, part] of parts.entries()) {
    const said = part.do === 'call' ? part.written : 'text' in part ? part.text : '';
    const tokens = estimateTokenCount(said);
    if (account.output + tokens > cap) {
      cut = true;
      account.output = cap;
      break;
    }
    account.output += tokens;
    if (tokens > 0) account.lastPiece = tokens;
    switch (part.do) {
      case 'text':
      case 'reasoning':
        yield { type: `${part.do}-delta`, id: part.do, delta: part.text };
        break;
      case 'call':
        account.calls += 1;
        yield { type: 'tool-call', toolCallId: `call-${index}`, toolName: part.name, input: part.written };
        break;
      case 'pause':
        await pause(part.milliseconds, undefined, signal ? { signal } : {}).catch(() => undefined);
        break;
      case 'break':
        throw new TypeError('terminated');
      case 'hang':
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        return;
    }
  }
  account.finished = true;
  yield {
    type: 'finish',
    usage: {
      inputTokens: { total: usage === 'none' ? undefined : account.input, ...noDetails, cacheRead: 0 },
      outputTokens: { total: usage === 'none' ? undefined : account.output, text: undefined, reasoning: hidden },
    },
    finishReason: cut ? { unified: 'length', raw: 'length' } : { unified: 'stop', raw: 'stop' },
  };
}

const noDetails = { noCache: undefined, cacheWrite: undefined };

function refusal(retryAfterMs: number | undefined): APICallError {
  return new APICallError({
    message: 'Overloaded.',
    url: '',
    requestBodyValues: {},
    statusCode: 503,
    ...(retryAfterMs === undefined ? {} : { responseHeaders: { 'retry-after-ms': String(retryAfterMs) } }),
  });
}

/** As a provider would count it: the very words, and a little around each message. */
export function sizeOf({ messages, tools }: ModelRequest): number {
  const declared = tools.length === 0 ? 0 : estimateTokenCount(JSON.stringify(tools));
  return messages.reduce((sum, message) => sum + sizeOfMessage(message), declared);
}

function sizeOfMessage(message: ModelMessage): number {
  switch (message.role) {
    case 'system':
    case 'user':
      return 4 + estimateTokenCount(message.text);
    case 'assistant': {
      const calls = message.toolCalls.map((call) => `${call.name}${JSON.stringify(call.arguments)}`);
      return 4 + estimateTokenCount(message.text) + estimateTokenCount(calls.join(''));
    }
    case 'tool':
      return message.results.reduce((sum, { text }) => sum + 4 + estimateTokenCount(text), 0);
  }
}
