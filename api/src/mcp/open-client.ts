import {
  Client,
  type ClientOptions,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { Logger } from '../logger.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { ChildProcessTransport } from './child-process-transport.ts';
import { type ConnectionSettings, cleaner } from './connection-settings.ts';

/** The first use of a command may have to download it. */
const longestHandshake = 60_000;
/** Servers of before 2026 that do not answer unknown requests are given up on asking, and greeted the old way. */
const longestProbe = 3_000;
const longestFarewell = 1_000;
const mostLines = 500;

export interface OpenClient {
  readonly client: Client;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Some old servers break over a greeting that they do not know: these are greeted the old way at once. */
  readonly oldGreeting: boolean;
  onToolsChanged(): void;
  onClosed(reason: string): void;
}

/** Reaches a server and shakes hands. Rejects with a reason that an administrator can act on. */
export async function openClient(settings: ConnectionSettings, options: OpenOptions): Promise<OpenClient> {
  const { log, signal, oldGreeting, onToolsChanged, onClosed } = options;
  const clean = cleaner(settings);
  const lastLines: string[] = [];
  let lines = 0;
  const hear = (line: string) => {
    lastLines.splice(0, lastLines.length - 2, clean(line));
    lines += 1;
    if (lines <= mostLines) log.debug({ mcpServer: settings.name, line: clean(line) }, 'an MCP server said');
  };
  const transport = transportTo(settings, hear);
  const client = new Client(
    { name: 'oracle-agent', version: '1.0.0' },
    {
      ...ourPart,
      listChanged: { tools: { autoRefresh: false, debounceMs: 50, onChanged: onToolsChanged } },
      versionNegotiation: { mode: oldGreeting ? 'legacy' : 'auto', probe: { timeoutMs: longestProbe } },
    },
  );
  const explain = (error: unknown) => {
    const said = lastLines.length > 0 ? ` It said: ${lastLines.join(' ')}` : '';
    const ending = transport instanceof ChildProcessTransport ? transport.ending : undefined;
    return ending ? clean(ending + said) : clean(explainFailure(error));
  };
  let problems = 0;
  client.onerror = (error) => {
    problems += 1;
    if (problems <= mostLines) log.debug({ mcpServer: settings.name, reason: explain(error) }, 'an MCP server erred');
  };
  const close = async () => {
    if (transport instanceof StreamableHTTPClientTransport) await sayGoodbye(transport);
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  };
  try {
    await client.connect(transport, { timeout: longestHandshake, signal });
  } catch (error) {
    await close();
    throw new Error(explain(error));
  }
  client.onclose = () => onClosed(explain(new Error('The connection was closed.')));
  return { client, close };
}

/** We answer no questions of a server: no sampling, no elicitation, no roots. */
const ourPart: ClientOptions = {
  capabilities: {},
  inputRequired: { autoFulfill: false },
  // Whether a result keeps to a schema of the server's own is nothing to us, and compiling that schema is a risk.
  jsonSchemaValidator: {
    getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
  },
};

function transportTo(settings: ConnectionSettings, onErrorLine: (line: string) => void): Transport {
  const { command, args, environment, url, headers } = settings;
  if (settings.transport === 'STDIO')
    return new ChildProcessTransport({ command: command ?? '', args, environment, onErrorLine });
  return new StreamableHTTPClientTransport(new URL(url ?? ''), {
    requestInit: { headers },
    fetch: boundedFetch,
    redirectPolicy: 'same-origin', // the headers are meant for this server alone
  });
}

/** A server that is gone or slow is not waited for. */
async function sayGoodbye(transport: StreamableHTTPClientTransport): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, longestFarewell);
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), late]);
  clearTimeout(timer);
}

export function explainFailure(error: unknown): string {
  if (SdkHttpError.isInstance(error)) {
    if (error.status === 401 || error.status === 403)
      return `The server refused us (HTTP ${error.status}): check the headers.`;
    return `The server answered with HTTP ${error.status}.`;
  }
  if (error instanceof UnauthorizedError) return 'The server refused us (HTTP 401): check the headers.';
  if (isTimeout(error)) return 'The server did not answer in time.';
  const causes = causesOf(error);
  // The deepest says most: the library wraps what the network said into codes of its own, which also begin with an E.
  const unreachable = causes.findLast(({ code }) => /^(E(?!RA_)[A-Z]|UND_ERR)/.test(String(code)));
  if (unreachable) return `The server cannot be reached (${unreachable.code}).`;
  if (causes.some((cause) => cause.message === 'fetch failed'))
    return `The server cannot be reached: ${causes.at(-1)?.message}.`;
  const message = error instanceof Error ? error.message : String(error);
  return message || 'It failed without saying why.';
}

/** What went wrong on the network lies below what it was for. */
function causesOf(error: unknown, depth = 0): readonly NodeJS.ErrnoException[] {
  if (!(error instanceof Error) || depth > 5) return [];
  return [error, ...causesOf(error.cause, depth + 1)];
}

export function isTimeout(error: unknown): boolean {
  return SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout;
}
