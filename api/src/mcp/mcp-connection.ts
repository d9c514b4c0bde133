import { type CallToolResult, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import type { Logger } from '../logger.ts';
import { type ConnectionSettings, cleaner } from './connection-settings.ts';
import { explainFailure, type OpenClient, openClient } from './open-client.ts';
import { type ListedTools, readListedTools } from './tool-definition.ts';

export type ConnectionState =
  | { readonly status: 'CONNECTING' }
  | ({ readonly status: 'CONNECTED' } & ListedTools)
  /** Tried again by itself, later and later. */
  | { readonly status: 'FAILED'; readonly reason: string };

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

const firstPause = 500;
const longestPause = 60_000;
/** A connection that held so long was a good one: the next try comes soon. */
const goodWhile = 30_000;
/** A list of tools is asked for again when it is older, for servers that do not tell of changes. */
const listLifetime = 60_000;
const longestListing = 10_000;
/** How long a call waits for a connection that is coming. */
const patienceOfCalls = 2_000;
/** The run's own timeout comes first; this only ends what nobody waits for. */
const spareMs = 5_000;

/** The connection of this process to one server: made when first needed, and again after it was lost. */
export class McpConnection {
  readonly #clean: (text: string) => string;
  readonly #closed = new AbortController();
  #state: ConnectionState = { status: 'CONNECTING' };
  #open: (OpenClient & { readonly since: number }) | undefined;
  #attempt: Promise<void> | undefined;
  /** Kept when the present attempt, or the next one, has ended. */
  #attempted = Promise.withResolvers<void>();
  #retry: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;
  #failures = 0;
  #listedAt = 0;
  #oldGreeting = false;

  constructor(
    readonly settings: ConnectionSettings,
    private readonly log: Logger,
  ) {
    this.#clean = cleaner(settings);
  }

  /** How it stands, after waiting a little for it to connect; not at all when the next try is further away. */
  async ready(patienceMs: number, signal?: AbortSignal): Promise<ConnectionState> {
    if (this.#state.status === 'CONNECTED') {
      if (performance.now() - this.#listedAt > listLifetime) await within(this.#refresh(), patienceMs, signal);
      return this.#state;
    }
    if (!this.#retry) this.#connect();
    else if (this.#retry.at - performance.now() > patienceMs) return this.#state;
    await within(this.#attempted.promise, patienceMs, signal);
    return this.#state;
  }

  /** Calls a tool by the server's own name for it. Throws what the model should be told. */
  async call(name: string, input: Readonly<Record<string, unknown>>, options: CallOptions): Promise<CallToolResult> {
    const result = await this.#tryCall(name, input, options);
    // A session that the server forgot: nothing was run, so it can be asked again in a new one.
    return result === 'unknown-session' ? this.#lastCall(name, input, options) : result;
  }

  /** Ends the connection for good; resolves when a child process is gone. */
  async close(): Promise<void> {
    this.#closed.abort();
    clearTimeout(this.#retry?.timer);
    this.#state = { status: 'FAILED', reason: 'The connection was closed.' };
    const open = this.#open;
    this.#open = undefined;
    await Promise.all([open?.close(), this.#attempt]);
  }

  async #lastCall(name: string, input: Readonly<Record<string, unknown>>, options: CallOptions) {
    const result = await this.#tryCall(name, input, options);
    if (result === 'unknown-session') throw new Error(`The MCP server ${this.settings.name} does not accept us.`);
    return result;
  }

  async #tryCall(name: string, input: Readonly<Record<string, unknown>>, { signal, timeoutMs }: CallOptions) {
    await this.ready(patienceOfCalls, signal);
    const open = this.#open;
    if (!open) throw new Error(this.#unavailable());
    try {
      const timeout = timeoutMs + spareMs;
      const result = await open.client.callTool({ name, arguments: { ...input } }, { signal, timeout });
      this.#failures = 0;
      return result;
    } catch (error) {
      signal.throwIfAborted();
      const reason = this.#clean(explainFailure(error));
      const unknownSession = SdkHttpError.isInstance(error) && [400, 404].includes(error.status);
      if (isLost(error)) this.#lost(open, reason);
      if (unknownSession) return 'unknown-session';
      throw new Error(isLost(error) ? this.#unavailable() : reason);
    }
  }

  #unavailable(): string {
    const why = this.#state.status === 'FAILED' ? ` ${this.#state.reason}` : ' It is still being connected.';
    return `The MCP server ${this.settings.name} is not available.${why}`;
  }

  #connect(): void {
    if (this.#attempt || this.#closed.signal.aborted) return;
    this.#retry = undefined;
    this.#attempt = this.#try().finally(() => {
      this.#attempt = undefined;
      this.#attempted.resolve();
      this.#attempted = Promise.withResolvers();
    });
  }

  /** Never rejects. */
  async #try(): Promise<void> {
    const { settings, log } = this;
    let open: OpenClient | undefined;
    try {
      open = await openClient(settings, {
        log,
        signal: this.#closed.signal,
        oldGreeting: this.#oldGreeting,
        onToolsChanged: () => void this.#refresh(),
        onClosed: (reason) => open && this.#lost(open, reason),
      });
      const listed = await list(open);
      this.#closed.signal.throwIfAborted();
      this.#open = { ...open, since: performance.now() };
      this.#take(listed);
      log.info({ mcpServer: settings.name, tools: listed.tools.length }, 'connected to an MCP server');
    } catch (error) {
      await open?.close();
      if (this.#closed.signal.aborted) return;
      this.#oldGreeting = !this.#oldGreeting;
      this.#fail(this.#clean(explainFailure(error)));
    }
  }

  async #refresh(): Promise<void> {
    const open = this.#open;
    if (!open) return;
    try {
      const listed = await list(open);
      if (this.#open === open) this.#take(listed);
    } catch (error) {
      if (this.#open === open) this.#lost(open, this.#clean(explainFailure(error)));
    }
  }

  #take(listed: ListedTools): void {
    this.#listedAt = performance.now();
    this.#state = { status: 'CONNECTED', ...listed };
  }

  #lost({ client, close }: OpenClient, reason: string): void {
    if (this.#open?.client !== client || this.#closed.signal.aborted) return;
    if (performance.now() - this.#open.since > goodWhile) this.#failures = 0;
    this.#open = undefined;
    void close();
    this.#fail(reason);
  }

  #fail(reason: string): void {
    const pause = Math.min(firstPause * 2 ** this.#failures, longestPause);
    this.#failures += 1;
    this.#state = { status: 'FAILED', reason };
    this.log.warn({ mcpServer: this.settings.name, reason, pause }, 'an MCP server is not available');
    this.#retry = {
      timer: setTimeout(() => this.#connect(), pause).unref(),
      at: performance.now() + pause,
    };
  }
}

async function list({ client }: OpenClient): Promise<ListedTools> {
  const { tools } = await client.listTools(undefined, { timeout: longestListing, cacheMode: 'refresh' });
  return readListedTools(tools);
}

/** Whether the connection itself is at fault, and not what was asked over it. */
function isLost(error: unknown): boolean {
  if (SdkHttpError.isInstance(error)) return true;
  if (SdkError.isInstance(error)) return lostCodes.has(error.code);
  return error instanceof TypeError || (error instanceof Error && 'code' in error && typeof error.code === 'string');
}

const lostCodes: ReadonlySet<string> = new Set([
  SdkErrorCode.NotConnected,
  SdkErrorCode.ConnectionClosed,
  SdkErrorCode.SendFailed,
]);

async function within(work: Promise<unknown>, patienceMs: number, signal?: AbortSignal): Promise<void> {
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patienceMs);
  signal?.addEventListener('abort', () => resolve(), { once: true });
  if (signal?.aborted) resolve();
  await Promise.race([work, enough]);
  clearTimeout(timer);
}
