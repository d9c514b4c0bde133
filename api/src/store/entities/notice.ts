import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { ExactText } from '../exact-text.ts';

export type NoticeKind = 'NOTICE' | 'RUN_ENDED';

/** Something that waits for a person: what an agent left for its next session, or a run that ended unwatched. */
export const Notice = defineEntity({
  name: 'Notice',
  tableName: 'notices',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    projectId: p.uuid().nullable(),
    runId: p.uuid().nullable(),
    kind: p.string().$type<NoticeKind>(),
    /** Of a run that ended, the reason. */
    category: p.string(),
    priority: p.string().$type<'CRITICAL' | 'HIGH' | 'NORMAL' | 'LOW'>(),
    /** Of a run that ended, the question. */
    message: p.type(ExactText).$type<string>(),
    createdAt: p.datetime().onCreate(() => new Date()),
    expiresAt: p.datetime().nullable(),
    deliveredAt: p.datetime().nullable(),
    deliveredRunId: p.uuid().nullable(),
    seenAt: p.datetime().nullable(),
  },
});

export type Notice = InferEntity<typeof Notice>;
