import pg from 'pg';
import { endPool } from './end-pool.ts';

/**
 * PostgreSQL without the ORM, for what is done thousands of times a second. Statements are prepared once for each
 * connection, by name.
 */
export interface Sql {
  query<Row extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** A connection that answers nothing for so long is given up; what was under way is tried again on another. */
const longestAnswer = 15_000;
/** So many stay open however long nothing is asked: making one takes both sides longer than a hundred statements. */
const keptOpen = 2;

/** `patienceMs` is how long a query waits for a connection that is free. */
export function openSql(url: string, connections: number, patienceMs = 5_000): Sql {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    min: Math.min(keptOpen, connections),
    connectionTimeoutMillis: patienceMs,
    keepAlive: true,
    application_name: 'oracle-agent runs',
  });
  pool.on('error', () => undefined); // an idle connection broke; the pool makes another
  return {
    query: <Row extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]) =>
      new Promise<Row[]>((resolve, reject) => {
        pool.connect((error, client, release) => {
          if (client) ask<Row>(client, { name, text, values: [...values] }, release, resolve, reject);
          else reject(error);
        });
      }),
    close: () => endPool(pool),
  };
}

/**
 * As the pool asks by itself. But the driver's own `query_timeout` puts a function into the query, and the engine keeps
 * such functions for long at once, and with them what was asked and answered: see `ReleasingMap`.
 */
function ask<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  query: pg.QueryConfig,
  release: (error?: Error) => void,
  resolve: (rows: Row[]) => void,
  reject: (error: Error) => void,
): void {
  let over = false;
  const end = (error: Error | null | undefined, rows: Row[] = []) => {
    if (over) return;
    over = true;
    clearTimeout(patience);
    client.removeListener('error', end);
    release(error ?? undefined);
    if (error) reject(error);
    else resolve(rows);
  };
  const patience = setTimeout(() => end(new Error('The database does not answer.')), longestAnswer);
  client.on('error', end);
  try {
    client.query<Row>(query, (error: Error | null, result?: pg.QueryResult<Row>) => end(error, result?.rows));
  } catch (error) {
    end(error as Error);
  }
}

/** A row with this key is there already. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505';
}

/** Connection lost, server restarting, too many connections, deadlock, out of disk: it may work when tried again. */
const passingClasses = new Set(['08', '40', '53', '55', '57', '58']);

/** Whether the fault lies with the database's present state rather than with what was asked of it. */
export function isPassing(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return passingClasses.has((error.code ?? '').slice(0, 2));
  return !(error instanceof TypeError || error instanceof RangeError);
}
