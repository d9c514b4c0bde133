/**
 * The least that a server can do: sends the frames it was given to whoever says anything. Over WebSocket one `send`
 * each, or `corked`, with prebuilt frames that leave in one write; or as server-sent events (`sse`), one write each.
 */
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { answerMeasurements } from './measured-process.ts';
import { burst, type Pace, readPace } from './pace.ts';

const [manner = 'single'] = process.argv.slice(2);
let frames: readonly string[] = [];
let pace: Pace = burst;
let built: readonly Buffer[] = [];

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send(
    (frame) => response.write(frame),
    () => response.end(),
  );
});
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket, { socket: stream }) => {
  socket.on('message', () => {
    if (manner === 'corked') sendCorked(stream);
    else
      send(
        (frame) => socket.send(frame),
        () => undefined,
      );
  });
});

function send(write: (frame: string) => void, done: () => void): void {
  if (pace.everyMs === 0) {
    for (const frame of frames) write(frame);
    done();
    return;
  }
  const last = frames.at(-1) ?? '';
  const { everyMs, chunks } = pace;
  let sent = 0;
  const timer = setInterval(() => {
    write(frames[sent++ % frames.length] ?? '');
    if (sent < chunks) return;
    clearInterval(timer);
    write(last);
    done();
  }, everyMs);
}

function sendCorked(stream: Socket): void {
  stream.cork();
  for (const frame of built) stream.write(frame);
  stream.uncork();
}

/** A text message as the protocol has it. No chunk here is longer than two bytes can say. */
function frameOf(text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.from(body.length < 126 ? [0x81, body.length] : [0x81, 126, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([head, body]);
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  answerMeasurements(`http://127.0.0.1:${port}`, (message) => {
    pace = readPace(message) ?? pace;
    if (!('frames' in message)) return;
    frames = message.frames as readonly string[];
    built = frames.map(frameOf);
  });
});
