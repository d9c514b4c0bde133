import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws';
import { BatchingWebSocket } from './batching-socket.ts';

const server = createServer();
const sockets = new WebSocketServer<typeof BatchingWebSocket>({ noServer: true, WebSocket: BatchingWebSocket });
let connected: (pair: { readonly socket: BatchingWebSocket; readonly stream: Socket }) => void;
server.on('upgrade', (request, stream, head) => {
  sockets.handleUpgrade(request, stream, head, (socket) => {
    socket.sendThrough(stream);
    connected({ socket, stream: stream as Socket });
  });
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  for (const client of sockets.clients) client.terminate();
  server.close();
});

async function connect(options: ClientOptions = {}) {
  const opened = new Promise<{ socket: BatchingWebSocket; stream: Socket }>((resolve) => {
    connected = resolve;
  });
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, options);
  await once(client, 'open');
  return { client, ...(await opened) };
}

describe('a batching socket', () => {
  it('sends the messages of one round together, in order', async () => {
    const { client, socket, stream } = await connect();
    const heard: string[] = [];
    client.on('message', (data) => void heard.push(String(data)));
    const before = stream.bytesWritten;
    for (const message of ['one', 'two', 'three']) socket.send(message);
    const written = stream.writableLength;

    expect(stream.bytesWritten - before).toBe(written); // all of it still waits
    while (heard.length < 3) await once(client, 'message');
    expect(heard).toEqual(['one', 'two', 'three']);
    client.terminate();
  });

  it('tells a sender to go on at once while the client keeps up, and to wait when it does not', async () => {
    const { client, socket } = await connect();
    client.pause();
    let told = 0;
    const message = 'x'.repeat(32 * 1024);
    const sends = 2_000; // more than the system holds for a reader
    for (let sent = 0; sent < sends; sent += 1) {
      socket.send(message, () => {
        told += 1;
      });
    }

    expect(told).toBeGreaterThan(0);
    expect(told).toBeLessThan(10);
    client.resume();
    await expect.poll(() => told, { timeout: 10_000 }).toBe(sends);
    client.terminate();
  });

  it('sends texts of a round in one piece, in order with whatever else is sent, and before the goodbye', async () => {
    const { client, socket } = await connect();
    const heard: string[] = [];
    client.on('message', (data) => void heard.push(String(data)));
    const closed = once(client, 'close');
    const texts = ['short', 'é'.repeat(60), 'é'.repeat(63), 'x'.repeat(125), 'x'.repeat(126), '😀'.repeat(9_000)];
    const long = 'é'.repeat(70_000);
    for (const text of texts) socket.sendText(text, { resume: () => undefined });
    socket.send('in between');
    for (const text of [long, 'last']) socket.sendText(text, { resume: () => undefined });
    socket.close();
    await closed;

    expect(heard).toEqual([...texts, 'in between', long, 'last']);
  });

  it('asks whoever sends texts to wait for a client that does not keep up, and calls back', async () => {
    const { client, socket } = await connect();
    client.pause();
    let sent = 0;
    let waits = 0;
    const total = 20_000; // more than the system holds for a reader
    const send = () => {
      while (sent < total) {
        sent += 1;
        if (socket.sendText('x'.repeat(1_000), { resume: send })) continue;
        waits += 1;
        return;
      }
    };
    send();

    expect(sent).toBeLessThan(total);
    client.resume();
    await expect.poll(() => sent, { timeout: 10_000 }).toBe(total);
    expect(waits).toBeGreaterThan(1);
    client.terminate();
  });

  it.each([
    ['short', 'x'],
    ['long', 'x'.repeat(100_000)],
  ])('asks whoever sends %s texts to stop once the goodbye is said', async (_what, text) => {
    const { client, socket } = await connect();
    client.pause(); // so that the goodbye is not answered yet
    const taken: boolean[] = [];
    const sender = {
      resume() {
        if (taken.length < 10) taken.push(socket.sendText(text, sender));
      },
    };
    while (socket.sendText(text, sender)); // now it waits to be called back
    socket.close();

    expect(socket.readyState).toBe(WebSocket.CLOSING);
    expect(socket.sendText(text, sender)).toBe(false);
    const closed = once(socket, 'close');
    client.terminate();
    await closed;
    expect(taken).not.toContain(true);
  });

  it('passes options on', async () => {
    const { client, socket } = await connect();
    socket.send(Buffer.from('bytes'), { binary: true }, () => undefined);
    const [data, isBinary] = await once(client, 'message');

    expect([String(data), isBinary]).toEqual(['bytes', true]);
    client.terminate();
  });

  it('lets go of a client that gives no sign of life, and of no other', async () => {
    const [silent, alive] = [await connect({ autoPong: false }), await connect()];
    for (const { socket, client } of [silent, alive]) {
      const asked = once(client, 'ping');
      socket.askForLife();
      await asked;
    }
    await once(alive.socket, 'pong');
    const gone = once(silent.client, 'close');
    for (const { socket } of [silent, alive]) socket.askForLife();

    await gone;
    await once(alive.socket, 'pong');
    expect(alive.client.readyState).toBe(WebSocket.OPEN);
    alive.client.terminate();
  });

  it('hands on texts as texts, and bytes as bytes', async () => {
    const { client, socket } = await connect();
    const heard: unknown[] = [];
    socket.on('message', (data) => heard.push(data));
    client.send('é');
    client.send(Buffer.from([1]));

    await expect.poll(() => heard).toEqual(['é', Buffer.from([1])]);
    client.terminate();
  });
});
