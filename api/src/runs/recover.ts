import type { AgentConfig } from '../agent/config.ts';
import { CourseRecorder } from '../agent/course.ts';
import type { Logger } from '../logger.ts';
import { RepeatedWarning } from '../repeated-warning.ts';
import type { Sql } from '../store/sql.ts';
import { within } from '../within.ts';
import { DeathWatch, type SeenServer } from './death-watch.ts';
import { readLastEvents } from './event-reading.ts';
import { BrokenLog } from './interruption.ts';
import type { LeaseTimes } from './lease.ts';
import { type LogPage, readDecisions, readPage } from './log-reading.ts';
import { missingEvents } from './missing-events.ts';
import { recoverNotices } from './recovered-notices.ts';
import type { RunLog } from './run-log.ts';
import type { Transcript } from './transcript.ts';

const patienceMs = 2_000;

export interface RecoveryDependencies {
  readonly serverId: string;
  readonly sql: Sql;
  readonly runLog: RunLog;
  readonly logger: Logger;
  readonly times: LeaseTimes;
}

/**
 * Gives the runs of dead servers a truthful end. A run is taken over first, which shuts its old owner out of the log;
 * after that it is ended like any run. Should this server die half-way, the next one takes over from there. Several
 * may sweep at once: a row changes hands only once.
 */
export class Recovery {
  readonly #deathWatch: DeathWatch;
  readonly #failed: RepeatedWarning;
  readonly #unended: RepeatedWarning;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(private readonly dependencies: RecoveryDependencies) {
    this.#deathWatch = new DeathWatch(dependencies.times.watchMs);
    this.#failed = new RepeatedWarning(dependencies.logger, 'looking for interrupted runs failed');
    this.#unended = new RepeatedWarning(dependencies.logger, 'an interrupted run could not be ended');
  }

  start(): void {
    if (this.#stopped) return;
    this.#sweeping = this.#sweep().catch((error: unknown) => {
      this.#failed.tell({ reason: String(error) });
    });
    void this.#sweeping.then(() => {
      if (!this.#stopped) this.#timer = setTimeout(() => this.start(), this.dependencies.times.sweepMs);
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    const { sql, serverId, runLog, times } = this.dependencies;
    const servers = await sql.query<SeenServer>('see-servers', seeServers, [serverId, times.leaseMs]);
    const dead = this.#deathWatch.look(servers, performance.now());
    const runs = await sql.query<BrokenRow>('take-over', takeOver, [
      ...[serverId, dead, times.leaseMs, runLog.openRunIds, times.orphanMs],
    ]);
    await Promise.all(
      runs.map((row) =>
        // It is still nobody's work, so a later sweep tries again.
        this.#end(row).catch((error: unknown) => this.#unended.tell({ runId: row.id, reason: String(error) })),
      ),
    );
  }

  async #end(row: BrokenRow): Promise<void> {
    const { sql, runLog, logger } = this.dependencies;
    const run = { runId: row.id, conversationId: row.conversation_id, nodeId: row.node_id };
    const [decisions, events] = await Promise.all([readDecisions(sql, run.runId), readLastEvents(sql, run.runId)]);
    const log = new BrokenLog();
    for (let page: LogPage | undefined; page === undefined || log.lastSeq < page.last; ) {
      page = await readPage(sql, run.runId, log.lastSeq);
      if (page === undefined) return; // deleted meanwhile
      for (const { chunk } of page.chunks) log.add(chunk);
    }
    const { missing, ending } = log.close({
      userId: row.user_id,
      projectId: row.project_id,
      config: row.config,
      startedAt: row.started_at,
      cancelled: row.cancelled,
      decisions,
    });
    const { lastSeq, lastAt, transcript } = log;
    const lastEvent = events.at(-1)?.number ?? 0;
    const writer = runLog.open(run, { lastSeq, lastEvent, course: new CourseRecorder(decisions), transcript });
    for (const body of missing) writer.append(body);
    for (const { payload, ...event } of missingEvents({ events, ending, lastAt }))
      writer.recordEvent(event, JSON.stringify(payload));
    await this.#keepNotices(row, transcript.toolCalls);
    const ended = await writer.finish(ending);
    logger.info({ runId: run.runId, ended, reason: ending.reason }, 'ended an interrupted run');
  }

  /** Trouble with notices does not keep a run from ending. */
  async #keepNotices({ id: runId, user_id: userId, project_id: projectId }: BrokenRow, calls: Transcript['toolCalls']) {
    const { sql, logger } = this.dependencies;
    if (projectId === null) return;
    const report = (error: unknown) =>
      logger.error({ runId, reason: String(error) }, 'notices of an interrupted run could not be kept');
    await within(patienceMs, recoverNotices(sql, { runId, userId, projectId }, calls).catch(report));
  }
}

interface BrokenRow {
  readonly id: string;
  readonly user_id: string;
  readonly conversation_id: string;
  readonly node_id: string;
  readonly project_id: string | null;
  readonly config: AgentConfig;
  readonly cancelled: boolean;
  readonly started_at: Date;
}

const seeServers = `
  select owners.owner as id, extract(epoch from s.heartbeat_at)::float8 as heartbeat,
    s.heartbeat_at < clock_timestamp() - $2 * interval '1 millisecond' as silent
  from (select distinct owner from runs where status = 'RUNNING' and owner <> $1) owners
  left join servers s on s.id = owners.owner`;

/**
 * Also runs that are nobody's, and runs of this server that its process knows nothing of: the answer to their start
 * was lost on the way, so nobody works on them.
 */
const takeOver = `
  update runs set owner = $1
  where status = 'RUNNING' and (
    owner is null
    or (owner = any($2::uuid[]) and not exists (
      select from servers s
      where s.id = runs.owner and s.heartbeat_at >= clock_timestamp() - $3 * interval '1 millisecond'
    ))
    or (owner = $1 and id <> all($4::uuid[]) and started_at < clock_timestamp() - $5 * interval '1 millisecond')
  )
  returning id, user_id, conversation_id, node_id, project_id, config, started_at,
    cancel_requested_at is not null as cancelled`;
