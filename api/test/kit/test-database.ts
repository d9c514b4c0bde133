import { inject } from 'vitest';
import { createDatabase, migratedTemplate, queryOnce, type Row } from './databases.ts';

export interface TestDatabase {
  readonly url: string;
  /** Runs SQL past the product, for damaging rows and the like. */
  query<Found extends Row>(sql: string, values?: readonly unknown[]): Promise<Found[]>;
  drop(): Promise<void>;
}

/** A database of its own on the run's PostgreSQL server: migrated and without a row, or with nothing in it at all. */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const url = await createDatabase(server, empty ? {} : { template: migratedTemplate });
  return {
    url,
    query: (sql, values) => queryOnce(url, sql, values),
    drop: async () => void (await queryOnce(server, `drop database ${new URL(url).pathname.slice(1)} with (force)`)),
  };
}
