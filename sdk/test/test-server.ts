import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** A request as the server saw it. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What a test makes the server answer. */
export interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

/** A message of the graphql-transport-ws protocol. */
export interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: unknown;
}

/** One client's WebSocket. */
export interface SeenSocket {
  readonly path: string;
  send(message: Message): void;
  close(code: number, reason?: string): void;
  /** Cuts the line without a goodbye. */
  cut(): void;
}

/** A real server on a free port whose answers the test writes. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Replaces what is answered over HTTP; never answering is a promise that never settles. */
  answer(how: (request: SeenRequest) => Answer | Promise<Answer>): void;
  /** Replaces what is done with each message of a WebSocket. */
  onMessage(how: (message: Message, socket: SeenSocket) => void): void;
  readonly openSockets: number;
}

/** Starts it; disposing of it stops it and cuts every connection. */
export async function startTestServer(): Promise<TestServer> {
  const requests: SeenRequest[] = [];
  let answer: (request: SeenRequest) => Answer | Promise<Answer> = () => ({ body: { data: {} } });
  let onMessage: (message: Message, socket: SeenSocket) => void = () => {};

  const http = createServer((request, response) => void handle(request, response));
  const sockets = new WebSocketServer({ server: http, handleProtocols: () => 'graphql-transport-ws' });
  sockets.on('connection', (socket, request) => {
    const seen = seenSocket(socket, request.url ?? '');
    socket.on('message', (data) => onMessage(JSON.parse(String(data)) as Message, seen));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const { query, variables = {} } = JSON.parse(Buffer.concat(chunks).toString()) as SeenRequest;
    const seen = { path: request.url ?? '', headers: request.headers, query, variables };
    requests.push(seen);
    const { status = 200, body } = await answer(seen);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    answer(how) {
      answer = how;
    },
    onMessage(how) {
      onMessage = how;
    },
    get openSockets() {
      return sockets.clients.size;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function seenSocket(socket: WebSocket, path: string): SeenSocket {
  return {
    path,
    send: (message) => socket.send(JSON.stringify(message)),
    close: (code, reason) => socket.close(code, reason),
    cut: () => socket.terminate(),
  };
}
