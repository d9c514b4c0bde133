import { CourseRecorder } from '../src/agent/course.ts';
import { createLogger } from '../src/logger.ts';
import { FanOut } from '../src/runs/fan-out.ts';
import { Follower } from '../src/runs/follower.ts';
import { type CommittedLog, GroupCommit } from '../src/runs/group-commit.ts';
import type { HeldChunk } from '../src/runs/inbox.ts';
import type { LogEntry } from '../src/runs/log-statements.ts';
import { RunEnds } from '../src/runs/run-ends.ts';
import { RunWriter } from '../src/runs/run-writer.ts';
import type { Runs } from '../src/runs/runs.ts';
import { Transcript } from '../src/runs/transcript.ts';
import type { Sql } from '../src/store/sql.ts';

/**
 * From now on what runs say goes to their readers without being stored: chunks, decisions and events are forgotten.
 * Runs begin and end in the database as ever. What is then cheaper is what the log costs.
 */
export function forgetLogs({ log, serverId }: Runs, sql: Sql): void {
  const fanOut = new FanOut();
  const groupCommit = new Forgetting(sql, serverId, createLogger('error'));
  const ends = new RunEnds(sql, serverId, new AbortController().signal);
  log.open = (run, start = { lastSeq: 0, lastEvent: 0, course: new CourseRecorder(), transcript: new Transcript() }) =>
    new RunWriter(run, start, {
      groupCommit,
      endRun: async (end) => (await ends.end(end)).ended,
      publish: (chunks) => fanOut.publish(run.runId, chunks),
      hasReaders: () => fanOut.has(run.runId),
      onCancelled: () => undefined,
      onClosed: () => undefined,
    });
  log.follow = (runId, after) => {
    const onClose = () => watch.end();
    const follower: Follower = new Follower({ readPage: async () => undefined, onClose }, after, true);
    const watch = fanOut.add(runId, follower);
    return follower;
  };
}

/** Hands everything of one round of the event loop on, as a batch that was stored would be. */
class Forgetting extends GroupCommit {
  #waiting: LogEntry<CommittedLog>[] = [];
  #drains: (() => void)[] = [];

  override add(entry: LogEntry<CommittedLog>): void {
    if (this.#waiting.push(entry) === 1) setImmediate(() => this.#handOn());
  }

  override drained(): Promise<void> {
    return this.#waiting.length === 0 ? Promise.resolve() : new Promise((resolve) => this.#drains.push(resolve));
  }

  #handOn(): void {
    const batch = this.#waiting;
    const drains = this.#drains;
    this.#waiting = [];
    this.#drains = [];
    const chunks = new Map<CommittedLog, HeldChunk[]>();
    for (const { log, held } of batch) {
      const ofLog = chunks.get(log) ?? [];
      if (ofLog.length === 0) chunks.set(log, ofLog);
      if (held) ofLog.push(held);
    }
    for (const [log, ofLog] of chunks) log.committed(ofLog, false);
    for (const resolve of drains) resolve();
  }
}
