import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Follower } from '../runs/follower.ts';
import { DirectEvents } from './direct-events.ts';
import { EventStreamBody } from './event-stream-body.ts';
import { contentAt, doneAt } from './test/delivery.ts';

let tidy: () => Promise<void>;
afterEach(() => tidy());

/** Streams the run that a request names, on whatever connection it comes by. */
async function startStreams() {
  const runs = new Map<string, Follower>();
  const asked: string[] = [];
  /** With how many listeners each had at first. */
  const sockets: { readonly socket: Socket; readonly listening: number }[] = [];
  const runOf = (name: string) => {
    const run = runs.get(name) ?? new Follower({ readPage: async () => undefined, onClose: () => undefined }, 0, true);
    runs.set(name, run);
    return run;
  };
  const server = createServer((request, response) => {
    const name = request.url ?? '';
    const written = (chunk: unknown) => `${name} ${(chunk as { seq: number }).seq}`;
    const executor = { execute: async () => ({}), lastWord: () => ({}) };
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    new EventStreamBody(new DirectEvents(runOf(name), written, executor)).pipe(response);
    asked.push(name);
  });
  server.on('connection', (socket) => void sockets.push({ socket, listening: socket.listenerCount('drain') }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let read = '';
  client.setEncoding('utf8').on('data', (text: string) => {
    read += text;
  });
  tidy = async () => {
    client.destroy();
    server.close();
    await once(server, 'close');
  };
  return { runOf, asked, sockets, client, read: () => read };
}

const ask = (name: string) => `GET ${name} HTTP/1.1\r\nhost: here\r\n\r\n`;
const finished = 'event: complete\ndata:\n\n\r\n0\r\n\r\n';

describe('responses of server-sent events on one connection', () => {
  it('follow each other whole, however early the second had something to say, and leave nothing behind', async () => {
    const { runOf, asked, sockets, client, read } = await startStreams();
    client.write(ask('/first') + ask('/second'));
    await expect.poll(() => asked).toEqual(['/first', '/second']);
    runOf('/second').offer([contentAt(1), contentAt(2)]);
    runOf('/first').offer([contentAt(1)]);
    await expect.poll(read).toContain('/first 1');
    expect(read()).not.toContain('/second');

    runOf('/first').offer([contentAt(2), doneAt(3)]);
    runOf('/first').close();
    await expect.poll(read).toContain('/second 2');
    runOf('/second').offer([contentAt(3), doneAt(4)]);
    runOf('/second').close();
    await expect.poll(() => read().split(finished).length).toBe(3);

    const said = [...read().matchAll(/data: (\S+ \d)/g)].map(([, data]) => data);
    expect(said).toEqual(['/first 1', '/first 2', '/first 3', '/second 1', '/second 2', '/second 3', '/second 4']);
    expect(sockets).toHaveLength(1);
    for (const { socket, listening } of sockets) expect(socket.listenerCount('drain')).toBe(listening);
  });
});
