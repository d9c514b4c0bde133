import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Everything that nothing holds on to is gone afterwards. */
export async function collectGarbage(): Promise<void> {
  await new Promise(setImmediate); // until the round is over, what a WeakRef was made of stays
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
