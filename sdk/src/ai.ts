/**
 * Runs for chat front-ends that are made with the AI SDK. Nothing of that package is needed here: its messages are plain
 * objects, which its own readers and `useChat` understand.
 */
import type { Ending, OracleChunk } from './chunk.ts';
import type { JsonValue } from './json.ts';
import type { Run } from './run.ts';

/** What a finished message carries as its metadata. */
export interface AiSdkMetadata {
  readonly runId: string;
  readonly conversationId: string;
  readonly nodeId: string;
  readonly ending: Ending;
}

/** The parts of the AI SDK's UI message stream that a run is made of. */
export type AiSdkChunk =
  | { type: 'start'; messageId: string }
  | { type: 'start-step' | 'finish-step' }
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; id: string }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }
  | ({ type: 'tool-input-available'; toolName: string; input: JsonValue } & AiSdkCall)
  | ({ type: 'tool-output-available'; output: JsonValue } & AiSdkCall)
  | ({ type: 'tool-output-error'; errorText: string } & AiSdkCall)
  | { type: 'source-document'; sourceId: string; mediaType: string; title: string; filename: string }
  | { type: `data-${string}`; id: string; data: JsonValue }
  | { type: 'error'; errorText: string }
  | { type: 'finish'; finishReason: 'stop' | 'length' | 'error' | 'other'; messageMetadata: AiSdkMetadata };

/** A tool call that the server has made itself. */
export interface AiSdkCall {
  toolCallId: string;
  dynamic: true;
  providerExecuted: true;
}

/**
 * The run as an AI SDK UI message stream. Notices come as `data-notice` parts, the fill of the model's window as
 * `data-context`. Cancelling the stream stops listening; the run goes on.
 */
export function toAiSdkStream(run: Run): ReadableStream<AiSdkChunk> {
  const parts = partsOf(run);
  return new ReadableStream<AiSdkChunk>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await parts.return();
    },
  });
}

/** The answer of an HTTP endpoint that `useChat` talks to. */
export function toAiSdkResponse(run: Run, init: ResponseInit = {}): Response {
  const encoder = new TextEncoder();
  const events = new TransformStream<AiSdkChunk, Uint8Array>({
    transform: (part, controller) => controller.enqueue(encoder.encode(`data: ${JSON.stringify(part)}\n\n`)),
    flush: (controller) => controller.enqueue(encoder.encode('data: [DONE]\n\n')),
  });
  const headers = new Headers(init.headers);
  headers.set('content-type', 'text/event-stream');
  headers.set('cache-control', 'no-cache');
  headers.set('x-vercel-ai-ui-message-stream', 'v1');
  headers.set('x-accel-buffering', 'no');
  return new Response(toAiSdkStream(run).pipeThrough(events), { ...init, headers });
}

async function* partsOf(run: Run): AsyncGenerator<AiSdkChunk, void, void> {
  const block = makeBlocks();
  let started = false;
  let toolsAnswered = false;
  try {
    for await (const chunk of run) {
      if (chunk.agent) continue; // the work of a sub-agent is no part of the answer
      if (!started) {
        yield { type: 'start', messageId: chunk.runId };
        yield { type: 'start-step' };
        started = true;
      }
      const text = textOf(chunk);
      yield* block.close(text?.kind);
      if (toolsAnswered && (text || chunk.__typename === 'ToolCallChunk')) {
        toolsAnswered = false;
        yield { type: 'finish-step' };
        yield { type: 'start-step' };
      }
      if (text) yield* block.write(text.kind, chunk.seq, text.delta);
      else yield* otherParts(chunk);
      if (chunk.__typename === 'ToolResultChunk') toolsAnswered = true;
    }
  } catch (failure) {
    yield { type: 'error', errorText: failure instanceof Error ? failure.message : 'The run could not be read.' };
  }
}

type TextKind = 'text' | 'reasoning';

function textOf(chunk: OracleChunk): { readonly kind: TextKind; readonly delta: string } | undefined {
  if (chunk.__typename === 'ContentChunk') return { kind: 'text', delta: chunk.text };
  return chunk.__typename === 'ThinkingChunk' ? { kind: 'reasoning', delta: chunk.text } : undefined;
}

/** Texts are blocks with a beginning and an end; a run knows deltas only. */
function makeBlocks() {
  let current: { readonly kind: TextKind; readonly id: string } | undefined;
  return {
    /** Ends the block under way, unless what comes is of its kind. */
    *close(kind: TextKind | undefined): Generator<AiSdkChunk> {
      if (!current || current.kind === kind) return;
      yield { type: `${current.kind}-end`, id: current.id };
      current = undefined;
    },
    *write(kind: TextKind, seq: number, delta: string): Generator<AiSdkChunk> {
      if (!current) {
        current = { kind, id: `${kind}-${seq}` };
        yield { type: `${kind}-start`, id: current.id };
      }
      yield { type: `${kind}-delta`, id: current.id, delta };
    },
  };
}

function* otherParts(chunk: OracleChunk): Generator<AiSdkChunk> {
  const id = String(chunk.seq);
  switch (chunk.__typename) {
    case 'ToolCallChunk': {
      // Each call once, however many states it goes through.
      const { callId, name: toolName, arguments: input, status } = chunk;
      if (status === 'PENDING') yield { type: 'tool-input-available', toolName, input, ...callOf(callId) };
      return;
    }
    case 'ToolResultChunk': {
      const call = callOf(chunk.callId);
      if (chunk.ok) yield { type: 'tool-output-available', output: chunk.result, ...call };
      else yield { type: 'tool-output-error', errorText: chunk.error ?? 'It failed.', ...call };
      return;
    }
    case 'SourceChunk': {
      const { path: filename, title } = chunk;
      const mediaType = chunk.kind === 'VAULT' ? 'text/markdown' : 'text/plain';
      yield { type: 'source-document', sourceId: `source-${id}`, mediaType, title: title ?? filename, filename };
      return;
    }
    case 'SystemChunk': {
      const { systemType, severity, message, limitType, currentValue, limitValue, advice } = chunk;
      const data = { systemType, severity, message, limitType, currentValue, limitValue, advice };
      yield { type: 'data-notice', id: `notice-${id}`, data };
      return;
    }
    case 'ContextChunk':
      yield { type: 'data-context', id: 'context', data: { tokens: chunk.tokens, windowSize: chunk.windowSize } };
      return;
    case 'ErrorChunk':
      yield { type: 'error', errorText: chunk.message };
      return;
    case 'DoneChunk': {
      const { runId, conversationId, nodeId, ending } = chunk;
      yield { type: 'finish-step' };
      const messageMetadata = { runId, conversationId, nodeId, ending };
      yield { type: 'finish', finishReason: finishReasonOf(ending), messageMetadata };
    }
  }
}

function callOf(toolCallId: string): AiSdkCall {
  return { toolCallId, dynamic: true, providerExecuted: true };
}

function finishReasonOf({ reason }: Ending): 'stop' | 'length' | 'error' | 'other' {
  switch (reason) {
    case 'COMPLETED':
      return 'stop';
    case 'MAX_ITERATIONS':
    case 'TOKEN_BUDGET':
    case 'TIMEOUT':
      return 'length';
    case 'MODEL_ERROR':
    case 'ERROR_LIMIT':
      return 'error';
    default:
      return 'other';
  }
}
