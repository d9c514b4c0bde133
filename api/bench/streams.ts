import { once } from 'node:events';
import { type RawData, WebSocket } from 'ws';

/** One stream as a client sees it: how many frames came, and how long the first took. */
export interface Streamed {
  readonly frames: number;
  readonly firstMs: number;
}

/** An open connection that can ask for one stream after the other. */
export interface Connection {
  stream(request: string, keep?: string[]): Promise<Streamed>;
  close(): void;
}

const ends = ['"type":"complete"', '"type":"error"'];
const longestStream = 60_000;

export async function connect(url: string, token?: string): Promise<Connection> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    perMessageDeflate: false,
  });
  await once(socket, 'open');
  if (token !== undefined) {
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }));
    await once(socket, 'message');
  }
  return {
    stream: (request, keep) => read(socket, request, keep),
    close: () => socket.close(),
  };
}

function read(socket: WebSocket, request: string, keep?: string[]): Promise<Streamed> {
  return new Promise((resolve, reject) => {
    const asked = performance.now();
    let firstMs = 0;
    let frames = 0;
    const patience = setTimeout(() => reject(new Error('The stream did not end.')), longestStream);
    const onMessage = (data: RawData) => {
      const bytes = data as Buffer;
      if (bytes.includes('"type":"ping"')) return;
      if (frames === 0) firstMs = performance.now() - asked;
      frames += 1;
      keep?.push(bytes.toString('utf8'));
      // Only a short frame can be the last one.
      if (bytes.length > 200 || !ends.some((end) => bytes.includes(end))) return;
      clearTimeout(patience);
      socket.off('message', onMessage);
      if (bytes.includes('"type":"error"')) reject(new Error(bytes.toString('utf8')));
      else resolve({ frames: frames - 1, firstMs });
    };
    socket.on('message', onMessage);
    socket.send(request);
  });
}
