import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { isIdentifier } from '../access/identifier.ts';
import { SettingChange } from '../store/entities/setting-change.ts';
import { UserSettings } from '../store/entities/user-settings.ts';
import type { SettingGroup } from './setting-group.ts';
import type { SettingsPlan } from './settings-plan.ts';

/**
 * The rows of these people, locked until the transaction ends: the lock is what makes versions count up without a gap.
 * A row is made with the first change; who does not exist has none. Always locked in the same order, so that two changes
 * of many people never wait for each other.
 */
export async function lockRows(
  em: EntityManager,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, UserSettings>> {
  const ids = userIds.filter(isIdentifier);
  const lock = () =>
    em.find(
      UserSettings,
      { userId: { $in: ids } },
      { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { userId: 'ASC' } },
    );
  let rows = await lock();
  if (rows.length < new Set(ids).size) {
    await em.execute(
      `insert into user_settings (user_id)
       select u.id from users u where u.id in (select jsonb_array_elements_text(?::jsonb)::uuid) order by u.id
       on conflict do nothing`,
      [JSON.stringify(ids)],
    );
    rows = await lock();
  }
  return new Map(rows.map((row) => [row.userId, row]));
}

/** Puts the plan into the row and into the audit log; the caller flushes. */
export function applyPlan(
  em: EntityManager,
  group: SettingGroup,
  row: UserSettings,
  actorId: string,
  { set, clear }: Pick<SettingsPlan, 'set' | 'clear'>,
): void {
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
}
