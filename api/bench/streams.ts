import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { type RawData, WebSocket } from 'ws';

/** One stream as a client sees it: how many events came, and how long the first took. */
export interface Streamed {
  readonly frames: number;
  readonly firstMs: number;
}

/** An open connection that can ask for one stream after the other. */
export interface Connection {
  stream(request: string): Promise<Streamed>;
  close(): void;
}

/** One that stays open with a stream that has begun. */
export interface SocketConnection extends Connection {
  stream(request: string, onFrame?: (frame: Buffer) => void): Promise<Streamed>;
  /** Resolves with the first frame. */
  begin(request: string): Promise<void>;
}

const ends = ['"type":"complete"', '"type":"error"'];
const longestStream = 90_000;

/** Over graphql-transport-ws; without a token nobody is greeted, as the raw server expects. */
export async function connect(url: string, token?: string): Promise<SocketConnection> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    perMessageDeflate: false,
  });
  await once(socket, 'open');
  if (token !== undefined) {
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }));
    await once(socket, 'message');
  }
  return {
    stream: (request, onFrame) => read(socket, request, onFrame),
    async begin(request) {
      socket.send(request);
      await once(socket, 'message');
    },
    close: () => socket.close(),
  };
}

function read(socket: WebSocket, request: string, onFrame?: (frame: Buffer) => void): Promise<Streamed> {
  return new Promise((resolve, reject) => {
    const asked = performance.now();
    let firstMs = 0;
    let frames = 0;
    const patience = setTimeout(() => reject(new Error('The stream did not end.')), longestStream);
    const onClose = () => {
      clearTimeout(patience);
      reject(new Error('The connection was closed.'));
    };
    const onMessage = (data: RawData) => {
      const bytes = data as Buffer;
      if (bytes.includes('"type":"ping"')) return;
      if (frames === 0) firstMs = performance.now() - asked;
      frames += 1;
      onFrame?.(bytes);
      // Only a short frame can be the last one.
      if (bytes.length > 200 || !ends.some((end) => bytes.includes(end))) return;
      clearTimeout(patience);
      socket.off('message', onMessage);
      socket.off('close', onClose);
      if (bytes.includes('"type":"error"')) reject(new Error(bytes.toString('utf8')));
      else resolve({ frames: frames - 1, firstMs });
    };
    socket.on('message', onMessage);
    socket.on('close', onClose);
    socket.send(request);
  });
}

/** As server-sent events, one request for each stream on a connection that is kept. `event` begins each that counts. */
export function connectEvents(
  url: string,
  { token, event = 'event: next', path = '/graphql' }: { token?: string; event?: string; path?: string } = {},
): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const stream = (body: string): Promise<Streamed> =>
    new Promise((resolve, reject) => {
      const asked = performance.now();
      const counter = new EventCounter(event);
      let firstMs = 0;
      const options = {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        timeout: longestStream,
      };
      const asking = httpRequest(`${url}${path}`, options, (response) => {
        response.setEncoding('latin1');
        response.on('data', (text: string) => {
          counter.add(text);
          if (firstMs === 0 && counter.count > 0) firstMs = performance.now() - asked;
        });
        response.on('end', () => {
          if (response.statusCode === 200) resolve({ frames: counter.count, firstMs });
          else reject(new Error(`The stream was answered with ${response.statusCode}.`));
        });
      });
      asking.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed the idle connection at the very moment.
        if (asking.reusedSocket && error.code === 'ECONNRESET') resolve(stream(body));
        else reject(error);
      });
      asking.end(body);
    });
  return {
    stream,
    close: () => agent.destroy(),
  };
}

/** Counts how often a mark occurs in a text that comes in pieces. */
class EventCounter {
  count = 0;
  #tail = '';

  constructor(private readonly mark: string) {}

  add(piece: string): void {
    const text = this.#tail + piece;
    let from = 0;
    for (let at = text.indexOf(this.mark); at !== -1; at = text.indexOf(this.mark, from)) {
      this.count += 1;
      from = at + this.mark.length;
    }
    this.#tail = text.slice(Math.max(from, text.length - this.mark.length + 1));
  }
}
