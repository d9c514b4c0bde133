import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

const lookEveryMs = 5;

/**
 * Resolves when everything that was asked has been answered and all connections are closed. Ended by itself, a pool
 * forgets those who wait for a connection; none of them waits for longer than the pool's own patience.
 */
export async function endPool(pool: pg.Pool): Promise<void> {
  while (pool.waitingCount > 0) await pause(lookEveryMs);
  await pool.end();
}
