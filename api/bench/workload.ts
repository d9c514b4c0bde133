import { setTimeout as pause } from 'node:timers/promises';
import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { z } from 'zod';
import { streamingModel } from '../src/models/streaming-model.ts';
import { createToolRegistry } from '../src/tools/registry.ts';
import { defineTool } from '../src/tools/tool.ts';
import { burst, type Pace } from './pace.ts';

/** One run of the benchmark: so many turns, each with so many deltas and one tool call, then a short answer. */
export const turns = 15;
export const deltasPerTurn = 31;
/** All deltas but one, three for each call, two warnings of the limit and the end. */
export const chunksOfRun = turns * deltasPerTurn - 1 + 3 * (turns - 1) + 2 + 1;
export const deltaText = 'a word or two ';
/** A question whose answer never gets beyond its first words. */
export const endless = 'Wait.';
/** One that is answered in one turn, with a few deltas. */
export const brief = 'Briefly?';
const momentAsked = /When, after (\d+) ms\?/;
/** One whose answer, given after so long, is the moment at which it was given: see `moment`. */
export const askMoment = (afterMs: number) => `When, after ${afterMs} ms?`;
/** Milliseconds since 1970, with fractions; the same for all processes of a machine. */
export const moment = () => performance.timeOrigin + performance.now();

/** Answers at once and differently each time, so that nothing but the loop and the delivery is measured. */
export const benchTools = createToolRegistry([
  defineTool({
    name: 'look',
    description: 'Looks at a page.',
    input: z.object({ page: z.number() }),
    run: async ({ page }) => `page ${page}`,
  }),
]);

/** How the parts of a reply come: so many at a time, each time after so long. */
export interface Reads {
  readonly everyMs: number;
  readonly parts: number;
}

/**
 * A model as the AI SDK knows them, so that others can be measured with the same. It costs next to nothing. With `reads`,
 * a reply of the benchmark's run comes in pieces, as from a network, and all at once without.
 */
export function benchModel(paceNow: () => Pace = () => burst, reads?: Reads): LanguageModelV4 {
  return streamingModel('bench', 'bench', async ({ prompt, abortSignal }) => {
    const asked = askedIn(prompt);
    if (asked !== '') {
      if (asked.includes(endless)) return silence(abortSignal);
      if (asked.includes(brief)) return replyWith([delta, delta, delta]);
      const [, afterMs] = momentAsked.exec(asked) ?? [];
      if (afterMs !== undefined) return momentReply(Number(afterMs));
    }
    const pace = paceNow();
    if (pace.everyMs > 0) return pacedReply(pace);
    const turn = prompt.filter(({ role }) => role === 'assistant').length + 1;
    if (reads) return inPieces(partsOf(turn), reads);
    return new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        for (const part of partsOf(turn)) controller.enqueue(part);
        controller.close();
      },
    });
  });
}

function inPieces(
  parts: readonly LanguageModelV4StreamPart[],
  { everyMs, parts: atOnce }: Reads,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      let next = 0;
      const timer = setInterval(() => {
        for (const part of parts.slice(next, next + atOnce)) controller.enqueue(part);
        next += atOnce;
        if (next < parts.length) return;
        clearInterval(timer);
        controller.close();
      }, everyMs);
    },
  });
}

/** What a person said last, if nobody has said anything since; a notice is none of the model's business here. */
function askedIn(prompt: LanguageModelV4Prompt): string {
  const last = prompt.findLast(({ role }) => role !== 'system');
  const said = last?.role === 'user' ? last.content[0] : undefined;
  return said?.type === 'text' && !said.text.startsWith('<notice>') ? said.text : '';
}

function partsOf(turn: number): readonly LanguageModelV4StreamPart[] {
  const isLast = turn >= turns;
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 'text' },
    ...Array.from({ length: isLast ? deltasPerTurn - 1 : deltasPerTurn }, () => delta),
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

function replyWith(deltas: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] });
      controller.enqueue({ type: 'text-start', id: 'text' });
      for (const each of deltas) controller.enqueue(each);
      controller.enqueue({ type: 'text-end', id: 'text' });
      controller.enqueue(finish(true));
      controller.close();
    },
  });
}

async function momentReply(afterMs: number): Promise<ReadableStream<LanguageModelV4StreamPart>> {
  if (afterMs > 0) await pause(afterMs);
  return replyWith([{ type: 'text-delta', id: 'text', delta: String(moment()) }]);
}

function silence(signal: AbortSignal | undefined): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] });
      controller.enqueue({ type: 'text-start', id: 'text' });
      controller.enqueue(delta);
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    },
  });
}
