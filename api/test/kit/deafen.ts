import type { Kit } from './kit.ts';

/** The server hears no announcement for a while: what it knows at once, it knows by itself. */
export async function deafen({ database }: Pick<Kit, 'database'>): Promise<void> {
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'oracle-agent changes'`,
  );
}
