/** A thread that parses, so that the server's own is free for its streams. See `parser-thread.ts`. */
import { parentPort } from 'node:worker_threads';
import { parseCode } from './parse-code.ts';

parentPort?.on('message', async ({ id, path, text }: { id: number; path: string; text: string }) => {
  try {
    parentPort?.postMessage({ id, parsed: await parseCode(path, text) });
  } catch (error) {
    parentPort?.postMessage({ id, reason: error instanceof Error ? error.message : String(error) });
  }
});
