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

  /**
   * Follows a stream that has an end, from where it is: the variables are asked for again with every connection, so that
   * nothing is sent twice. Refusals are final; anything else is tried again.
   */
  function follow<Data, Variables extends Record<string, unknown>>(
    document: TypedDocument<Data, Variables>,
    variables: () => Variables,
    sink: FollowSink<Data>,
  ): () => void {
    let stopped = false;
    let stop = () => {};
    let attempt = 0;

    function start() {
      const payload = {
        query: document,
        // Read when the message is written, on the first connection and on every later one.
        get variables() {
          return variables();
        },
      };
      stop = socket.subscribe<Data>(payload, {
        next: ({ data, errors }) => {
          attempt = 0;
          if (data) sink.onData(data);
          else if (errors) judge(errors);
        },
        error: (problem) => {
          if (isSessionOver(problem)) onUnauthenticated();
          else if (Array.isArray(problem)) judge(problem);
          else void again();
        },
        complete: () => void again(),
      });
    }

    function judge(errors: readonly Refusal[]) {
      if (stopped) return;
      if (isUnauthenticated(errors)) return onUnauthenticated();
      if (sink.patient && errors.every(isPassing)) return void again();
      stopped = true;
      sink.onRefusal(errors);
    }

    async function again() {
      if (stopped || sink.isOver()) return;
      await pause(attempt++);
      if (!stopped && !sink.isOver()) start();
    }

    start();
    return () => {
      stopped = true;
      stop();
    };
  }

  return { status, subscribe, follow };
}

/** A GraphQL error, as far as it is read here. */
export interface Refusal {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

interface FollowSink<Data> {
  onData(data: Data): void;
  /** The server will not, whatever is tried. */
  onRefusal(errors: readonly Refusal[]): void;
  /** Whether the last of it was seen, so that a finished stream is not begun again. */
  isOver(): boolean;
  /** A server in trouble is asked again instead of being taken at its word. */
  readonly patient?: boolean;
}

const passingCodes = new Set<unknown>(['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE']);

function isPassing(refusal: Refusal): boolean {
  return passingCodes.has(refusal.extensions?.code);
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
