import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

/** Also how long what is asked may take to get here. */
const lookEveryMs = 5;

/**
 * Resolves when everything that was asked has been answered and all connections are closed. Ended by itself, a pool
 * forgets those who wait for a connection; none of them waits for longer than the pool's own patience.
 */
export async function endPool(pool: pg.Pool): Promise<void> {
  do await pause(lookEveryMs);
  while (pool.waitingCount > 0);
  await pool.end();
}
