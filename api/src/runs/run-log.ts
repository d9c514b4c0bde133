import { setTimeout as pause } from 'node:timers/promises';
import { CourseRecorder } from '../agent/course.ts';
import type { Logger } from '../logger.ts';
import { ReleasingMap } from '../releasing-map.ts';
import type { ChangeFeed } from '../store/changes.ts';
import type { Sql } from '../store/sql.ts';
import type { Watch } from '../watchers.ts';
import { FanOut } from './fan-out.ts';
import { Follower, type FollowerSource } from './follower.ts';
import { GroupCommit } from './group-commit.ts';
import type { FollowedChunk } from './inbox.ts';
import { readPage } from './log-reading.ts';
import { RunEnds } from './run-ends.ts';
import { type LogStart, type OpenRun, RunWriter } from './run-writer.ts';
import { Transcript } from './transcript.ts';

export type { FollowedChunk, RunWriter };

export interface RunLogDependencies {
  readonly serverId: string;
  /** For reading: a long replay must not hold up what is being written. */
  readonly reading: Sql;
  readonly writing: Sql;
  readonly changes: ChangeFeed;
  readonly logger: Logger;
  onCancelled(runId: string): void;
}

/** From so many runs on, one batch is prepared and sent while the other is being stored. */
const manyRuns = 100;

/**
 * The logs of runs. What a reader gets is stored: chunks go to readers, here and on other servers, once their batch is
 * committed. Reading from the database and following live join by counting: see Inbox.
 */
export class RunLog {
  readonly #dependencies: RunLogDependencies;
  readonly #fanOut = new FanOut();
  /** The first takes all runs until there are many; each keeps the order of the runs it was given. */
  readonly #groupCommits: readonly [GroupCommit, GroupCommit];
  readonly #open = new ReleasingMap<string, RunWriter>();
  readonly #stopped = new AbortController();
  readonly #ends: RunEnds;
  readonly #stopListening: () => void;

  constructor(dependencies: RunLogDependencies) {
    const { serverId, writing, changes, logger } = dependencies;
    this.#dependencies = dependencies;
    this.#groupCommits = [new GroupCommit(writing, serverId, logger), new GroupCommit(writing, serverId, logger)];
    this.#ends = new RunEnds(writing, serverId, this.#stopped.signal);
    this.#stopListening = changes.listen((change) => {
      if (change.type === 'changes-missed') this.#fanOut.doubtAll();
      if (change.type !== 'run-appended' || change.serverId === serverId) return;
      for (const [runId, seq] of change.runs) this.#fanOut.note(runId, seq);
    });
  }

  /** The runs whose logs are being written by this process. */
  get openRunIds(): readonly string[] {
    return this.#open.keys();
  }

  /** Opens the log of a run that this server owns. A log that has begun already says where it stands. */
  open(run: OpenRun, start: LogStart = emptyLog()): RunWriter {
    const { runId } = run;
    if (this.#open.has(runId)) throw new Error(`The log of run ${runId} is open already.`);
    const { logger, onCancelled } = this.#dependencies;
    const writer = new RunWriter(run, start, {
      groupCommit: this.#groupCommits[this.#open.size < manyRuns ? 0 : this.#open.size % 2 === 0 ? 0 : 1],
      endRun: async (end) => {
        const { ended, noted } = await this.#ends.end(end);
        if (!noted) logger.error({ runId }, 'that a run ended could not be put into the inbox');
        return ended;
      },
      publish: (chunks) => this.#fanOut.publish(runId, chunks),
      hasReaders: () => this.#fanOut.has(runId),
      onCancelled: () => onCancelled(runId),
      onClosed: () => this.#open.delete(runId),
    });
    this.#open.set(runId, writer);
    if (this.#stopped.signal.aborted) writer.lose('the server stops');
    return writer;
  }

  /**
   * The run's chunks after `after`, then those to come, up to its DoneChunk. On any server, during the run or after.
   * `onCaughtUp` is called with the last chunk by readers that this server could not count when the run ended.
   * With `gatherMs`, deltas that come within that time come as one.
   */
  follow(
    runId: string,
    after: number,
    signal?: AbortSignal,
    onCaughtUp?: () => void,
    gatherMs = 0,
  ): AsyncIterableIterator<FollowedChunk, undefined> {
    const start = Math.max(0, after);
    const source = new FollowedRun(runId, this.#dependencies);
    const follower = new Follower(source, start, this.#open.get(runId)?.committedSeq === start, gatherMs);
    if (onCaughtUp && !this.#open.has(runId)) source.onDone = onCaughtUp;
    if (signal) source.endWith(signal, follower);
    source.watch = this.#fanOut.add(runId, follower);
    if (signal?.aborted || this.#stopped.signal.aborted) follower.close();
    return follower;
  }

  /** Everything added so far is stored, or its run was lost. */
  drained(): Promise<unknown> {
    return Promise.all(this.#groupCommits.map((each) => each.drained()));
  }

  /** Stores what waits, as long as the database lets it, and ends all readers. */
  async stop(patienceMs: number): Promise<void> {
    const patience = new AbortController();
    await Promise.race([this.drained(), pause(patienceMs, undefined, { signal: patience.signal })]);
    patience.abort();
    this.#giveUp();
    this.#stopListening();
    this.#fanOut.closeAll();
  }

  #giveUp(): void {
    this.#stopped.abort();
    for (const groupCommit of this.#groupCommits) groupCommit.stop();
    for (const writer of this.#open.values()) writer.lose('the server stops');
  }
}

/** A run as one reader follows it. There is one for each subscription that waits, hence no closures. */
class FollowedRun implements FollowerSource {
  readonly #runId: string;
  readonly #dependencies: Pick<RunLogDependencies, 'reading' | 'logger'>;
  watch: Watch | undefined;
  #signal: AbortSignal | undefined;
  #close: (() => void) | undefined;
  onDone?: () => void;

  constructor(runId: string, dependencies: Pick<RunLogDependencies, 'reading' | 'logger'>) {
    this.#runId = runId;
    this.#dependencies = dependencies;
  }

  endWith(signal: AbortSignal, follower: Follower): void {
    const close = () => follower.close();
    signal.addEventListener('abort', close);
    this.#signal = signal;
    this.#close = close;
  }

  readPage(after: number): ReturnType<FollowerSource['readPage']> {
    return readPage(this.#dependencies.reading, this.#runId, after);
  }

  onClose(): void {
    this.watch?.end();
    if (this.#close) this.#signal?.removeEventListener('abort', this.#close);
  }

  onFailure(error: unknown): void {
    const { logger } = this.#dependencies;
    logger.error({ runId: this.#runId, reason: String(error) }, 'a reader of a run failed');
  }
}

function emptyLog(): LogStart {
  return { lastSeq: 0, lastEvent: 0, course: new CourseRecorder(), transcript: new Transcript() };
}
