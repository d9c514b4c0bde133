import type { AgentConfig } from '../agent/config.ts';
import { type Change, changesChannel } from '../store/changes.ts';
import type { ExchangeKind } from '../store/entities/exchange.ts';
import { Gathered } from '../store/gathered.ts';
import { retrying } from '../store/retry.ts';
import { isPassing, type Sql } from '../store/sql.ts';

/** A run to be started, as the statement takes it. */
export interface RunStart {
  readonly run_id: string;
  readonly node_id: string;
  readonly new_conversation_id: string;
  readonly user_id: string;
  readonly conversation_id: string | undefined;
  readonly from_node_id: string | undefined;
  readonly project_id: string | undefined;
  readonly question: string;
  readonly title: string;
  readonly model: string;
  readonly tree: string;
  readonly config: AgentConfig;
  readonly key: string | null;
  readonly most_at_once: number;
  readonly kind: ExchangeKind;
  /** With these, it starts only if they are still the versions, and the project is still the person's. */
  readonly agent_config_version: number | undefined;
  readonly model_settings_version: number | undefined;
  readonly organisation_version: number | undefined;
}

/** What became of it. */
export interface StartRow {
  readonly outcome: 'started' | 'joined' | 'busy' | 'too-many' | 'conversation-not-found' | 'node-not-found';
  readonly run_id: string;
  readonly conversation_id: string;
  readonly node_id: string;
  readonly parent_id: string | null;
  readonly project_id: string | null;
}

const patienceWithDatabase = 5_000;
/** All of a statement wait for the last of them. */
const mostTogether = 16;
/** For so long, up to so many that come at once are started by one statement after the other. */
const calm = { forMs: 60, upTo: 100 };

/**
 * Starts runs, those that are asked for at the same time in one statement: a round trip and a commit for each would be
 * most of what a start costs. What one of them is refused for is nothing to the others.
 */
export class RunStarts {
  readonly #starts: Gathered<RunStart, StartRow>;

  constructor(
    private readonly sql: Sql,
    private readonly serverId: string,
    /** Resolves when the first words of those who were started have been stored. */
    firstWordsStored: () => Promise<unknown>,
  ) {
    this.#starts = new Gathered((starts) => this.#startAll(starts), {
      most: mostTogether,
      calm: { ...calm, ready: firstWordsStored },
      isOwnFault: (error) => !isPassing(error),
    });
  }

  /** Undefined when what it was planned from has changed. */
  start(start: RunStart): Promise<StartRow | undefined> {
    return this.#starts.find(start);
  }

  /** Done again after a lost answer, it says again what it said. */
  async #startAll(starts: readonly RunStart[]): Promise<ReadonlyMap<RunStart, StartRow>> {
    const values = [JSON.stringify(starts.map((start) => this.#rowOf(start))), this.serverId];
    const rows = await retrying(
      () => this.sql.query<StartRow & { readonly number: number }>('start-run', startRuns, values),
      AbortSignal.timeout(patienceWithDatabase),
    );
    return new Map(rows.flatMap(({ number, ...row }) => (starts[number] ? [[starts[number], row]] : [])));
  }

  #rowOf(start: RunStart): object {
    const begun: Change = { type: 'run-appended', serverId: this.serverId, runs: [[start.run_id, 0]] };
    return { ...start, begun: JSON.stringify(begun) };
  }
}

/**
 * In the order of their people, lest two servers wait for each other. Takes the server's id from the check, so that
 * nothing is started before it. Does not wait for the disk: nobody is told of the run before its first chunk, which is
 * written behind it and does wait.
 */
const startRuns = `
  select asked.number, started.*, commit_waits,
    (select pg_notify('${changesChannel}', asked.begun) where outcome = 'started') as told
  from (select set_config('synchronous_commit', 'off', true) as commit_waits) as unhurried
  cross join (
    select (row_number() over ())::int - 1 as number, a.*
    from json_to_recordset($1::json) as a (
      run_id uuid, node_id uuid, new_conversation_id uuid, user_id uuid, conversation_id uuid, from_node_id uuid,
      project_id uuid, question text, title text, model text, tree text, config jsonb, key text, most_at_once integer,
      kind text, agent_config_version integer, model_settings_version integer, organisation_version integer, begun text
    )
    order by user_id, number
  ) asked
  cross join lateral (
    select $2::uuid as server_id
    where asked.agent_config_version is null or (
      asked.agent_config_version
        = coalesce((select agent_config_version from user_settings s where s.user_id = asked.user_id), 1)
      and asked.model_settings_version
        = coalesce((select model_settings_version from user_settings s where s.user_id = asked.user_id), 1)
      and asked.organisation_version = (select version from organisation)
      and (asked.project_id is null
        or exists (select from projects p where p.id = asked.project_id and p.user_id = asked.user_id))
    )
  ) planned
  cross join lateral start_run(
    asked.run_id, asked.node_id, asked.new_conversation_id, planned.server_id, asked.user_id, asked.conversation_id,
    asked.from_node_id, asked.project_id, asked.question, asked.title, asked.model, asked.tree, asked.config, asked.key,
    asked.most_at_once, asked.kind
  ) as started`;
