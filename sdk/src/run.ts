import type { ChunkKind, ChunkOf, Ending, OracleChunk } from './chunk.ts';
import { emptyView, foldChunks, type RunView, type ToolCard, toolCardsOf } from './fold-chunks.ts';
import type { ConversationId, ExchangeId, RunId } from './generated/ids.ts';
import type { AnswerNowInput, ContinueRunInput } from './generated/types.ts';
import { RecentChunks } from './recent-chunks.ts';
import type { RequestOptions } from './request.ts';
import type { RunStart, StreamRun } from './run-stream.ts';

/**
 * One run: a question being answered. Any number of loops, listeners and waiters may share it; each sees the whole run,
 * over one subscription. A reader who falls far behind reads on at its own pace, over a subscription of its own.
 *
 * Leaving a loop, or aborting the signal, stops listening: the run goes on, and `oracle.follow` finds it again.
 * `cancel()` stops the run itself.
 */
export interface Run extends AsyncIterable<OracleChunk> {
  /** Known as soon as the server has taken the question; rejects when it refuses. */
  readonly id: Promise<RunId>;
  /** The answer alone, piece by piece. */
  readonly text: AsyncIterable<string>;
  /** Calls back for every chunk of a kind, those before included. The function it returns stops that. */
  on<Kind extends ChunkKind>(kind: Kind, listener: (chunk: ChunkOf<Kind>) => void): () => void;
  /** Everything there is to know, once the run has ended. Rejects with the signal's reason when that aborts before. */
  result(): Promise<RunResult>;
  /** Goes on where this run stopped, with what it found: a new run. Waits for the id only. */
  continue(how?: Omit<ContinueRunInput, 'runId'>, options?: RequestOptions): Promise<Run>;
  /** Has the question answered in one turn, from what this run found: a new run. */
  answerNow(how?: Omit<AnswerNowInput, 'runId'>, options?: RequestOptions): Promise<Run>;
  /** Stops the run: true when this call ended it, false when it had ended already. What it said so far is saved. */
  cancel(options?: RequestOptions): Promise<boolean>;
}

/** What came of a run. */
export interface RunResult {
  readonly runId: RunId;
  /** The whole answer. */
  readonly text: string;
  readonly ending: Ending;
  readonly toolCalls: readonly ToolCard[];
  readonly sources: readonly ChunkOf<'source'>[];
  /** Send it with the next question to go on. */
  readonly conversationId: ConversationId;
  /** Ask from here to branch. */
  readonly nodeId: ExchangeId;
}

/** What a run needs of its client. */
export interface RunPorts {
  readonly streamRun: StreamRun;
  cancel(runId: RunId, options?: RequestOptions): Promise<boolean>;
  continueRun(input: ContinueRunInput, options?: RequestOptions): Run;
  answerNow(input: AnswerNowInput, options?: RequestOptions): Run;
}

/** Begins to listen at once, so that a question is asked even when nobody reads the answer. */
export function makeRun(ports: RunPorts, start: RunStart, signal: AbortSignal): Run {
  const after = start.after ?? 0;
  const recent = new RecentChunks(after);
  const waiting = new Set<() => void>();
  let view: RunView = emptyView;
  let position = after;
  let runId = start.runId;
  let readers = 0;
  let failure: { readonly reason: unknown } | undefined;
  let over = false;
  let listening: AbortController | undefined;

  const stopped = () => over || failure !== undefined || signal.aborted;
  function wake() {
    for (const resume of waiting) resume();
    waiting.clear();
  }
  const changed = () => new Promise<void>((resolve) => waiting.add(resolve));

  /** One subscription for all readers; ends when the last of them has left, and is taken up by the next. */
  async function listen() {
    if (listening || stopped()) return;
    const controller = new AbortController();
    listening = controller;
    const from: RunStart = runId === undefined ? start : { runId, after: position };
    try {
      for await (const chunk of ports.streamRun(from, AbortSignal.any([signal, controller.signal]))) {
        if (controller.signal.aborted) break;
        runId = chunk.runId;
        position = chunk.seq;
        view = foldChunks(view, chunk);
        recent.push(chunk);
        wake();
        rest();
      }
      over ||= !controller.signal.aborted && !signal.aborted;
    } catch (reason) {
      if (!controller.signal.aborted) failure = { reason };
    }
    listening = undefined;
    wake();
    if (readers > 0) void listen();
  }

  function rest() {
    if (readers === 0 && runId !== undefined) listening?.abort();
  }

  /** Listens as long as a piece of work lasts. */
  function attend(): () => void {
    readers += 1;
    void listen();
    return () => {
      readers -= 1;
      rest();
    };
  }

  async function* read(quit = signal): AsyncGenerator<OracleChunk, void, void> {
    let seen = after;
    const leave = attend();
    try {
      for (;;) {
        if (signal.aborted || quit.aborted) return;
        const chunk = recent.after(seen);
        if (chunk === 'gone' && runId !== undefined) {
          yield* ports.streamRun({ runId, after: seen }, AbortSignal.any([signal, quit]));
          return;
        }
        if (chunk === undefined || chunk === 'gone') {
          if (failure) throw failure.reason;
          if (over) return;
          await changed();
          continue;
        }
        seen = chunk.seq;
        yield chunk;
        if (chunk.__typename === 'DoneChunk') return;
      }
    } finally {
      leave();
    }
  }

  async function settle<Value>(find: () => Value | undefined): Promise<Value> {
    const leave = attend();
    try {
      for (;;) {
        const value = find();
        if (value !== undefined) return value;
        if (failure) throw failure.reason;
        signal.throwIfAborted();
        if (over) throw new Error('The run had ended before the place it was followed from.');
        await changed();
      }
    } finally {
      leave();
    }
  }

  signal.addEventListener('abort', wake, { once: true });
  void listen();
  const id = settle(() => runId);
  id.catch(() => {}); // told to whoever asks; nobody has to

  return {
    id,
    [Symbol.asyncIterator]: () => read(),
    text: {
      async *[Symbol.asyncIterator]() {
        for await (const chunk of read()) {
          if (chunk.__typename === 'ContentChunk' && !chunk.agent) yield chunk.text;
        }
      },
    },
    on(kind, listener) {
      const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Chunk`;
      const quit = new AbortController();
      const work = async () => {
        for await (const chunk of read(quit.signal)) {
          if (chunk.__typename === name) listener(chunk as Parameters<typeof listener>[0]);
        }
      };
      work().catch((reason: unknown) => {
        // A failure of the run is told by loops and promises; one of the listener's is the program's own.
        if (reason !== failure?.reason) queueMicrotask(() => Promise.reject(reason));
      });
      return () => {
        quit.abort();
        wake();
      };
    },
    result: () => settle(() => resultOf(view)),
    continue: async (how, options) => ports.continueRun({ ...how, runId: await findId() }, options),
    answerNow: async (how, options) => ports.answerNow({ ...how, runId: await findId() }, options),
    cancel: async (options) => ports.cancel(await findId(), options),
  };

  /** Also when the signal has aborted before the id was known: what was asked once is found by its key. */
  async function findId(): Promise<RunId> {
    if (!signal.aborted) return id.catch(() => (signal.aborted ? findId() : id));
    if (runId !== undefined) return runId;
    for await (const chunk of ports.streamRun(start, new AbortController().signal)) return chunk.runId;
    return id;
  }
}

function resultOf(view: RunView): RunResult | undefined {
  const { runId, text, ending, sources, conversationId, nodeId } = view;
  if (!runId || !ending || !conversationId || !nodeId) return undefined;
  return { runId, text, ending, toolCalls: toolCardsOf(view), sources, conversationId, nodeId };
}
