import type { ChunkBody } from './chunk.ts';
import type { TerminationReason } from './termination.ts';

/** What a run can be warned of: a limit that comes near, or going round in circles. Each has a bit of its own. */
export const warningBits = { ITERATIONS: 1, TOKENS: 2, TIME: 4, LOOP: 8 } as const;

export type WarningKind = keyof typeof warningBits;

export const warningKinds = Object.keys(warningBits) as readonly WarningKind[];

/** The ending that each warning warns of. */
export const warnedOf: Readonly<Record<WarningKind, TerminationReason>> = {
  ITERATIONS: 'MAX_ITERATIONS',
  TOKENS: 'TOKEN_BUDGET',
  TIME: 'TIMEOUT',
  LOOP: 'NO_PROGRESS',
};

/** The bit of the warning that a chunk gives to the person; 0 when it gives none of these. */
export function warningOf(body: ChunkBody): number {
  if (body.type !== 'SystemChunk' || body.agent !== undefined) return 0;
  if (body.systemType === 'LOOP_DETECTED') return warningBits.LOOP;
  const limit = body.systemType === 'LIMIT_WARNING' ? body.limitType : undefined;
  return limit === 'ITERATIONS' || limit === 'TOKENS' || limit === 'TIME' ? warningBits[limit] : 0;
}
