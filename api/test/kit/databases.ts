import { randomUUID } from 'node:crypto';
import pg from 'pg';

export type Row = pg.QueryResultRow;

/** Made once for the whole run: copying a migrated database takes a fraction of migrating an empty one. */
export const migratedTemplate = 'migrated';

/** Answers with the address of the new database. */
export async function createDatabase(
  server: string,
  { name = `test_${randomUUID().replaceAll('-', '')}`, template = 'template1' } = {},
): Promise<string> {
  await queryOnce(server, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** On a connection of its own. */
export async function queryOnce<Found extends Row>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Found[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Found>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}
