import { randomUUID } from 'node:crypto';
import type { Logger } from '../logger.ts';
import type { ChangeFeed } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import { openSql } from '../store/sql.ts';
import { within } from '../within.ts';
import { Cancellations } from './cancel.ts';
import { Lease, type LeaseTimes, usualTimes } from './lease.ts';
import { Recovery } from './recover.ts';
import { RunLog } from './run-log.ts';
import { RunStore } from './run-store.ts';
import { RunWatch } from './run-watch.ts';

export interface RunsDependencies {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly log: Logger;
  readonly times?: LeaseTimes;
}

const readingConnections = 6;
/** The log, its heartbeats and the ends of runs. Never waits for a reader. */
const writingConnections = 4;
const patienceWithDatabase = 3_000;
/** So long a start waits for what others have to say: several times what storing it takes. */
const politenessMs = 5;

/** The life of runs outside the loop: started, logged, followed, cancelled and, after a crash, given an end. */
export interface Runs {
  readonly serverId: string;
  readonly store: RunStore;
  readonly log: RunLog;
  readonly watch: RunWatch;
  readonly cancellations: Cancellations;
  /** See Cancellations.request. */
  cancel(runId: string): Promise<boolean>;
  /** Stores what waits and leaves. Runs that have not ended by now are ended by another server, or at the next start. */
  stop(): Promise<void>;
}

/** Resolves when this server may start runs; looks after those of dead servers from then on. */
export async function createRuns({ database, changes, log, times = usualTimes }: RunsDependencies): Promise<Runs> {
  const serverId = randomUUID();
  const reading = openSql(database.url, readingConnections);
  const writing = openSql(database.url, writingConnections);
  const tellCancelled = (runId: string) => cancellations.tell(runId);
  const runLog = new RunLog({ serverId, reading, writing, changes, logger: log, onCancelled: tellCancelled });
  const cancellations = new Cancellations({
    sql: writing,
    changes,
    follow: (runId, after, signal) => runLog.follow(runId, after, signal),
  });
  const lease = new Lease(writing, serverId, times.heartbeatMs, log, tellCancelled);
  const recovery = new Recovery({ serverId, sql: reading, runLog, logger: log, times });
  const close = async () => {
    cancellations.close();
    await Promise.all([reading.close(), writing.close()]);
  };
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    const swept = recovery.stop();
    await runLog.stop(patienceWithDatabase);
    await swept; // ends now: what it still wanted to write has been given up
    await lease.stop();
    await close();
  };

  try {
    await lease.start();
  } catch (error) {
    await close();
    throw error;
  }
  recovery.start();

  const store = new RunStore(database, reading, serverId, () => within(politenessMs, runLog.drained()));
  return {
    serverId,
    store,
    log: runLog,
    watch: new RunWatch(changes, store, log),
    cancellations,
    cancel: (runId) => cancellations.request(runId),
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}
