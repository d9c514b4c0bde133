import { Worker } from 'node:worker_threads';
import type { CodeText } from './code.ts';
import type { PrepareRequest } from './parse-worker.ts';
import type { PreparedFile } from './prepare-file.ts';

/** A parser of well-formed grammars takes milliseconds; one that takes so long will not come back. */
const patience = 20_000;

interface Waiting {
  readonly resolve: (prepared: PreparedFile) => void;
  readonly reject: (error: Error) => void;
}

type Answer = { readonly id: number; readonly prepared?: PreparedFile; readonly reason?: string };

/**
 * Parses and splits into words in a thread of its own, started when first needed. Files are parsed one after the other; what breaks the thread
 * or takes too long fails alone, and those behind it are given to a new one.
 */
export class ParserThread {
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  prepare(projectId: string, file: CodeText): Promise<PreparedFile> {
    const prepared = this.#last.then(() => this.#ask(projectId, file));
    this.#last = prepared.catch(() => undefined);
    return prepared;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  async #ask(projectId: string, file: CodeText): Promise<PreparedFile> {
    const worker = this.#worker ?? startWorker();
    this.#worker = worker;
    const id = ++this.#count;
    const { promise, resolve, reject } = Promise.withResolvers<PreparedFile>();
    const waiting: Waiting = { resolve, reject };
    const hear = (answer: Answer) => answer.id === id && settle(answer, waiting);
    const fail = (error: unknown) => reject(new Error(`The parser failed: ${String(error)}`));
    worker.on('message', hear);
    worker.on('error', fail);
    worker.on('exit', fail);
    const late = setTimeout(() => fail('it took too long.'), patience);
    worker.ref(); // somebody waits
    worker.postMessage({ id, projectId, file } satisfies PrepareRequest);
    try {
      return await promise;
    } catch (error) {
      if (!(error instanceof ParseFailure)) await this.close();
      throw error;
    } finally {
      clearTimeout(late);
      worker.off('message', hear);
      worker.off('error', fail);
      worker.off('exit', fail);
      worker.unref();
    }
  }
}

/** The file's fault, not the thread's. */
class ParseFailure extends Error {
  override name = 'ParseFailure';
}

function settle({ prepared, reason }: Answer, { resolve, reject }: Waiting): void {
  if (prepared) resolve(prepared);
  else reject(new ParseFailure(reason ?? 'unknown'));
}

/** In the build this file is part of a chunk at the top, and the thread an entry of its own; see scripts/build.ts. */
function startWorker(): Worker {
  const inSources = import.meta.url.endsWith('.ts');
  const worker = new Worker(new URL(inSources ? './parse-worker.ts' : './code/parse-worker.js', import.meta.url));
  worker.on('error', () => undefined); // told to whoever waits; an idle thread that breaks is replaced
  return worker;
}
