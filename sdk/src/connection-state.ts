import type { OracleError } from './oracle-error.ts';

/** How a client's subscriptions stand, told apart by `status`. */
export type ConnectionState =
  /** Nobody listens, so there is no connection. */
  | { readonly status: 'idle' }
  | { readonly status: 'connecting'; readonly transport: 'ws' | 'sse' }
  | { readonly status: 'connected'; readonly transport: 'ws' | 'sse' }
  /** The connection failed; it is made again after a pause. */
  | { readonly status: 'waiting'; readonly error: OracleError; readonly retryInMs: number };

/** One subscription's part in the state of all. */
export interface LineState {
  set(state: ConnectionState): void;
  close(): void;
}

/** What matters most to a person comes first. */
const order = ['waiting', 'connecting', 'connected'] as const;

/** Sums up the lines of a client and tells of every change. */
export function makeConnectionStates(onConnection?: (state: ConnectionState) => void): { open(): LineState } {
  const idle: ConnectionState = { status: 'idle' };
  const lines = new Set<{ state: ConnectionState }>();
  let told: ConnectionState = idle;

  function tell() {
    const states = [...lines].map(({ state }) => state);
    const state = order.map((status) => states.find((one) => one.status === status)).find(Boolean) ?? idle;
    if (state === told || same(state, told)) return;
    told = state;
    // Not from within: a listener that throws must not take a subscription with it.
    if (onConnection) queueMicrotask(() => onConnection(state));
  }

  return {
    open() {
      const line: { state: ConnectionState } = { state: idle };
      lines.add(line);
      return {
        set(state) {
          line.state = state;
          tell();
        },
        close() {
          lines.delete(line);
          tell();
        },
      };
    },
  };
}

/** Each wait is news; a connection is news once. */
function same(one: ConnectionState, other: ConnectionState): boolean {
  if (one.status !== other.status || one.status === 'waiting') return false;
  return !('transport' in one && 'transport' in other) || one.transport === other.transport;
}
