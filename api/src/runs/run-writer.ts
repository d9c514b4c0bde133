import type { ChunkBody } from '../agent/chunk.ts';
import type { CourseRecorder } from '../agent/course.ts';
import type { Ending } from '../agent/ending.ts';
import { isPlain } from '../agent/json.ts';
import type { Decision } from '../agent/steps.ts';
import { totalTokens } from '../agent/usage.ts';
import { encodeText } from '../store/exact-text.ts';
import type { CommittedLog, GroupCommit } from './group-commit.ts';
import type { FollowedChunk, HeldChunk } from './inbox.ts';
import type { RecordedDecision } from './log-reading.ts';
import type { LogEntry, StoredEvent } from './log-statements.ts';
import { goingOn } from './precedence.ts';
import type { RunEnd } from './run-ends.ts';
import type { Transcript } from './transcript.ts';

/** The DoneChunk is the log's own: it is stored in the same statement that ends the run. */
export type AppendableBody = Exclude<ChunkBody, { readonly type: 'DoneChunk' }>;

export interface OpenRun {
  readonly runId: string;
  readonly conversationId: string;
  readonly nodeId: string;
}

/** After so many steps without a pause, other runs get their turn. */
const breath = 64;

/** This server may write the run's log no more: another has taken the run over, or it was deleted. */
export class RunLostError extends Error {
  override name = 'RunLostError';
}

/** Where the log stands when it is opened. */
export interface LogStart {
  readonly lastSeq: number;
  /** The number of its last event. */
  readonly lastEvent: number;
  readonly course: CourseRecorder;
  readonly transcript: Transcript;
}

export interface WriterPorts {
  readonly groupCommit: GroupCommit;
  endRun(end: RunEnd): Promise<boolean>;
  publish(chunks: readonly HeldChunk[]): void;
  /** Whether anybody reads the run on this server. */
  hasReaders(): boolean;
  onCancelled(): void;
  onClosed(): void;
}

/**
 * Writes the log of one run. Only the server that owns the run can; when it no longer does, `lost` is aborted.
 * What is appended after the end, as an abandoned tool may try, is dropped.
 */
export class RunWriter implements CommittedLog {
  readonly runId: string;
  readonly #run: OpenRun;
  readonly #ports: WriterPorts;
  readonly #transcript: Transcript;
  readonly #course: CourseRecorder;
  readonly #lost = new AbortController();
  #lastSeq: number;
  #committedSeq: number;
  /** Steps since the last pause. The first word goes out by itself: others may wait for theirs. */
  #unbroken = breath - 1;
  #events: number;
  #closed = false;

  constructor(run: OpenRun, start: LogStart, ports: WriterPorts) {
    this.runId = run.runId;
    this.#run = run;
    this.#ports = ports;
    this.#transcript = start.transcript;
    this.#course = start.course;
    this.#lastSeq = start.lastSeq;
    this.#events = start.lastEvent;
    this.#committedSeq = start.lastSeq;
  }

  /** Aborted with a RunLostError once this server may write no more: stop working, there is nothing left to finish. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** How far the log is stored. */
  get committedSeq(): number {
    return this.#committedSeq;
  }

  /** True while so much waits to be stored that producers should pause. */
  get congested(): boolean {
    return this.#ports.groupCommit.congested;
  }

  /**
   * What a producer should wait for before it goes on; usually nothing. A model that is always ready would otherwise
   * say all it has to say before any other run says a word.
   */
  pause(): Promise<void> | undefined {
    if (this.congested) return this.ready();
    if (++this.#unbroken < breath) return undefined;
    this.#unbroken = 0;
    return goingOn.turn();
  }

  /** Synchronous and cheap. Returns the chunk's seq; it is stored and delivered a few milliseconds later. */
  append(body: AppendableBody): number {
    if (this.#closed) return this.#lastSeq;
    const held = this.#hold(body, jsonOf(body));
    this.#transcript.add(body);
    this.#ports.groupCommit.add(held);
    return this.#lastSeq;
  }

  /** Stored with the chunks, in the same statement. */
  recordDecision(decision: Decision): void {
    if (this.#closed) return;
    this.#course.add(decision);
    const seq = this.#lastSeq;
    const recorded: RecordedDecision = { ...decision, at: isoNow(), seq };
    const place = { number: this.#course.length, turn: decision.turn, seq };
    this.#ports.groupCommit.add({ log: this, json: JSON.stringify(recorded), held: undefined, decision: place });
  }

  /** Stored with the chunks as well. Unless it says when, it happened now. */
  recordEvent(event: Omit<StoredEvent, 'number' | 'at'> & Partial<Pick<StoredEvent, 'at'>>, payload: string): void {
    if (this.#closed) return;
    const stored = { ...event, number: ++this.#events, at: event.at ?? Date.now() };
    this.#ports.groupCommit.add({ log: this, json: payload, held: undefined, decision: undefined, event: stored });
  }

  /** Everything appended so far is stored. Rejects when the run was lost. */
  async drained(): Promise<void> {
    await this.#ports.groupCommit.drained();
    this.lost.throwIfAborted();
  }

  /** Resolves at once unless congested, else when there is room again. */
  ready(): Promise<void> {
    return this.#ports.groupCommit.ready();
  }

  /**
   * Stores what is still waiting, then in one transaction the DoneChunk, the exchange (answer, tool calls and sources
   * as they were appended), the run's end and the conversation's new HEAD. False when the run was lost; rejects when its end cannot be stored,
   * and then it is lost too.
   */
  async finish(ending: Ending): Promise<boolean> {
    if (this.#closed) return false;
    this.#closed = true;
    await this.#ports.groupCommit.drained();
    if (this.lost.aborted) return false;
    this.#transcript.markUnfinished(ending.unfinishedTools);
    const { conversationId, nodeId } = this.#run;
    const { reason: terminationReason } = ending;
    const done: ChunkBody = { type: 'DoneChunk', terminationReason, ending, conversationId, nodeId };
    const held = this.#hold(done, JSON.stringify(done));
    const end: RunEnd = {
      runId: this.runId,
      reason: ending.reason,
      ending: JSON.stringify(ending),
      turns: ending.turns,
      tokens: totalTokens(ending.usage),
      at: held.chunk.at,
      seq: held.chunk.seq,
      doneBody: held.json,
      answer: encodeText(this.#transcript.answer),
      partial: ending.reason !== 'COMPLETED',
      toolCalls: JSON.stringify(this.#transcript.toolCalls),
      sources: JSON.stringify(this.#transcript.sources),
      durationMs: Math.max(0, ending.durationMs),
      warned: this.#transcript.warned,
      course: this.#course.close(ending, this.#transcript.toolCalls),
      unwatched: !this.#ports.hasReaders(),
    };
    const ended = await this.#ports.endRun(end).catch((error: unknown) => {
      this.lose('its end could not be stored'); // no longer open here, it is found and ended as interrupted
      throw error;
    });
    if (!ended) {
      this.lose('it ended elsewhere');
      return false;
    }
    this.#ports.onClosed();
    this.#ports.publish([held]);
    return true;
  }

  committed(chunks: readonly HeldChunk[], cancelled: boolean): void {
    this.#committedSeq = chunks.at(-1)?.chunk.seq ?? this.#committedSeq;
    this.#ports.publish(chunks);
    if (cancelled) this.#ports.onCancelled();
  }

  lose(reason: string): void {
    if (this.lost.aborted) return;
    this.#closed = true;
    this.#lost.abort(new RunLostError(`Run ${this.runId} was lost: ${reason}.`));
    this.#ports.onClosed();
  }

  #hold(body: ChunkBody, json: string): ChunkEntry {
    const seq = ++this.#lastSeq;
    return new ChunkEntry(this, json, { ...body, runId: this.runId, seq, fromSeq: seq, at: isoNow() });
  }
}

/** A chunk as the log stores it and as its readers get it: one object for both, because there are so many. */
class ChunkEntry implements HeldChunk, LogEntry<CommittedLog> {
  constructor(
    readonly log: RunWriter,
    readonly json: string,
    readonly chunk: FollowedChunk,
  ) {}

  get size(): number {
    return this.json.length;
  }

  get held(): this {
    return this;
  }

  get decision(): undefined {
    return undefined;
  }
}

/** Nearly all of a log is words. */
function jsonOf(body: AppendableBody): string {
  const isPlainWords = body.type === 'ContentChunk' && body.agent === undefined && isPlain(body.text);
  return isPlainWords ? `{"type":"ContentChunk","text":"${body.text}"}` : JSON.stringify(body);
}

let lastMs = 0;
let lastIso = '';

/** Writing a date costs as much as storing a chunk; many chunks share a millisecond. */
function isoNow(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastIso = new Date(now).toISOString();
  }
  return lastIso;
}
