/** The least that a server can do: sends the frames it was given, one by one, to whoever says anything. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { answerMeasurements } from './measured-process.ts';

let frames: readonly string[] = [];
const server = createServer();
new WebSocketServer({ server }).on('connection', (socket) => {
  socket.on('message', () => {
    for (const frame of frames) socket.send(frame);
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  answerMeasurements(`http://127.0.0.1:${port}`, (message) => {
    if ('frames' in message) frames = message.frames as readonly string[];
  });
});
