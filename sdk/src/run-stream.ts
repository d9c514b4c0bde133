import { isKnownChunk, type OracleChunk } from './chunk.ts';
import { makeCursor } from './cursor.ts';
import { OracleRunDocument, RunStateDocument } from './generated/documents.ts';
import type { RunId } from './generated/ids.ts';
import { OracleError } from './oracle-error.ts';
import type { Connect } from './reconnect.ts';
import type { Request } from './request.ts';
import type { Operation } from './transport.ts';

/** Where a stream begins: with a question of our own, whose run has no id yet, or behind a seq of a known run. */
export type RunStart =
  | { readonly ask: Operation; readonly runId?: undefined; readonly after?: undefined }
  | { readonly runId: RunId; readonly after: number };

/** Reads one run. */
export type StreamRun = (start: RunStart, signal: AbortSignal) => AsyncGenerator<OracleChunk, void, void>;

/**
 * Reads a run to its DoneChunk: each chunk once and in order, over however many connections. Chunks of types that this
 * version does not know are passed over.
 */
export function makeStreamRun(connect: Connect, request: Request): StreamRun {
  return (start, signal) => {
    let { runId } = start;
    const cursor = makeCursor(start.after ?? 0);
    let done = false;
    return connect(
      {
        operation: () =>
          runId === undefined && 'ask' in start
            ? start.ask
            : { query: OracleRunDocument, variables: { runId, after: cursor.seq } },
        receive(data) {
          const chunk = Object.values(data)[0] as OracleChunk;
          const verdict = cursor.judge(chunk);
          if (verdict === 'gap') return 'gap';
          if (verdict === 'seen') return 'nothing';
          runId = chunk.runId;
          done = chunk.__typename === 'DoneChunk';
          return isKnownChunk(chunk) ? { item: chunk } : 'nothing';
        },
        ended: async (completed) => done || (completed && runId !== undefined && (await isOver(runId))),
      },
      signal,
    );

    /** The server ends a stream without a DoneChunk when that chunk has been read before. */
    async function isOver(id: RunId): Promise<boolean> {
      const { run } = await request(RunStateDocument, { id }, { signal });
      if (!run) throw new OracleError('NOT_FOUND', 'There is no such run.');
      return run.status === 'ENDED' && (cursor.seq ?? 0) >= run.lastSeq;
    }
  };
}
