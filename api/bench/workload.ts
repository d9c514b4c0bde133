import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { z } from 'zod';
import { streamingModel } from '../src/models/streaming-model.ts';
import { createToolRegistry } from '../src/tools/registry.ts';
import { defineTool } from '../src/tools/tool.ts';
import { burst, type Pace } from './pace.ts';

/** One run of the benchmark: so many turns, each with so many deltas and one tool call, then a short answer. */
export const turns = 15;
export const deltasPerTurn = 31;
export const deltaText = 'a word or two ';
/** A question that is never answered. */
export const endless = 'Wait.';

/** Answers at once and differently each time, so that nothing but the loop and the delivery is measured. */
export const benchTools = createToolRegistry([
  defineTool({
    name: 'look',
    description: 'Looks at a page.',
    input: z.object({ page: z.number() }),
    run: async ({ page }) => `page ${page}`,
  }),
]);

/** A model as the AI SDK knows them, so that others can be measured with the same. It costs next to nothing. */
export function benchModel(paceNow: () => Pace = () => burst): LanguageModelV4 {
  return streamingModel('bench', 'bench', async ({ prompt, abortSignal }) => {
    if (JSON.stringify(prompt.at(-1)).includes(endless)) return silence(abortSignal);
    const pace = paceNow();
    if (pace.everyMs > 0) return pacedReply(pace);
    const turn = prompt.filter(({ role }) => role === 'assistant').length + 1;
    return new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        for (const part of partsOf(turn)) controller.enqueue(part);
        controller.close();
      },
    });
  });
}

function partsOf(turn: number): readonly LanguageModelV4StreamPart[] {
  const isLast = turn >= turns;
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 'text' },
    ...Array.from({ length: deltasPerTurn }, () => delta),
    { type: 'text-end', id: 'text' },
    ...(isLast
      ? []
      : [
          {
            type: 'tool-call',
            toolCallId: `call-${turn}`,
            toolName: 'look',
            input: JSON.stringify({ page: turn }),
          } as const,
        ]),
    finish(isLast),
  ];
}

const delta: LanguageModelV4StreamPart = { type: 'text-delta', id: 'text', delta: deltaText };

function finish(isLast: boolean): LanguageModelV4StreamPart {
  return {
    type: 'finish',
    usage: {
      inputTokens: { total: 100, noCache: undefined, cacheRead: 0, cacheWrite: undefined },
      outputTokens: { total: 100, text: undefined, reasoning: 0 },
    },
    finishReason: isLast ? { unified: 'stop', raw: 'stop' } : { unified: 'tool-calls', raw: 'tool_calls' },
  };
}

function pacedReply({ everyMs, chunks }: Pace): ReadableStream<LanguageModelV4StreamPart> {
  let timer: NodeJS.Timeout | undefined;
  return new ReadableStream({
    start(controller) {
      let said = 0;
      controller.enqueue({ type: 'stream-start', warnings: [] });
      controller.enqueue({ type: 'text-start', id: 'text' });
      timer = setInterval(() => {
        controller.enqueue(delta);
        if (++said < chunks) return;
        clearInterval(timer);
        controller.enqueue({ type: 'text-end', id: 'text' });
        controller.enqueue(finish(true));
        controller.close();
      }, everyMs);
    },
    cancel: () => clearInterval(timer),
  });
}

function silence(signal: AbortSignal | undefined): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    },
  });
}
