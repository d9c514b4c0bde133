import { existsSync, readFileSync } from 'node:fs';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reply, step } from '../../../test/kit/model-replies.ts';
import { type ModelServer, startModelServer } from '../../../test/kit/model-server.ts';
import { callModel } from '../call-model.ts';
import type { ModelEvent } from '../model-port.ts';
import { createChatCompletionsModel } from './chat-completions-model.ts';
import { replyStream } from './reply-stream.ts';

interface Recording {
  readonly file: string;
  readonly framing: string;
  readonly expected: {
    readonly content: string;
    readonly reasoning: string;
    readonly tool_calls: readonly { id: string; name: string; arguments: string; arguments_parsed: unknown }[];
    readonly finish_reason: string | null;
    readonly usage: {
      readonly prompt_tokens: number;
      readonly completion_tokens: number;
      readonly total_tokens: number;
      readonly prompt_tokens_details?: { readonly cached_tokens: number };
      readonly completion_tokens_details?: { readonly reasoning_tokens: number };
    };
    readonly error: { readonly code: number; readonly message: string } | null;
  };
}

const folder = new URL('../../../../../shared/data/streams/', import.meta.url);
const recorded = existsSync(folder);
const recordings: readonly Recording[] = recorded
  ? JSON.parse(readFileSync(new URL('index.json', folder), 'utf8'))
  : [];

/** Longer than any event that matters to another: so far apart, cuts in one replay do not touch the same event. */
const betweenCuts = 1_024;

function bytesOf({ file, framing }: Recording): Uint8Array {
  const bytes = readFileSync(new URL(file, folder));
  if (!framing.startsWith('json-lines')) return bytes;
  const lines = bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
  return Buffer.from(`${lines.map((line) => `data: ${line}\n\n`).join('')}data: [DONE]\n\n`);
}

async function replay(pieces: readonly Uint8Array[]) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const parts: LanguageModelV4StreamPart[] = [];
  const reader = replyStream(new Response(body), 'model').getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
  return assemble(parts);
}

function assemble(parts: readonly LanguageModelV4StreamPart[]) {
  const finish = parts.find((part) => part.type === 'finish');
  return {
    content: parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join(''),
    reasoning: parts.map((part) => (part.type === 'reasoning-delta' ? part.delta : '')).join(''),
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolCallId, part.toolName, part.input]] : [])),
    finish: finish?.finishReason.raw ?? null,
    usage: finish?.usage.raw,
    errors: parts.flatMap((part) =>
      part.type === 'error' && part.error instanceof Object && 'data' in part.error ? [part.error.data] : [],
    ),
  };
}

function wanted({ expected }: Recording) {
  return {
    content: expected.content,
    reasoning: expected.reasoning,
    calls: expected.tool_calls.map((call) => [call.id, call.name, call.arguments]),
    finish: expected.finish_reason,
    usage: expected.usage,
    errors: expected.error === null ? [] : [{ error: expected.error }],
  };
}

/** Cut at `first` and then again and again: with every `first` up to the distance, there is a cut at every byte. */
function cutFrom(bytes: Uint8Array, first: number): readonly Uint8Array[] {
  const pieces = [bytes.subarray(0, first)];
  for (let place = first; place < bytes.length; place += betweenCuts) {
    pieces.push(bytes.subarray(place, place + betweenCuts));
  }
  return pieces;
}

describe.skipIf(!recorded)('recorded streams (skipped where the recordings are not at hand)', () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.stop());

  describe.each(recordings)('$file', (recording) => {
    const bytes = recorded ? bytesOf(recording) : new Uint8Array();

    it('gives exactly what was recorded', async () => {
      expect(await replay([bytes])).toEqual(wanted(recording));
    });

    it('gives the same byte by byte', async () => {
      expect(await replay(Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)))).toEqual(
        wanted(recording),
      );
    });

    it('gives the same when it is cut, at every byte', async () => {
      for (let first = 0; first < Math.min(betweenCuts, bytes.length); first++) {
        expect(await replay(cutFrom(bytes, first)), `cut from byte ${first}`).toEqual(wanted(recording));
      }
    });

    it('reaches the runner over HTTP', async () => {
      const { expected } = recording;
      const model = createChatCompletionsModel({ provider: 'test', baseUrl: server.url, apiKey: undefined }, 'model');
      server.script(reply.stream([step.raw(bytes)]));
      const events: ModelEvent[] = [];
      let failure: unknown;

      try {
        const request = { messages: [], tools: [], maxOutputTokens: 100, thinking: true };
        const limits = { signal: new AbortController().signal, deadline: performance.now() + 60_000 };
        await callModel(model, { ...request, ...limits }, (event) => void events.push(event));
      } catch (error) {
        failure = error;
      }

      expect(events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')).toBe(
        expected.content,
      );
      expect(
        events.flatMap((event) => (event.type === 'tool-call' ? [[event.callId, event.name, event.arguments]] : [])),
      ).toEqual(expected.tool_calls.map((call) => [call.id, call.name, call.arguments_parsed]));
      expect(events.find((event) => event.type === 'usage')?.usage).toMatchObject({
        inputTokens: expected.usage.prompt_tokens,
        cachedInputTokens: expected.usage.prompt_tokens_details?.cached_tokens ?? 0,
        outputTokens: expected.usage.total_tokens - expected.usage.prompt_tokens,
        reasoningTokens: expected.usage.completion_tokens_details?.reasoning_tokens ?? 0,
      });
      if (expected.error === null) {
        expect(events.at(-1)).toMatchObject({
          type: 'finish',
          ...(expected.finish_reason && { reason: expected.finish_reason }),
        });
      } else
        expect(failure).toMatchObject({
          name: 'ModelFailure',
          message: expect.stringContaining(expected.error.message),
        });
    });
  });
});
