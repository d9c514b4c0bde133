import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Reply, reply, type Step } from './model-replies.ts';

/** A request as the server got it. */
export interface ModelServerRequest {
  /** 1 for the first since the server started. */
  readonly number: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: ChatRequest;
  /** Kept when the other side is gone or has the whole reply. */
  readonly closed: Promise<void>;
}

export interface ChatRequest {
  readonly model: string;
  readonly max_tokens?: number;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | null;
    readonly [field: string]: unknown;
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly [field: string]: unknown;
}

export type ScriptEntry = Reply | ((request: ModelServerRequest) => Reply | Promise<Reply>);

/** An OpenAI-compatible model that says what a test wants. */
export interface ModelServer {
  /** For ORACLE_OPENAI_BASE_URL; any `openai/<id>` is then answered by the script. */
  readonly url: string;
  readonly requests: readonly ModelServerRequest[];
  /** Adds replies for the coming requests, one each, in order. */
  script(...entries: readonly ScriptEntry[]): void;
  /** For every request that the script has no reply for. */
  otherwise(entry: ScriptEntry): void;
  /** What its list of models is, for everybody who asks; without it there is none (404). */
  list(answer: Reply): void;
  /** The requests for that list. They do not count among the others. */
  readonly listRequests: readonly Pick<ModelServerRequest, 'headers'>[];
  /** The request with this number, now or when it comes. */
  request(number: number): Promise<ModelServerRequest>;
  stop(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  const requests: ModelServerRequest[] = [];
  const waiting: { readonly number: number; readonly resolve: (request: ModelServerRequest) => void }[] = [];
  const entries: ScriptEntry[] = [];
  let fallback: ScriptEntry = reply.error(400, { message: 'The script of this test has no reply left.' });
  let listing: Reply = reply.error(404);
  const listRequests: Pick<ModelServerRequest, 'headers'>[] = [];

  const server = createServer(async (incoming, outgoing) => {
    if (incoming.method === 'GET') {
      listRequests.push({ headers: incoming.headers });
      await perform(listing, outgoing);
      return;
    }
    const received = await receive(incoming, outgoing);
    const request = { ...received, number: requests.length + 1 };
    requests.push(request);
    for (const { number, resolve } of waiting) if (number === request.number) resolve(request);
    const entry = entries.shift() ?? fallback;
    await perform(typeof entry === 'function' ? await entry(request) : entry, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    script: (...added) => void entries.push(...added),
    otherwise(entry) {
      fallback = entry;
    },
    list(answer) {
      listing = answer;
    },
    listRequests,
    request(number) {
      const known = requests[number - 1];
      return known ? Promise.resolve(known) : new Promise((resolve) => void waiting.push({ number, resolve }));
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Something that a test opens when it is ready: `step.wait(gate.opened)`. */
export function createGate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

async function receive(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<Omit<ModelServerRequest, 'number'>> {
  const closed = new Promise<void>((resolve) => outgoing.once('close', resolve));
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return { headers: incoming.headers, text, body: JSON.parse(text), closed };
}

async function perform(steps: readonly Step[], outgoing: ServerResponse): Promise<void> {
  const gone = new Promise<void>((resolve) => outgoing.once('close', resolve));
  for (const next of steps) {
    if (outgoing.destroyed) return;
    switch (next.do) {
      case 'head':
        outgoing.writeHead(next.status, next.headers);
        outgoing.flushHeaders();
        break;
      case 'send':
        await new Promise<void>((resolve) => outgoing.write(next.bytes, () => resolve()));
        break;
      case 'wait':
        await Promise.race([next.until, gone]);
        break;
      case 'hang':
        await gone;
        return;
      case 'break':
        outgoing.destroy();
        return;
    }
  }
  outgoing.end();
}
