import type { TypedDocument } from '@oracle-agent/sdk/documents';
import { createClient } from 'graphql-ws';
import { createSignal } from 'solid-js';

export type ConnectionStatus = 'connecting' | 'connected' | 'reconnecting' | 'offline';

/** How often the socket is probed, and how long an answer may take, before a silent connection counts as lost. */
const probeEveryMs = 12_000;
const probeAnswerMs = 5_000;
const longestPauseMs = 15_000;
/** Close codes by which the server says that the session is over. */
const sessionOver = new Set([4401, 4403]);

export type LiveConnection = ReturnType<typeof createLiveConnection>;

/** The WebSocket for subscriptions. Comes back by itself, with growing pauses, for as long as anybody listens. */
export function createLiveConnection(onUnauthenticated: () => void) {
  const [status, setStatus] = createSignal<ConnectionStatus>('connecting');
  let awaitingAnswer: ReturnType<typeof setTimeout> | undefined;

  const socket = createClient({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`,
    keepAlive: probeEveryMs,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: (problem) => !isSessionOver(problem),
    retryWait: pause,
    on: {
      connected: () => setStatus('connected'),
      closed: (event) => {
        clearTimeout(awaitingAnswer);
        setStatus(navigator.onLine ? 'reconnecting' : 'offline');
        if (isSessionOver(event)) onUnauthenticated();
      },
      ping: (received) => {
        if (!received) awaitingAnswer = setTimeout(() => socket.terminate(), probeAnswerMs);
      },
      pong: (received) => {
        if (received) clearTimeout(awaitingAnswer);
      },
    },
  });

  // A socket notices a lost network only when it next speaks; the browser knows at once.
  addEventListener('offline', () => socket.terminate());

  /** Delivers every event until the returned function is called; starts over when the server ends the stream. */
  function subscribe<Data, Variables extends Record<string, unknown>>(
    document: TypedDocument<Data, Variables>,
    variables: Variables,
    onData: (data: Data) => void,
  ): () => void {
    let stopped = false;
    let stop = () => {};
    let attempt = 0;

    function start() {
      stop = socket.subscribe<Data>(
        { query: document, variables },
        {
          next: ({ data, errors }) => {
            attempt = 0;
            if (data) onData(data);
            else if (isUnauthenticated(errors)) onUnauthenticated();
          },
          error: (problem) => {
            if (isSessionOver(problem) || isUnauthenticated(problem)) onUnauthenticated();
            else void again();
          },
          complete: () => void again(),
        },
      );
    }

    async function again() {
      if (stopped) return;
      await pause(attempt++);
      if (!stopped) start();
    }

    start();
    return () => {
      stopped = true;
      stop();
    };
  }

  return { status, subscribe };
}

/** Half a second, doubling, with some spread so that many consoles do not return at the same instant; at once when online again. */
function pause(attempt: number): Promise<void> {
  const wait = Math.min(500 * 2 ** attempt, longestPauseMs) * (0.75 + Math.random() / 2);
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, wait);
    addEventListener('online', done);
  });
}

function isSessionOver(problem: unknown): boolean {
  const code = typeof problem === 'object' && problem !== null && 'code' in problem ? problem.code : undefined;
  return typeof code === 'number' && sessionOver.has(code);
}

function isUnauthenticated(problem: unknown): boolean {
  if (!Array.isArray(problem)) return false;
  return problem.some((error: { extensions?: { code?: unknown } }) => error.extensions?.code === 'UNAUTHENTICATED');
}
