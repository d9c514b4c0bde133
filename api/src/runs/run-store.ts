import { createHash, randomUUID } from 'node:crypto';
import { isIdentifier } from '../access/identifier.ts';
import type { Chunk } from '../agent/chunk.ts';
import type { AgentConfig } from '../agent/config.ts';
import type { SettingsVersions } from '../settings/settings-plan.ts';
import type { Database } from '../store/database.ts';
import type { ExchangeKind } from '../store/entities/exchange.ts';
import { Run } from '../store/entities/run.ts';
import { encodeText } from '../store/exact-text.ts';
import { Gathered } from '../store/gathered.ts';
import { type Page, type PageRequest, pageOf } from '../store/page.ts';
import type { Sql } from '../store/sql.ts';
import {
  type EventFilter,
  type EventsFromStart,
  type LoggedEvent,
  readEvents,
  readEventsFromStart,
} from './event-reading.ts';
import { Exchanges } from './exchanges.ts';
import { type RecordedDecision, readDecisions, readLastSeqs, readRecords, readWork } from './log-reading.ts';
import { conditionsOf, type RunFilter } from './run-filter.ts';
import { type RunProgress, RunProgresses } from './run-progress.ts';
import { RunStarts, type StartRow } from './run-starts.ts';
import type { TimelineTurn } from './timeline.ts';
import { readTimeline } from './timeline-reading.ts';

export interface NewRun {
  readonly userId: string;
  readonly question: string;
  /** ASK unless given. */
  readonly kind?: ExchangeKind | undefined;
  /** Without it, a new conversation starts. */
  readonly conversationId?: string | undefined;
  /** Branch from this exchange instead of HEAD. */
  readonly nodeId?: string | undefined;
  /** The caller has checked that it is the user's. Without it, the conversation's. */
  readonly projectId?: string | undefined;
  readonly model: string;
  readonly decisionTree: string;
  readonly config: AgentConfig;
  readonly idempotencyKey?: string | undefined;
  /** How many runs of this user may run at once. */
  readonly mostAtOnce: number;
  /** It starts only if these are still the versions of the settings, and the project is still the user's. */
  readonly plannedFrom?: SettingsVersions | undefined;
}

export interface StartedRun {
  readonly runId: string;
  readonly conversationId: string;
  readonly nodeId: string;
  /** The exchange this one follows; its path is the history. */
  readonly parentId: string | null;
  readonly projectId: string | null;
}

export type CreateOutcome =
  | ({ readonly type: 'started' } & StartedRun)
  /** The same user sent the same key before: that run. */
  | ({ readonly type: 'joined' } & StartedRun)
  | { readonly type: 'busy'; readonly runId: string }
  | { readonly type: 'too-many'; readonly limit: number }
  /** What it was planned from has changed. */
  | { readonly type: 'outdated' }
  /** Missing, or somebody else's. */
  | { readonly type: 'not-found'; readonly what: 'conversation' | 'node' };

export type RunRecord = Readonly<Run>;

const titleLength = 80;

/** Nothing here knows who is asking: callers compare `userId` and answer foreign ids like missing ones. */
export class RunStore {
  readonly exchanges: Exchanges;
  readonly #progresses: RunProgresses;
  readonly #owners: Gathered<string, string>;
  readonly #starts: RunStarts;

  constructor(
    private readonly database: Database,
    private readonly sql: Sql,
    serverId: string,
    firstWordsStored: () => Promise<unknown>,
  ) {
    this.exchanges = new Exchanges(database, sql);
    this.#progresses = new RunProgresses(sql);
    this.#starts = new RunStarts(sql, serverId, firstWordsStored);
    this.#owners = new Gathered((runIds) => readOwners(sql, runIds));
  }

  /** One round trip. What it writes belongs to this server, whose process must open the run's log at once. */
  async create(run: NewRun): Promise<CreateOutcome> {
    if (run.conversationId !== undefined && !isIdentifier(run.conversationId)) return missing('conversation');
    if (run.nodeId !== undefined && !isIdentifier(run.nodeId)) return missing('node');
    const { plannedFrom } = run;
    const row = await this.#starts.start({
      run_id: randomUUID(),
      node_id: randomUUID(),
      new_conversation_id: randomUUID(),
      user_id: run.userId,
      conversation_id: run.conversationId,
      from_node_id: run.nodeId,
      project_id: run.projectId,
      question: encodeText(run.question),
      title: encodeText(titleOf(run.question)),
      model: run.model,
      tree: run.decisionTree,
      config: run.config,
      key: keyHash(run.idempotencyKey),
      most_at_once: run.mostAtOnce,
      kind: run.kind ?? 'ASK',
      agent_config_version: plannedFrom?.agentConfig,
      model_settings_version: plannedFrom?.modelSettings,
      organisation_version: plannedFrom?.organisation,
    });
    if (row) return outcomeOf(row, run.mostAtOnce);
    if (plannedFrom) return { type: 'outdated' };
    throw new Error('start_run gave no answer.');
  }

  async find(runId: string): Promise<RunRecord | undefined> {
    if (!isIdentifier(runId)) return undefined;
    return (await this.database.fork().findOne(Run, { id: runId })) ?? undefined;
  }

  /** Whose a run is; undefined when there is none. */
  async ownerOf(runId: string): Promise<string | undefined> {
    if (!isIdentifier(runId)) return undefined;
    return this.#owners.find(runId.toLowerCase());
  }

  /** Newest first. */
  async list({ filter, ...request }: PageRequest & { readonly filter: RunFilter }): Promise<Page<RunRecord>> {
    return pageOf(this.database.fork(), Run, { ...request, where: conditionsOf(filter), orderBy: [...newestFirst] });
  }

  /** Those of them that exist, newest first. */
  async findAll(runIds: readonly string[]): Promise<readonly RunRecord[]> {
    return this.database.fork().find(Run, { id: { $in: [...runIds] } }, { orderBy: [...newestFirst] });
  }

  /** The newest runs under way, of one person or of everybody. */
  async underWay(userId: string | undefined, most: number): Promise<readonly RunRecord[]> {
    const where = conditionsOf({ status: 'RUNNING', userId });
    return this.database.fork().find(Run, where, { orderBy: [...newestFirst], limit: most });
  }

  /** How far a run has come, whether it is under way, here or elsewhere, or has ended. */
  progress(run: RunRecord): Promise<RunProgress> {
    return this.#progresses.of(run);
  }

  /** How far the stored logs go; 0 for those without a chunk. */
  lastSeqs(runIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return readLastSeqs(this.sql, runIds);
  }

  /** What happened in the run, oldest first. */
  events(runId: string, which: EventFilter & PageRequest): Promise<Page<LoggedEvent>> {
    return readEvents(this.sql, runId, which);
  }

  /** The same from the beginning, as far as memory allows. */
  eventsFromStart(runId: string): Promise<EventsFromStart> {
    return readEventsFromStart(this.sql, runId);
  }

  /** Why the run went on or stopped, decision by decision. */
  decisions(runId: string): Promise<readonly RecordedDecision[]> {
    return readDecisions(this.sql, runId);
  }

  /** When what happened, turn by turn, at any moment of the run and after it. */
  timeline(run: RunRecord): Promise<readonly TimelineTurn[]> {
    return readTimeline(this.sql, run);
  }

  /** What the run did, as far as it is stored: tool calls, results, sizes of requests. */
  work(runId: string): Promise<readonly Chunk[]> {
    return readWork(this.sql, runId);
  }

  /** The stored part of the answer, at any moment of the run and after it. */
  async answerSoFar(runId: string): Promise<string> {
    return (await readRecords(this.sql, [runId])).get(runId)?.answer ?? '';
  }
}

const newestFirst = [{ startedAt: 'desc' }, { id: 'desc' }] as const;

async function readOwners(sql: Sql, runIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.query<{ id: string; user_id: string }>('run-owners', runOwners, [runIds]);
  return new Map(rows.map(({ id, user_id }) => [id, user_id]));
}

const runOwners = 'select id, user_id from runs where id = any($1::uuid[])';

function outcomeOf(row: StartRow, limit: number): CreateOutcome {
  const { outcome, run_id: runId } = row;
  switch (outcome) {
    case 'started':
    case 'joined':
      return {
        type: outcome,
        runId,
        conversationId: row.conversation_id,
        nodeId: row.node_id,
        parentId: row.parent_id,
        projectId: row.project_id,
      };
    case 'busy':
      return { type: 'busy', runId };
    case 'too-many':
      return { type: 'too-many', limit };
    case 'conversation-not-found':
      return missing('conversation');
    case 'node-not-found':
      return missing('node');
  }
}

function missing(what: 'conversation' | 'node'): CreateOutcome {
  return { type: 'not-found', what };
}

/** A key may be of any length and content; only whether two are the same matters. */
function keyHash(key: string | undefined): string | null {
  return key === undefined ? null : createHash('sha256').update(JSON.stringify(key)).digest('base64');
}

/** The first line of the question, cut between characters. */
function titleOf(question: string): string {
  const line = (question.trim().split('\n', 1)[0] ?? '').trimEnd();
  if (line.length <= titleLength) return line;
  return `${[...line.slice(0, titleLength * 2)].slice(0, titleLength - 1).join('')}…`;
}
