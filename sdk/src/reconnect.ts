import type { ConnectionState, LineState } from './connection-state.ts';
import { mayRefresh, type TokenSource } from './credentials.ts';
import { OracleError } from './oracle-error.ts';
import { type AttemptFailure, type Operation, readerIsBehind, type Transport } from './transport.ts';

/** What an event amounts to: something to hand on, nothing, or the sign that something before it is missing. */
export type Received<Item> = { readonly item: Item } | 'nothing' | 'gap';

/** One subscription as its reader sees it, over however many connections. */
export interface Line<Item> {
  /** What to send; asked for every connection, so that each can go on where the last one ended. */
  operation(): Operation;
  receive(data: object): Received<Item>;
  /** Whether this is the end. Asked after an item, and when the server has completed the subscription. */
  ended(completed: boolean): boolean | Promise<boolean>;
}

/** How the attempts of all lines of a client travel. */
export interface Transports {
  /** For the next attempt. */
  transport(): Transport;
  /** Told whether an attempt reached the server; answers whether there is another way, to be tried at once. */
  reached(transport: Transport, contact: boolean): boolean;
  /** Whether the server ever answered this client. */
  readonly known: boolean;
}

/** What else all lines of a client share. */
export interface Reconnecting {
  readonly token: TokenSource;
  retryDelay(attempt: number): number;
  open(): LineState;
}

/** Hands a line to its reader. */
export type Connect = <Item>(line: Line<Item>, signal: AbortSignal) => AsyncGenerator<Item, void, void>;

const attemptsBeforeFirstContact = 5;
const attemptsAgainstErrors = 3;

/**
 * Follows a line to its end. A lost connection is made again, with growing pauses: a few times where nobody ever
 * answered, for ever where somebody did. Aborting ends it at once and quietly.
 */
export function makeConnect(transports: Transports, shared: Reconnecting): Connect {
  return async function* connect(line, signal) {
    const state = shared.open();
    let failures = 0;
    let refused = false;
    try {
      while (!signal.aborted) {
        const transport = transports.transport();
        let failure: AttemptFailure | undefined;
        let contact = false;
        let gap = false;
        state.set({ status: 'connecting', transport: transport.name });
        const onContact = () => {
          if (contact) return;
          contact = true;
          transports.reached(transport, true);
          state.set({ status: 'connected', transport: transport.name });
        };
        try {
          const events = transport.listen(line.operation(), { signal, refused, onContact });
          for await (const data of events) {
            const received = line.receive(data);
            gap = received === 'gap';
            if (gap) break;
            if (typeof received === 'string') continue;
            failures = 0;
            refused = false;
            yield received.item;
            if (await line.ended(false)) return;
          }
          if (!gap && !signal.aborted && (await line.ended(true))) return;
        } catch (thrown) {
          failure = asFailure(thrown);
        }
        if (signal.aborted) return;
        if (failure === readerIsBehind) continue; // it has caught up by now
        if (mayRefresh(shared.token, failure) && !refused) {
          refused = true;
          continue;
        }
        failures += 1;
        if (failure && !mayRetry(failure, failures, transports.known)) throw failure;
        const elsewhere = !contact && failure?.code === 'NETWORK' && transports.reached(transport, false);
        if (elsewhere || (gap && failures === 1)) continue;
        await pause(shared.retryDelay(failures - 1), failure, state, signal);
      }
    } finally {
      state.close();
    }
  };
}

function asFailure(thrown: unknown): AttemptFailure {
  if (thrown === readerIsBehind || thrown instanceof OracleError) return thrown;
  throw thrown;
}

function mayRetry({ code, status = 0 }: OracleError, failures: number, known: boolean): boolean {
  const away = code === 'NETWORK' || code === 'TIMEOUT' || code === 'SERVICE_UNAVAILABLE';
  const proxyAlone = status === 429 || status >= 502;
  if (away || proxyAlone) return known || failures < attemptsBeforeFirstContact;
  return code === 'SERVER_ERROR' && failures < attemptsAgainstErrors;
}

/** Ends early when the signal aborts, leaving no timer behind. */
async function pause(
  milliseconds: number,
  error: OracleError | undefined,
  state: { set(state: ConnectionState): void },
  signal: AbortSignal,
): Promise<void> {
  const ended = new OracleError('NETWORK', 'The connection ended before the stream did.');
  state.set({ status: 'waiting', error: error ?? ended, retryInMs: milliseconds });
  await new Promise<void>((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    signal.addEventListener('abort', wake);
  });
}

/** Doubles from a quarter of a second to fifteen; the jitter keeps a crowd of clients from returning all at once. */
export function growingPause(attempt: number): number {
  return Math.min(250 * 2 ** attempt, 15_000) * (0.75 + Math.random() / 2);
}
