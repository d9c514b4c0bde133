import { createClient } from 'graphql-ws/client';
import { WebSocket } from 'ws';
import type { Answer } from './client.ts';

type Row = Record<string, unknown>;

/** A subscription being read, whichever way it travels. */
export interface Live<Data = Row> {
  /** The next answer; undefined once the server has ended the subscription. */
  next(): Promise<Answer<Data> | undefined>;
  /** Reads on until an answer fits, and returns it with the number of answers read. */
  until(fits: (data: Data) => boolean): Promise<{ data: Data; read: number }>;
  stop(): Promise<void>;
}

export type Transport = <Data = Row>(
  server: { readonly url: string; readonly token?: string | undefined },
  query: string,
  variables?: Row,
) => Live<Data>;

/** graphql-transport-ws, through the client that most people use. */
export const overWebSocket: Transport = <Data>({ url, token }: Server, query: string, variables: Row = {}) => {
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: token ? { authorization: `Bearer ${token}` } : {},
  });
  const answers = client.iterate<Data>({ query, variables });
  return live<Data>(answers, async () => {
    await answers.return?.();
    await client.dispose();
  });
};

/** Server-sent events on the same endpoint, with nothing but fetch. */
export const overSse: Transport = <Data>({ url, token }: Server, query: string, variables: Row = {}) => {
  const unsubscribe = new AbortController();
  async function* answers(): AsyncGenerator<Answer<Data>> {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify({ query, variables }),
      signal: unsubscribe.signal,
    });
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
      throw new Error(`Not a stream: ${response.status} ${await response.text()}`);
    }
    for await (const { event, data } of eventsOf(response.body)) {
      if (event === 'complete') return;
      if (event === 'next') yield JSON.parse(data) as Answer<Data>;
    }
  }
  const reading = answers();
  return live(reading, async () => {
    unsubscribe.abort();
    await reading.return(undefined).catch(() => undefined);
  });
};

export const transports = [
  ['WebSocket', overWebSocket],
  ['server-sent events', overSse],
] as const satisfies readonly (readonly [string, Transport])[];

/** A directive on the root field, which only the general executor knows: runs are then delivered the general way. */
const theGeneralWay =
  (transport: Transport): Transport =>
  (server, query, variables) =>
    transport(server, query.replace(/oracle(Query|Run)\([^)]*\)(?! @include)/, '$& @include(if: true)'), variables);

/** Runs are delivered directly where they can be; whatever holds then holds the general way too. */
export const transportsAndWays = [
  ...transports,
  ['WebSocket, the general way', theGeneralWay(overWebSocket)],
  ['server-sent events, the general way', theGeneralWay(overSse)],
] as const satisfies readonly (readonly [string, Transport])[];

interface Server {
  readonly url: string;
  readonly token?: string | undefined;
}

function live<Data>(answers: AsyncIterator<unknown>, stop: () => Promise<void>): Live<Data> {
  async function next(): Promise<Answer<Data> | undefined> {
    try {
      const { done, value } = await answers.next();
      return done ? undefined : (value as Answer<Data>);
    } catch (error) {
      if (Array.isArray(error)) return { errors: error }; // refused before it began
      throw error;
    }
  }
  return {
    next,
    async until(fits) {
      for (let read = 1; ; read += 1) {
        const answer = await next();
        if (!answer?.data) throw new Error(`Ended before the answer came: ${JSON.stringify(answer)}`);
        if (fits(answer.data)) return { data: answer.data, read };
      }
    },
    stop,
  };
}

/** The events of a stream as the standard describes them: lines of `name: value`, closed by an empty one. */
export async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<{ event: string; data: string }> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const values = (name: string) =>
        block.split('\n').flatMap((line) => (line.startsWith(`${name}:`) ? line.slice(name.length + 1).trim() : []));
      const [event] = values('event');
      if (event) yield { event, data: values('data').join('\n') };
    }
  }
}
