import { ModelFailure, type ModelRequest } from './model-port.ts';

export const usualFirstChunkTimeout = 60_000;
export const usualIdleTimeout = 30_000;
/** Providers that report an error mid-stream may still send the usage; they get this long for it. */
const patienceAfterError = 1_000;

/** The run was stopped: no failure, the reply is just not wanted any more. */
export class Aborted extends Error {
  override name = 'Aborted';
}

/** Made once: an abort without a reason makes a new error, with its stack, for every reply. */
const over = new Aborted('The reply is over.');

/**
 * Watches one attempt at a reply. Whatever the provider does or ignores, whoever waits for it is told when the signal is
 * aborted, when the deadline comes, or when nothing has arrived for too long; `signal` then tells the provider to stop.
 */
export class ReplyGuard {
  readonly #controller = new AbortController();
  readonly #request: ModelRequest;
  #timer: NodeJS.Timeout | undefined;
  #lastSign = performance.now();
  #patience: number;
  #started = false;
  #end: Aborted | ModelFailure | undefined;
  #giveUp: ((reason: Aborted | ModelFailure) => void) | undefined;

  constructor(request: ModelRequest) {
    this.#request = request;
    this.#patience = request.firstChunkTimeoutMs ?? usualFirstChunkTimeout;
    request.signal.addEventListener('abort', this.#abort);
    if (request.signal.aborted) this.#abort();
    else this.#look();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why waiting ended before the provider answered, if it did. */
  get end(): Aborted | ModelFailure | undefined {
    return this.#end;
  }

  /** From now on told when waiting is over. */
  onStop(giveUp: (reason: Aborted | ModelFailure) => void): void {
    this.#giveUp = giveUp;
  }

  /** Something arrived. Called for every delta, so it only notes the time; the timer catches up by itself. */
  sign(): void {
    this.#lastSign = performance.now();
    if (this.#started) return;
    this.#started = true;
    this.#patience = this.#request.idleTimeoutMs ?? usualIdleTimeout;
    this.#look();
  }

  /** A keep-alive: it lengthens a pause, but it is no beginning. */
  alive(): void {
    if (this.#started) this.#lastSign = performance.now();
  }

  hurry(): void {
    this.#patience = Math.min(this.#patience, patienceAfterError);
    this.#lastSign = performance.now();
    this.#look();
  }

  /** One that has not come to its own end is not wanted any more. */
  close(finished = false): void {
    clearTimeout(this.#timer);
    this.#request.signal.removeEventListener('abort', this.#abort);
    this.#giveUp = undefined;
    if (!finished) this.#controller.abort(over);
  }

  readonly #abort = (): void => this.#stop(new Aborted());

  readonly #look = (): void => {
    clearTimeout(this.#timer);
    const now = performance.now();
    const due = Math.min(this.#request.deadline, this.#lastSign + this.#patience);
    if (now < due) this.#timer = setTimeout(this.#look, Math.ceil(due - now));
    else this.#stop(now >= this.#request.deadline ? outOfTime() : this.#tooQuiet());
  };

  #tooQuiet(): ModelFailure {
    const seconds = Math.max(1, Math.round(this.#patience / 1000));
    return timeout(
      this.#started
        ? `The model stopped in the middle of its reply: nothing came for ${seconds} s.`
        : `The model did not begin to reply within ${seconds} s.`,
    );
  }

  #stop(reason: Aborted | ModelFailure): void {
    this.#end ??= reason;
    this.#giveUp?.(this.#end);
    this.#controller.abort(this.#end);
  }
}

export function outOfTime(): ModelFailure {
  return timeout('The time for this query ran out while the model was replying.');
}

function timeout(message: string): ModelFailure {
  return new ModelFailure('TIMEOUT', message, true);
}
