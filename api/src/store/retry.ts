import { setTimeout as pause } from 'node:timers/promises';
import { isPassing } from './sql.ts';

const firstPause = 25;
const longestPause = 1_000;

/**
 * Does the work again for as long as the database is away. The work must bear being done twice: an answer can be lost
 * after the commit. Rejects with what trying again cannot mend, and with the last failure once the signal is aborted.
 */
export async function retrying<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let wait = firstPause; ; wait = Math.min(wait * 2, longestPause)) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      await pause(wait, undefined, { signal }).catch(() => undefined);
    }
  }
}
