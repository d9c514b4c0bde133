import type { ExecutionResult } from 'graphql';
import type { ChunkTaker, Follower } from '../runs/follower.ts';
import type { WriteText } from './compiled-selection.ts';

/** Where the results of a subscription are written to. */
export interface EventSink {
  /** One result, as JSON text. False when no more should come until `DirectEvents.resume` is called. */
  send(text: string): boolean;
  end(): void;
}

/** Is told when the subscription must end, and with which last word; returns how to stop watching. */
export type WatchForEnd = (end: (last: ExecutionResult) => void) => () => void;

/**
 * The results of a subscription on a short way: from the run's reader to text, and from there into the socket, without
 * a promise or an object for each. Not iterable on purpose: so every layer in between passes it on as it is.
 */
export class DirectEvents implements ChunkTaker, ExecutionResult {
  readonly data = null;
  #sink: EventSink | undefined;
  #watch: WatchForEnd | undefined;
  #stopWatching: (() => void) | undefined;
  /** An event is with the general executor; those after it wait. */
  #executing = false;
  #sourceEnded = false;
  #over = false;

  constructor(
    private readonly source: Follower,
    private readonly answer: WriteText,
    private readonly execute: (event: unknown) => Promise<ExecutionResult>,
  ) {}

  endWhen(watch: WatchForEnd): void {
    this.#watch = watch;
  }

  sendTo(sink: EventSink): void {
    this.#sink = sink;
    this.#stopWatching = this.#watch?.((last) => this.#endWith(last));
    this.#watch = undefined;
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
    this.#stopWatching?.();
    this.source.close();
  }

  take(event: unknown): boolean {
    const text = this.answer(event);
    if (text !== undefined) return this.#sink?.send(text) ?? false;
    this.#executing = true;
    void this.execute(event).then((result) => this.#executed(result));
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

  #endWith(last: ExecutionResult): void {
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
