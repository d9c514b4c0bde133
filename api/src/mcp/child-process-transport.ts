import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { type JSONRPCMessage, ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';

export interface ChildProcessSettings {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** A line that the process wrote to its standard error. */
  readonly onErrorLine: (line: string) => void;
}

/** How long a process may take to leave by itself once its input has ended, and once it was asked to. */
const graceAfterInput = 500;
const graceAfterTerm = 1_500;
/** What a process wrote last may arrive just after it is gone. */
const graceForOutput = 200;
const largestMessage = 10_000_000;
const longestLine = 2_000;

/**
 * A server as a child process, spoken to over its standard input and output. It leads a process group of its own, so
 * that what it started itself (as npx does) goes with it. When we die instead, the end of its input tells it to leave.
 */
export class ChildProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];

  readonly #buffer = new ReadBuffer({ maxBufferSize: largestMessage });
  readonly #gone = Promise.withResolvers<void>();
  #child: ChildProcessWithoutNullStreams | undefined;
  #closing: Promise<void> | undefined;
  #ending: string | undefined;

  constructor(private readonly settings: ChildProcessSettings) {}

  /** The protocol's client tells a child process from a remote server by these two. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get stderr(): null {
    return null;
  }

  /** How the process ended, in a sentence, once it has. */
  get ending(): string | undefined {
    return this.#ending;
  }

  start(): Promise<void> {
    const { command, args, environment, onErrorLine } = this.settings;
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        env: { ...getDefaultEnvironment(), ...environment },
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      this.#child = child;
      child.once('spawn', resolve);
      child.once('error', (error) => {
        this.#ending ??= explainSpawnFailure(command, error);
        reject(new Error(this.#ending));
        this.#end();
      });
      child.once('exit', (code, signal) => {
        this.#ending ??= `Its process ended ${signal ? `by ${signal}` : `with code ${code}`}.`;
        this.#signal('SIGTERM'); // whatever it left behind
        setTimeout(() => this.#end(), graceForOutput);
      });
      child.once('close', () => this.#end());
      child.stdout.on('data', (bytes: Buffer) => this.#read(bytes));
      for (const stream of [child.stdin, child.stdout, child.stderr])
        stream.on('error', (error) => this.onerror?.(error));
      readLines(child.stderr, onErrorLine);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const input = this.#child?.stdin;
      if (!input?.writable || this.#closing) return reject(new Error('The process takes no more messages.'));
      input.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Resolves when the process is gone. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const child = this.#child;
    if (!child?.pid) return;
    child.stdin.end();
    const patience = [
      setTimeout(() => this.#signal('SIGTERM'), graceAfterInput),
      setTimeout(() => this.#signal('SIGKILL'), graceAfterInput + graceAfterTerm),
    ];
    await this.#gone.promise;
    patience.forEach(clearTimeout);
    this.#signal('SIGKILL'); // children that outlived it
  }

  #end(): void {
    const { stdin, stdout, stderr } = this.#child ?? {};
    for (const stream of [stdin, stdout, stderr]) stream?.destroy();
    this.#buffer.clear();
    this.#gone.resolve();
    this.onclose?.();
    delete this.onclose;
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child ?? {};
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') this.#child?.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // nobody left in the group
    }
  }

  #read(bytes: Buffer): void {
    try {
      this.#buffer.append(bytes);
    } catch (error) {
      this.onerror?.(error as Error);
      void this.close();
      return;
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error as Error); // not a message; the next line may be one
      }
    }
  }
}

function explainSpawnFailure(command: string, error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return `There is no command "${command}" on this machine.`;
  if (error.code === 'EACCES') return `The command "${command}" may not be run.`;
  return `The command "${command}" could not be started: ${error.message}`;
}

function readLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = (lines.pop() ?? '').slice(0, longestLine);
    for (const line of lines) if (line.trim() !== '') onLine(line.slice(0, longestLine));
  });
  stream.on('end', () => rest.trim() !== '' && onLine(rest));
}
