import type { ExecutionResult } from 'graphql';
import type { ChunkTaker, Follower } from '../runs/follower.ts';
import type { WriteText } from './compiled-selection.ts';

/** Where the results of a subscription are written to. */
export interface EventSink {
  /** One result, as JSON text. False when no more should come until `DirectEvents.resume` is called. */
  send(text: string): boolean;
  end(): void;
}

/** Something else that a subscription ends with, such as its token. */
export interface EndWatch {
  begin(events: DirectEvents): void;
  stop(): void;
}

/** Answers an event the general way. */
export interface EventExecutor {
  execute(event: unknown): Promise<ExecutionResult>;
  /** What a subscription ends with when even that failed. */
  lastWord(error: unknown): ExecutionResult;
}

/**
 * The results of a subscription on a short way: from the run's reader to text, and from there into the socket, without
 * a promise or an object for each. Not iterable on purpose: so every layer in between passes it on as it is.
 */
export class DirectEvents implements ChunkTaker, ExecutionResult {
  readonly data = null;
  #sink: EventSink | undefined;
  #watch: EndWatch | undefined;
  /** An event is with the general executor; those after it wait. */
  #executing = false;
  #sourceEnded = false;
  #over = false;

  constructor(
    private readonly source: Follower,
    private readonly answer: WriteText,
    private readonly executor: EventExecutor,
  ) {}

  endWhen(watch: EndWatch): void {
    this.#watch = watch;
  }

  sendTo(sink: EventSink): void {
    this.#sink = sink;
    this.#watch?.begin(this);
    if (!this.#over) this.source.pushTo(this);
  }

  /** The sink can take more. */
  resume(): void {
    if (!this.#executing && !this.#over) this.source.resume();
  }

  /** Nobody listens any more. */
  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#watch?.stop();
    this.source.close();
  }

  take(event: unknown): boolean {
    const text = this.answer(event);
    if (text !== undefined) return this.#sink?.send(text) ?? false;
    this.#executing = true;
    this.executor
      .execute(event)
      .then((result) => this.#executed(result))
      .catch((error: unknown) => this.#failed(error));
    return false;
  }

  end(): void {
    this.#sourceEnded = true;
    if (!this.#executing) this.#finish();
  }

  #executed(result: ExecutionResult): void {
    this.#executing = false;
    if (this.#over) return;
    const ready = this.#sink?.send(JSON.stringify(result));
    if (this.#sourceEnded) this.#finish();
    else if (ready) this.source.resume();
  }

  /** Those that wait behind the event would wait for ever. */
  #failed(error: unknown): void {
    this.#executing = false;
    try {
      this.endWith(this.executor.lastWord(error));
    } finally {
      this.close();
    }
  }

  /** Ends it with a last word. */
  endWith(last: ExecutionResult): void {
    if (this.#over) return;
    this.#sink?.send(JSON.stringify(last));
    this.#finish();
  }

  #finish(): void {
    if (this.#over) return;
    this.close();
    this.#sink?.end();
  }
}
