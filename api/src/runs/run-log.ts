import type { Chunk, ChunkBody } from '../agent/chunk.ts';
import type { Ending } from '../agent/ending.ts';
import type { Decision } from '../agent/steps.ts';

/** The DoneChunk is the log's own: it is stored in the same statement that ends the run. */
export type AppendableBody = Exclude<ChunkBody, { readonly type: 'DoneChunk' }>;

/** `fromSeq` differs from `seq` where pending deltas were merged for a slow reader. */
export type FollowedChunk = Chunk & { readonly fromSeq: number };

/** Writes the log of one run. Only the server that owns the run can; when it no longer does, `lost` is aborted. */
export interface RunWriter {
  readonly runId: string;
  /** Aborted with a RunLostError once this server may write no more: stop working, there is nothing left to finish. */
  readonly lost: AbortSignal;
  /** Synchronous and cheap. Returns the chunk's seq; it is stored and delivered a few milliseconds later. */
  append(body: AppendableBody): number;
  /** Stored with the chunks, in the same statement. */
  recordDecision(decision: Decision): void;
  /** Everything appended so far is stored. Rejects when the run was lost. */
  drained(): Promise<void>;
  /** True while so much waits to be stored that producers should pause. */
  readonly congested: boolean;
  /** Resolves at once unless congested, else when there is room again or the run was lost. */
  ready(): Promise<void>;
  /**
   * Stores what is still waiting, then in one transaction the DoneChunk, the exchange (answer, tool calls and sources
   * as they were appended), the run's end and the conversation's new HEAD. False when the run was lost.
   */
  finish(ending: Ending): Promise<boolean>;
}

export interface RunLog {
  /** Opens the log of a run that this server owns. */
  open(run: OpenRun): RunWriter;
  /** The run's chunks after `after`, then those to come, up to its DoneChunk. On any server, during the run or after. */
  follow(runId: string, after: number, signal?: AbortSignal): AsyncIterableIterator<FollowedChunk>;
}

export interface OpenRun {
  readonly runId: string;
  readonly conversationId: string;
  readonly nodeId: string;
}
