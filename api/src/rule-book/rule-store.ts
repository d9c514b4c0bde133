import type { EntityManager } from '@mikro-orm/postgresql';
import { isIdentifier } from '../access/identifier.ts';
import type { Json } from '../agent/json.ts';
import { isStorableJson, storable } from '../agent/storable.ts';
import { announce } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import { Gathered } from '../store/gathered.ts';
import { isPassing } from '../store/sql.ts';
import { type RuleStates, type RunSubject, readSubjects, statesOf } from './run-subject.ts';
import type { Switches } from './switches.ts';

/** A rule that administrators wrote, as it stands. */
export interface OrganisationRule {
  readonly ruleId: string;
  readonly version: number;
  readonly text: string;
}

/** One version of a rule; without a text, the rule was deleted with it. */
export interface RuleVersion {
  readonly version: number;
  readonly text: string | null;
  readonly at: Date;
  readonly actorId: string | null;
}

export type SaveOutcome =
  | { readonly type: 'saved'; readonly version: number }
  /** Somebody else was faster; this is what stands now. */
  | { readonly type: 'conflict'; readonly current: OrganisationRule | undefined };

/** What the database holds about rules. */
export class RuleStore {
  /** By person and project. */
  readonly #subjects: Gathered<string, RunSubject>;
  /** By what one run has to record. */
  readonly #records: Gathered<readonly RecordedFiring[], true>;

  constructor(private readonly database: Database) {
    this.#subjects = new Gathered((pairs) => readSubjects(database.sql, pairs));
    this.#records = new Gathered(
      async (firings) => {
        await database.sql.query('record-firings', recordFirings, [storableJson(firings.flat())]);
        return new Map();
      },
      { headStartMs: 50, paceMs: 20, isOwnFault: (error) => !isPassing(error) },
    );
  }

  async organisationRules(): Promise<readonly OrganisationRule[]> {
    return this.database
      .fork()
      .execute<OrganisationRule[]>(
        'select rule_id as "ruleId", version, text from organisation_rules order by rule_id',
      );
  }

  /** Newest first. */
  async versions(ruleId: string): Promise<readonly RuleVersion[]> {
    return this.database
      .fork()
      .execute<RuleVersion[]>(
        'select version, text, at, actor_id as "actorId" from rule_versions where rule_id = ? order by version desc limit 100',
        [ruleId],
      );
  }

  /** Without a text the rule is deleted. Every version stays. */
  async save(actorId: string, ruleId: string, text: string | null, expectedVersion?: number): Promise<SaveOutcome> {
    return this.database.fork().transactional(async (em) => {
      await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`rule ${ruleId}`]);
      const [current] = await em.execute<OrganisationRule[]>(
        'select rule_id as "ruleId", version, text from organisation_rules where rule_id = ?',
        [ruleId],
      );
      if (expectedVersion !== undefined && (current?.version ?? 0) !== expectedVersion)
        return { type: 'conflict', current };
      const [made] = await em.execute<{ version: number }[]>(
        `insert into rule_versions (rule_id, version, text, actor_id)
         select ?, coalesce(max(version), 0) + 1, ?, ? from rule_versions where rule_id = ? returning version`,
        [ruleId, text, actorId, ruleId],
      );
      const version = made?.version ?? 1;
      if (text === null) await em.execute('delete from organisation_rules where rule_id = ?', [ruleId]);
      else
        await em.execute(
          `insert into organisation_rules (rule_id, version, text) values (?, ?, ?)
           on conflict (rule_id) do update set version = excluded.version, text = excluded.text`,
          [ruleId, version, text],
        );
      await announce(em, { type: 'rules-changed', userId: null });
      return { type: 'saved', version };
    });
  }

  /** The organisation's, or a person's. */
  async switches(userId: string | null): Promise<Switches> {
    const rows = await this.database
      .fork()
      .execute<{ ruleId: string; enabled: boolean }[]>(
        'select rule_id as "ruleId", enabled from rule_switches where user_id is not distinct from ?::uuid',
        [userId],
      );
    return new Map(rows.map(({ ruleId, enabled }) => [ruleId, enabled]));
  }

  /** Null forgets what was decided. */
  async setSwitch(actorId: string, ruleId: string, userId: string | null, enabled: boolean | null): Promise<void> {
    await this.database.fork().transactional(async (em) => {
      if (enabled === null)
        await em.execute('delete from rule_switches where rule_id = ? and user_id is not distinct from ?::uuid', [
          ruleId,
          userId,
        ]);
      else
        await em.execute(
          `insert into rule_switches (rule_id, user_id, enabled, actor_id) values (?, ?::uuid, ?, ?)
           on conflict on constraint rule_switches_one
           do update set enabled = excluded.enabled, at = now(), actor_id = excluded.actor_id`,
          [ruleId, userId, enabled, actorId],
        );
      await announce(em, { type: 'rules-changed', userId });
    });
  }

  async subject(userId: string, projectId: string): Promise<RunSubject> {
    const found = await this.#subjects.find(`${userId} ${projectId}`);
    return found ?? { role: 'USER', projectName: '', personal: new Map(), states: new Map() };
  }

  async states(userId: string, projectId: string, ruleId?: string): Promise<RuleStates> {
    const rows = await this.database.fork().execute<{ ruleId: string; key: string; value: Json }[]>(
      `select rule_id as "ruleId", key, value from rule_state
       where user_id = ? and project_id = ? and (?::text is null or rule_id = ?)
       order by rule_id, updated_at desc`,
      [userId, projectId, ruleId ?? null, ruleId ?? null],
    );
    return statesOf(rows);
  }

  async setState(userId: string, projectId: string, entries: readonly StateEntry[]): Promise<void> {
    if (entries.length === 0 || !isIdentifier(projectId)) return;
    await this.database.fork().transactional(async (em) => {
      for (const entry of entries) await writeState(em, userId, projectId, entry);
    });
  }

  /** Those of runs that fire at the same time in one statement: every run has one that does. */
  async record(firings: readonly RecordedFiring[]): Promise<void> {
    if (firings.length > 0) await this.#records.find(firings);
  }

  /** When each rule last fired, for everybody or for one person. One that failed has not fired. */
  async lastFired(ruleIds: readonly string[], userId: string | undefined): Promise<ReadonlyMap<string, Date>> {
    const rows = await this.database.fork().execute<{ ruleId: string; at: Date }[]>(
      `select id as "ruleId", f.at from unnest(?::text[]) as id
       cross join lateral (
         select at from rule_firings
         where rule_id = id and error is null and (?::uuid is null or user_id = ?::uuid)
         order by at desc limit 1
       ) f`,
      [`{${ruleIds.join(',')}}`, userId ?? null, userId ?? null],
    );
    return new Map(rows.map(({ ruleId, at }) => [ruleId, new Date(at)]));
  }
}

/**
 * A run that was deleted meanwhile takes its firings along. Does not wait for the disk: this is a list to look at, and
 * nobody has seen it yet.
 */
const recordFirings = `
  with unhurried as materialized (select set_config('synchronous_commit', 'off', true))
  insert into rule_firings (run_id, number, rule_id, user_id, turn, at, trigger, effect, error)
  select f.* from unhurried, json_to_recordset($1::json) as f (
    "runId" uuid, number int, "ruleId" text, "userId" uuid, turn int, at timestamptz, trigger text, effect jsonb, error text)
  where (select true from runs r where r.id = f."runId")
  on conflict do nothing`;

export interface StateEntry {
  readonly ruleId: string;
  readonly key: string;
  /** Null forgets it. */
  readonly value: Json;
}

export interface RecordedFiring {
  readonly runId: string;
  readonly number: number;
  readonly ruleId: string;
  readonly userId: string;
  readonly turn: number;
  readonly at: string;
  readonly trigger: string;
  readonly effect: Json;
  readonly error: string | null;
}

async function writeState(
  em: EntityManager,
  userId: string,
  projectId: string,
  { ruleId, key, value }: StateEntry,
): Promise<void> {
  if (value === null) {
    await em.execute('delete from rule_state where user_id = ? and project_id = ? and rule_id = ? and key = ?', [
      userId,
      projectId,
      ruleId,
      key,
    ]);
    return;
  }
  await em.execute(
    `insert into rule_state (user_id, project_id, rule_id, key, value)
     select ?, p.id, ?, ?, ?::jsonb from projects p where p.id = ?
     on conflict (user_id, project_id, rule_id, key) do update set value = excluded.value, updated_at = now()`,
    [userId, ruleId, key, storableJson(value), projectId],
  );
}

/** What somebody or some tool said may be in it. */
function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  return isStorableJson(text) ? text : JSON.stringify(storable(JSON.parse(text)));
}
