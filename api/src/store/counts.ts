import type { EntityName, FilterQuery } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';

/** Up to so many rows are counted each time. */
export const alwaysCounted = 10_000;
const rememberedMs = 60_000;
const mostRemembered = 1_000;

interface Remembered {
  readonly count: number;
  readonly until: number;
}

/** For each database, by the statement that counts. */
const databases = new WeakMap<object, Map<string, Remembered>>();

/**
 * How many rows there are. Counting reads them all, so a long list is counted once a minute however many ask; what is
 * answered was true within that minute.
 */
export async function countRows<Row extends object>(
  em: EntityManager,
  entity: EntityName<Row>,
  where: FilterQuery<Row>,
): Promise<number> {
  const query = em.createQueryBuilder(entity).where(where as never);
  const statement = query.count().getFormattedQuery();
  const remembered = databases.get(em.config) ?? new Map<string, Remembered>();
  const known = remembered.get(statement);
  if (known && known.until > performance.now()) return known.count;

  const count = await em.count(entity, where as FilterQuery<NoInfer<Row>>);
  remembered.delete(statement);
  if (count > alwaysCounted) remembered.set(statement, { count, until: performance.now() + rememberedMs });
  const [oldest] = remembered.keys();
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
  databases.set(em.config, remembered);
  return count;
}
