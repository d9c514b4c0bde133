import { type FilterQuery, raw } from '@mikro-orm/core';
import { isIdentifier } from '../access/identifier.ts';
import type { TerminationReason } from '../agent/termination.ts';
import { wordBeginnings } from '../search/word-beginnings.ts';
import type { Run } from '../store/entities/run.ts';

/** Which runs; what is undefined restricts nothing. */
export interface RunFilter {
  readonly userId?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly reason?: readonly TerminationReason[] | undefined;
  readonly status?: 'RUNNING' | 'ENDED' | undefined;
  readonly model?: readonly string[] | undefined;
  /** Begun at this time or later. */
  readonly since?: Date | undefined;
  /** Begun before this time. */
  readonly until?: Date | undefined;
  /** All these words begin somewhere in the question. */
  readonly search?: string | undefined;
}

const nobody = '00000000-0000-0000-0000-000000000000';

export function conditionsOf(filter: RunFilter): FilterQuery<Run> {
  const { userId, conversationId, reason, status, model, since, until } = filter;
  const impossible = [userId, conversationId].some((id) => id !== undefined && !isIdentifier(id));
  const search = filter.search?.trim() ? filter.search : undefined;
  const started = { ...(since ? { $gte: since } : {}), ...(until ? { $lt: until } : {}) };
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(reason === undefined ? {} : { reason: { $in: [...reason] } }),
    ...(status === undefined ? {} : { status }),
    ...(model === undefined ? {} : { model: { $in: model.map((name) => name.replaceAll('\0', '')) } }),
    ...(since || until ? { startedAt: started } : {}),
    ...(search === undefined ? {} : { [asking(search, userId)]: [] }),
    ...(impossible ? { userId: nobody, conversationId: nobody } : {}),
  };
}

/** Whose a question is is one of the words that its index holds, so that one person's matches are read and no others. */
function asking(search: string, userId: string | undefined) {
  const owner = userId === undefined ? '' : `'of ${userId}'`;
  return raw((alias) => `${alias}.id in (${asked})`, [owner, owner, wordBeginnings(search)]);
}

/** Text without any word finds nothing. */
const asked = `
  with wanted as materialized (
    select case when ? = '' then words else ?::tsquery && words end as query
    from to_tsquery('simple', ?) as words where numnode(words) > 0
  )
  select e.run_id from exchanges e, wanted where e.search @@ wanted.query`;
