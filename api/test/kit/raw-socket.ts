import { once } from 'node:events';
import { type ClientOptions, WebSocket } from 'ws';

export interface Frame {
  readonly id?: string;
  readonly type: string;
  readonly payload?: unknown;
}

/** graphql-transport-ws by hand, for what a well-behaved client never does. */
export interface RawSocket {
  readonly socket: WebSocket;
  send(frame: Frame): void;
  /** The next frame; undefined once the socket is closed. Pings are passed over. */
  next(): Promise<Frame | undefined>;
  /** Starts an operation and reads on until its first answer. */
  answer(query: string, variables?: Record<string, unknown>): Promise<Frame | undefined>;
  close(): Promise<void>;
}

/** Connects and waits for the acknowledgement. */
export async function openRawSocket(
  url: string,
  { params, ...options }: ClientOptions & { params?: Record<string, unknown> } = {},
): Promise<RawSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws', options);
  const frames: Frame[] = [];
  let wake = () => {};
  let operations = 0;
  const send = (frame: Frame) => socket.send(JSON.stringify(frame));
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as Frame;
    if (frame.type === 'ping') return send({ type: 'pong' });
    frames.push(frame);
    wake();
  });
  socket.on('close', () => wake());
  socket.on('error', () => undefined); // a close follows

  async function next(): Promise<Frame | undefined> {
    while (frames.length === 0 && socket.readyState !== WebSocket.CLOSED) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return frames.shift();
  }

  await once(socket, 'open');
  send({ type: 'connection_init', ...(params ? { payload: params } : {}) });
  const acknowledged = await next();
  if (acknowledged?.type !== 'connection_ack') throw new Error(`Not acknowledged: ${JSON.stringify(acknowledged)}`);
  return {
    socket,
    send,
    next,
    async answer(query, variables = {}) {
      const id = `operation-${++operations}`;
      send({ id, type: 'subscribe', payload: { query, variables } });
      for (let frame = await next(); frame; frame = await next()) if (frame.id === id) return frame;
      return undefined;
    },
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = once(socket, 'close');
      socket.terminate();
      await closed;
    },
  };
}
