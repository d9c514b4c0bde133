/** A thread that parses, so that the server's own is free for its streams. See `parser-thread.ts`. */
import { parentPort } from 'node:worker_threads';
import type { CodeText } from './code.ts';
import { parseCode } from './parse-code.ts';
import { prepareFile } from './prepare-file.ts';

export interface PrepareRequest {
  readonly id: number;
  readonly projectId: string;
  readonly file: CodeText;
}

parentPort?.on('message', async ({ id, projectId, file }: PrepareRequest) => {
  try {
    const parsed = await parseCode(file.path, file.text);
    parentPort?.postMessage({ id, prepared: prepareFile(projectId, file, parsed) });
  } catch (error) {
    parentPort?.postMessage({ id, reason: error instanceof Error ? error.message : String(error) });
  }
});
