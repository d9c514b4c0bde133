import type { EntityManager } from '@mikro-orm/postgresql';
import DataLoader from 'dataloader';
import { notFound } from '../access/access-error.ts';
import { isIdentifier } from '../access/identifier.ts';
import type { SettingValues } from '../agent/settings.ts';
import { announce, announceAll } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import { Organisation, theOrganisation } from '../store/entities/organisation.ts';
import { User } from '../store/entities/user.ts';
import { UserSettings } from '../store/entities/user-settings.ts';
import type { Sql } from '../store/sql.ts';
import { type AllowedModels, readAllowedModels } from './allowed-models.ts';
import { InTurn } from './in-turn.ts';
import type { Outcome } from './outcome.ts';
import { outcomeFor, type PersonOutcome, type PersonRequest } from './person-outcome.ts';
import type { SettingGroup } from './setting-group.ts';
import {
  planSettings,
  type SettingsGround,
  type SettingsInForce,
  type SettingsPlan,
  type SettingsWish,
  type Stored,
  settingsInForce,
} from './settings-plan.ts';
import { applyPlan, lockRows } from './settings-rows.ts';

export type { SettingsInForce };
export type SettingsOutcome = Outcome<SettingsInForce>;

interface ChangeRequest {
  readonly actorId: string;
  readonly userId: string;
  readonly expectedVersion?: number | undefined;
}

/** What came of a change of many: all of them are changed, or nobody is. */
export interface ManyOutcome {
  readonly applied: boolean;
  readonly people: readonly PersonOutcome[];
}

export class UserSettingsService {
  readonly #stored: DataLoader<string, Stored>;
  readonly #inTurn = new InTurn();

  constructor(
    private readonly database: Database,
    private readonly ground: SettingsGround,
  ) {
    this.#stored = new DataLoader((userIds) => loadStored(database.sql, userIds), { cache: false });
  }

  /** What holds for a person, and, with what a single query asks for, for that query. */
  async inForce(group: SettingGroup, userId: string, query?: SettingValues): Promise<SettingsInForce> {
    return this.layer(group, await this.load(userId), query);
  }

  /** All that is stored and has a say in what holds for a person. */
  load(userId: string): Promise<Stored> {
    return this.#stored.load(userId);
  }

  layer(group: SettingGroup, stored: Stored, query?: SettingValues): SettingsInForce {
    return settingsInForce(group, this.ground.builtIn, stored, query);
  }

  /** Which models may answer; none named: all. */
  async allowedModels(): Promise<AllowedModels> {
    const organisation = await this.database.fork().findOneOrFail(Organisation, theOrganisation);
    return readAllowedModels(organisation.modelCeilings);
  }

  /** All or nothing. The version counts accepted updates, so that no two of them answer with the same one. */
  update(
    group: SettingGroup,
    request: ChangeRequest & { readonly change: Readonly<Record<string, unknown>> },
  ): Promise<SettingsOutcome> {
    return this.change(group, request, { set: request.change });
  }

  /** Forgets what the person set, so that the layers below show again. Without fields: everything. */
  reset(
    group: SettingGroup,
    request: ChangeRequest & { readonly fields?: readonly string[] | undefined },
  ): Promise<SettingsOutcome> {
    return this.change(group, request, { clear: request.fields ?? group.fields.map(({ name }) => name) });
  }

  /** Sets some fields and forgets others, in one step. */
  change(group: SettingGroup, request: ChangeRequest, wish: SettingsWish): Promise<SettingsOutcome> {
    const work = async (em: EntityManager): Promise<SettingsOutcome> => {
      const row = (await lockRows(em, [request.userId])).get(request.userId);
      if (!row) throw notFound('user');
      const stored = { user: row, organisation: await em.findOneOrFail(Organisation, theOrganisation) };
      const plan = planSettings(group, this.ground, stored, wish);
      if (plan.problems.length > 0) return { type: 'invalid', problems: plan.problems };
      if (request.expectedVersion !== undefined && request.expectedVersion !== row[group.version]) {
        return { type: 'conflict', settings: settingsInForce(group, this.ground.builtIn, stored) };
      }
      if (isAnything(plan)) {
        applyPlan(em, group, row, request.actorId, plan);
        await em.flush();
        await announce(em, { type: 'settings-changed', userId: row.userId });
      }
      return { type: 'saved', settings: settingsInForce(group, this.ground.builtIn, stored) };
    };
    return this.#inTurn.run(request.userId, () => this.database.fork().transactional(work));
  }

  /** What `change` would do to one person, without doing it. */
  async plan(group: SettingGroup, userId: string, wish: SettingsWish): Promise<SettingsPlan & { version: number }> {
    const stored = await this.#stored.load(userId);
    return { ...planSettings(group, this.ground, stored, wish), version: stored.user?.[group.version] ?? 1 };
  }

  /**
   * Changes many people, or nobody: one bad value, one stale version or one missing person, and nothing is changed. A dry
   * run goes the same way and stops before the first write. Who would not be moved keeps their version.
   */
  changeMany(
    group: SettingGroup,
    request: { readonly actorId: string; readonly people: readonly PersonRequest[]; readonly dryRun: boolean },
  ): Promise<ManyOutcome> {
    return this.database.fork().transactional(async (em) => {
      const userIds = request.people.map(({ userId }) => userId);
      const rows = request.dryRun ? await readRows(em, userIds) : await lockRows(em, userIds);
      const organisation = await em.findOneOrFail(Organisation, theOrganisation);
      const known = request.dryRun ? await knownIds(em, userIds) : new Set(rows.keys());
      const outcomes = request.people.map((person) =>
        outcomeFor(group, this.ground, person, known, { user: rows.get(person.userId), organisation }),
      );
      const applied = !request.dryRun && outcomes.every(({ status }) => status === 'CHANGED' || status === 'UNCHANGED');
      if (!applied) return { applied, people: outcomes };
      const changed = outcomes.filter(({ status }) => status === 'CHANGED');
      for (const { userId, plan } of changed) {
        const row = rows.get(userId);
        if (row) applyPlan(em, group, row, request.actorId, plan);
      }
      await em.flush();
      await announceAll(
        em,
        changed.map(({ userId }) => ({ type: 'settings-changed', userId })),
      );
      const people = outcomes.map((outcome) => ({
        ...outcome,
        settings: settingsInForce(group, this.ground.builtIn, { user: rows.get(outcome.userId), organisation }),
      }));
      return { applied, people };
    });
  }
}

function isAnything({ set, clear }: SettingsPlan): boolean {
  return Object.keys(set).length + clear.length > 0;
}

type StoredRow = Readonly<Omit<UserSettings, 'userId'>> &
  Readonly<Pick<Organisation, SettingGroup['defaults' | 'ceilings'] | 'version'>> & { readonly userId: string | null };

async function loadStored(sql: Sql, userIds: readonly string[]): Promise<Stored[]> {
  const rows = await sql.query<StoredRow>('stored-settings', storedSettings, [userIds.filter(isIdentifier)]);
  const [organisation] = rows;
  if (!organisation) throw new Error('The organisation has no row.');
  const byUser = new Map(rows.map((row) => [row.userId, row]));
  return userIds.map((userId) => ({ user: byUser.get(userId.toLowerCase()), organisation }));
}

/** The organisation's, with those of the people beside it: at least one row. */
const storedSettings = `
  select o.version, o.agent_defaults as "agentDefaults", o.agent_ceilings as "agentCeilings",
    o.model_defaults as "modelDefaults", o.model_ceilings as "modelCeilings",
    s.user_id as "userId", s.agent_config as "agentConfig", s.agent_config_version as "agentConfigVersion",
    s.model_settings as "modelSettings", s.model_settings_version as "modelSettingsVersion"
  from organisation o left join user_settings s on s.user_id = any($1::uuid[])
  where o.id = ${theOrganisation}`;

async function readRows(em: EntityManager, userIds: readonly string[]): Promise<ReadonlyMap<string, UserSettings>> {
  const rows = await em.find(UserSettings, { userId: { $in: userIds.filter(isIdentifier) } });
  return new Map(rows.map((row) => [row.userId, row]));
}

async function knownIds(em: EntityManager, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await em.find(User, { id: { $in: userIds.filter(isIdentifier) } }, { fields: ['id'] });
  return new Set(found.map(({ id }) => id));
}
