import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import DataLoader from 'dataloader';
import { notFound } from '../access/access-error.ts';
import { isIdentifier } from '../access/identifier.ts';
import {
  type Ceilings,
  checkChange,
  type EffectiveSetting,
  type FieldProblem,
  layerSettings,
  readStored,
  type SettingValues,
} from '../agent/settings.ts';
import { announce } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import { Organisation, theOrganisation } from '../store/entities/organisation.ts';
import { SettingChange } from '../store/entities/setting-change.ts';
import { User } from '../store/entities/user.ts';
import { UserSettings } from '../store/entities/user-settings.ts';
import { InTurn } from './in-turn.ts';
import type { Outcome } from './outcome.ts';
import type { SettingGroup } from './setting-group.ts';

/** A person's settings in force, before any one query's own. */
export interface SettingsInForce {
  readonly fields: readonly EffectiveSetting[];
  readonly version: number;
}

export type SettingsOutcome = Outcome<SettingsInForce>;

interface Stored {
  readonly user: UserSettings | undefined;
  readonly organisation: Organisation;
}

export class UserSettingsService {
  readonly #stored: DataLoader<string, Stored>;
  readonly #inTurn = new InTurn();

  constructor(
    private readonly database: Database,
    /** Defaults that this server was started with, over those of the schema. */
    private readonly builtIn: SettingValues,
  ) {
    this.#stored = new DataLoader((userIds) => loadStored(database.fork(), userIds), { cache: false });
  }

  /** What holds for a person, and, with what a single query asks for, for that query. */
  async inForce(group: SettingGroup, userId: string, query?: SettingValues): Promise<SettingsInForce> {
    return this.#layer(group, await this.#stored.load(userId), query);
  }

  /** All or nothing. The version counts accepted updates, so that no two of them answer with the same one. */
  async update(
    group: SettingGroup,
    request: {
      actorId: string;
      userId: string;
      expectedVersion?: number | undefined;
      change: Readonly<Record<string, unknown>>;
    },
  ): Promise<SettingsOutcome> {
    const change = Object.entries(request.change).filter(([, value]) => value !== undefined);
    return this.#changing(group, request, (stored) => {
      const ceilings = readStored(group.fields, stored.organisation[group.ceilings]) as Ceilings;
      const problems = checkChange(group.fields, request.change, { ceilings });
      return problems.length > 0 ? { problems } : { set: Object.fromEntries(change) as SettingValues, clear: [] };
    });
  }

  /** Forgets what the person set, so that the layers below show again. Without fields: everything. */
  async reset(
    group: SettingGroup,
    request: { actorId: string; userId: string; fields?: readonly string[] | undefined },
  ): Promise<SettingsInForce> {
    const outcome = await this.#changing(group, request, (stored) => {
      const own = readStored(group.fields, stored.user?.[group.values]);
      return { set: {}, clear: (request.fields ?? Object.keys(own)).filter((name) => Object.hasOwn(own, name)) };
    });
    if (outcome.type !== 'saved') throw new Error('a reset can neither be invalid nor conflict');
    return outcome.settings;
  }

  async #changing(
    group: SettingGroup,
    request: { actorId: string; userId: string; expectedVersion?: number | undefined },
    decide: (stored: Stored) => Decision,
  ): Promise<SettingsOutcome> {
    const change = async (em: EntityManager): Promise<SettingsOutcome> => {
      const row = await lockRow(em, request.userId);
      const organisation = await em.findOneOrFail(Organisation, theOrganisation);
      const stored = { user: row, organisation };
      const decision = decide(stored);
      if ('problems' in decision) return { type: 'invalid', problems: decision.problems };
      if (request.expectedVersion !== undefined && request.expectedVersion !== row[group.version]) {
        return { type: 'conflict', settings: this.#layer(group, stored) };
      }
      if (Object.keys(decision.set).length + decision.clear.length > 0)
        await apply(em, group, row, request.actorId, decision);
      return { type: 'saved', settings: this.#layer(group, stored) };
    };
    return this.#inTurn.run(request.userId, () => this.database.fork().transactional(change));
  }

  #layer(group: SettingGroup, { user, organisation }: Stored, query: SettingValues = {}): SettingsInForce {
    const fields = layerSettings(group.fields, {
      builtIn: this.builtIn,
      organisation: readStored(group.fields, organisation[group.defaults]),
      user: readStored(group.fields, user?.[group.values]),
      query,
      ceilings: readStored(group.fields, organisation[group.ceilings]) as Ceilings,
    });
    return { fields, version: user?.[group.version] ?? 1 };
  }
}

type Decision =
  | { readonly problems: readonly FieldProblem[] }
  | { readonly set: SettingValues; readonly clear: readonly string[] };

async function loadStored(em: EntityManager, userIds: readonly string[]): Promise<Stored[]> {
  const organisation = await em.findOneOrFail(Organisation, theOrganisation);
  const rows = await em.find(UserSettings, { userId: { $in: userIds.filter(isIdentifier) } });
  const byUser = new Map(rows.map((row) => [row.userId, row]));
  return userIds.map((userId) => ({ user: byUser.get(userId), organisation }));
}

/** The row lock is what makes versions count up without a gap. The row is made with the first change. */
async function lockRow(em: EntityManager, userId: string): Promise<UserSettings> {
  if (!isIdentifier(userId)) throw notFound('user');
  const lock = () => em.findOne(UserSettings, { userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const row = await lock();
  if (row) return row;
  if (!(await em.findOne(User, { id: userId }))) throw notFound('user');
  await em.execute('insert into user_settings (user_id) values (?) on conflict do nothing', [userId]);
  const made = await lock();
  if (!made) throw notFound('user');
  return made;
}

async function apply(
  em: EntityManager,
  group: SettingGroup,
  row: UserSettings,
  actorId: string,
  { set, clear }: Extract<Decision, { set: SettingValues }>,
): Promise<void> {
  const stored = row[group.values];
  const before: Record<string, unknown> = typeof stored === 'object' && stored !== null ? { ...stored } : {};
  const after = { ...before, ...set };
  for (const name of clear) delete after[name];
  row[group.values] = after;
  row[group.version] += 1;
  for (const field of new Set([...Object.keys(set), ...clear])) {
    const [oldValue, newValue] = [before[field] ?? null, after[field] ?? null];
    if (oldValue === newValue) continue;
    em.create(SettingChange, {
      actorId,
      userId: row.userId,
      group: group.name,
      layer: 'USER',
      field,
      oldValue,
      newValue,
      version: row[group.version],
    });
  }
  await em.flush();
  await announce(em, { type: 'settings-changed', userId: row.userId });
}
