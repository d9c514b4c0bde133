import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** What happens to one event on its way to the client. */
export type Fault =
  | 'pass'
  /** It never arrives. */
  | 'drop'
  | 'duplicate'
  /** It arrives after the one that follows it. */
  | 'delay'
  /** The connection breaks before it. */
  | 'cut'
  /** The connection breaks right after it. */
  | 'cut-after'
  /** All connections break, and the next one is refused: what a restart looks like. */
  | 'restart';

/** A network between client and server that fails as it is told to, on WebSockets and event streams alike. */
export interface FaultyProxy extends AsyncDisposable {
  readonly url: string;
  /** Where it leads; a server that was started anew has another address. */
  target: string;
  /** What happens to the next events, one after the other; all that come later pass. */
  plan(faults: readonly Fault[]): void;
  /** Refuses WebSockets, as some networks do. */
  blockSockets: boolean;
  /** How many subscriptions came through. */
  readonly subscriptions: number;
  cutAll(): void;
}

interface Channel {
  send(text: string): void;
  cut(): void;
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const channels = new Set<Channel>();
  let faults: Fault[] = [];
  let refusals = 0;
  let subscriptions = 0;

  const http = createServer((request, response) => void forward(request, response).catch(() => response.destroy()));
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'graphql-transport-ws' });
  http.on('upgrade', (request, socket, head) => {
    if (proxy.blockSockets || refuse()) return void socket.destroy();
    sockets.handleUpgrade(request, socket, head, (client) => bridge(client));
  });

  function refuse(): boolean {
    if (refusals === 0) return false;
    refusals -= 1;
    return true;
  }

  /** Sends events through one channel, with whatever the plan has in store for them. */
  function makeSender(channel: Channel): (text: string, isEvent: boolean) => void {
    let late: string | undefined;
    return (text, isEvent) => {
      const fault = isEvent ? (faults.shift() ?? 'pass') : 'pass';
      if (fault === 'cut') return channel.cut();
      if (fault === 'restart') {
        refusals = 1;
        return proxy.cutAll();
      }
      if (fault === 'delay' && late === undefined) {
        late = text;
        return;
      }
      if (fault !== 'drop') channel.send(text);
      if (fault === 'duplicate') channel.send(text);
      if (late !== undefined) channel.send(late);
      late = undefined;
      if (fault === 'cut-after') channel.cut();
    };
  }

  function bridge(client: WebSocket): void {
    const server = new WebSocket(`${proxy.target.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const channel: Channel = { send: (text) => client.send(text), cut: () => client.terminate() };
    const send = makeSender(channel);
    const waiting: string[] = [];
    channels.add(channel);
    client.on('message', (data) => {
      const text = String(data);
      if (JSON.parse(text).type === 'subscribe') subscriptions += 1;
      if (server.readyState === WebSocket.OPEN) server.send(text);
      else waiting.push(text);
    });
    server.on('open', () => {
      for (const text of waiting.splice(0)) server.send(text);
    });
    server.on('message', (data) => {
      if (client.readyState !== WebSocket.OPEN) return;
      send(String(data), JSON.parse(String(data)).type === 'next');
    });
    server.on('close', () => client.terminate());
    server.on('error', () => client.terminate());
    client.on('error', () => server.terminate());
    client.on('close', () => {
      channels.delete(channel);
      server.terminate();
    });
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (refuse()) return void response.destroy();
    const body: Uint8Array[] = [];
    for await (const piece of request) body.push(piece as Uint8Array);
    const left = new AbortController();
    response.on('close', () => left.abort());
    const answer = await fetch(`${proxy.target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: pick(request, ['accept', 'authorization', 'content-type']),
      ...(body.length > 0 && { body: Buffer.concat(body) }),
      signal: left.signal,
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) {
      response.end(await answer.text());
      return;
    }
    subscriptions += 1;
    response.flushHeaders();
    const channel: Channel = { send: (text) => response.write(text), cut: () => response.destroy() };
    channels.add(channel);
    response.on('close', () => channels.delete(channel));
    const send = makeSender(channel);
    let rest = '';
    for await (const text of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = `${rest}${text}`.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) send(`${block}\n\n`, block.includes('event: next'));
    }
    response.end();
  }

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    target,
    blockSockets: false,
    get subscriptions() {
      return subscriptions;
    },
    plan(planned) {
      faults = [...planned];
      refusals = 0;
    },
    cutAll() {
      for (const channel of channels) channel.cut();
    },
    async [Symbol.asyncDispose]() {
      for (const client of sockets.clients) client.terminate();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return proxy;
}

function pick({ headers }: IncomingMessage, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}
