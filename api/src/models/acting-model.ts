import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { Json } from '../agent/json.ts';
import { charactersPerToken, readScene, type Scene } from './scene.ts';
import { streamingModel } from './streaming-model.ts';

export interface ActingOptions {
  /** Milliseconds between deltas; 0 for as fast as they are read. */
  readonly pace?: number;
}

/** What a built-in model does in one turn. */
export interface Act {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: Json }[];
  /** Tokens of output that nobody gets to see, as with hidden reasoning. */
  readonly hiddenTokens?: number;
  /** Reported by the provider instead of an end. */
  readonly failure?: unknown;
}

interface Manner {
  /** Pauses of this many times the pace; 1 unless given. */
  readonly slowness?: number;
  /** Characters in a delta; about two words unless given. */
  readonly deltaLength?: number;
}

const usualPace = 15;
/** Without pauses, everybody else gets a turn after this many deltas. */
const deltasInOneGo = 32;

/** A model without a model: it reads the prompt and acts. Deterministic, and as honest about usage as a real one. */
export function actingModel(
  name: string,
  act: (scene: Scene) => Act,
  { pace = usualPace }: ActingOptions = {},
  { slowness = 1, deltaLength = 12 }: Manner = {},
): LanguageModelV4 {
  return streamingModel('built-in', name, async (options) => {
    const scene = readScene(options);
    return streamOf(perform(scene, act(scene), options, pace * slowness, deltaLength));
  });
}

function streamOf(parts: AsyncGenerator<LanguageModelV4StreamPart>): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(controller) {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void parts.return(undefined),
    },
    { highWaterMark: 0 },
  );
}

async function* perform(
  scene: Scene,
  act: Act,
  { abortSignal }: LanguageModelV4CallOptions,
  pauseMs: number,
  deltaLength: number,
): AsyncGenerator<LanguageModelV4StreamPart, void, undefined> {
  const { reasoning = '', text = '', calls = [], hiddenTokens = 0 } = act;
  const hidden = Math.min(hiddenTokens, scene.maxOutputTokens);
  let room = (scene.maxOutputTokens - hidden) * charactersPerToken;
  let said = 0;
  yield { type: 'stream-start', warnings: [] };

  for (const [type, whole] of [['reasoning-delta', reasoning] as const, ['text-delta', text] as const]) {
    for (const delta of pieces(whole.slice(0, room), deltaLength)) {
      if (pauseMs > 0) await pause(pauseMs, undefined, abortSignal ? { signal: abortSignal } : {});
      else if (said++ % deltasInOneGo === deltasInOneGo - 1) await breathe();
      abortSignal?.throwIfAborted();
      yield { type, id: type, delta };
    }
    room = Math.max(0, room - whole.length);
  }
  if (act.failure !== undefined) yield { type: 'error', error: act.failure };

  const written = calls.map(({ name, input }, index) => ({
    type: 'tool-call' as const,
    toolCallId: `${scene.turn}-${index + 1}`,
    toolName: name,
    input: JSON.stringify(input),
  }));
  yield* written;
  const callText = written.map((call) => call.input).join('');
  const visible = Math.ceil((reasoning.length + text.length + callText.length) / charactersPerToken);
  const cut = visible + hidden > scene.maxOutputTokens;
  yield {
    type: 'finish',
    usage: usageOf(
      scene,
      Math.min(visible + hidden, scene.maxOutputTokens),
      hidden + Math.ceil(reasoning.length / charactersPerToken),
    ),
    finishReason: cut
      ? { unified: 'length', raw: 'length' }
      : calls.length > 0
        ? { unified: 'tool-calls', raw: 'tool_calls' }
        : { unified: 'stop', raw: 'stop' },
  };
}

/** Cut at blanks, so that every delta is readable by itself. */
function* pieces(text: string, length: number): Generator<string, void, undefined> {
  for (let start = 0; start < text.length; ) {
    const blank = text.indexOf(' ', start + length);
    const end = blank === -1 ? text.length : blank + 1;
    yield text.slice(start, end);
    start = end;
  }
}

function usageOf(scene: Scene, output: number, reasoning: number): LanguageModelV4Usage {
  return {
    inputTokens: { total: scene.promptTokens, noCache: undefined, cacheRead: 0, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: Math.min(reasoning, output) },
  };
}
