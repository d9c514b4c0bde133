import { guarding } from '../vault/guarded-vault.ts';
import type { Threads } from './threads.ts';

/** The threads for tools: what breaks is reported to us, and told to the model in words that give nothing away. */
export function guardedThreads(threads: Threads, report: (failure: unknown) => void): Threads {
  const guard = guarding('The threads failed; they may work again in a moment.', report);
  return {
    list: guard((projectId, limit) => threads.list(projectId, limit)),
    read: guard((projectId, thread, range) => threads.read(projectId, thread, range)),
    seek: guard((projectId, request) => threads.seek(projectId, request)),
    append: guard((projectId, entry) => threads.append(projectId, entry)),
  };
}
