import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { EntryKind } from '../../threads/threads.ts';

/** Written only by the database's `append_entries`, which numbers entries without gaps. */
export const ThreadEntry = defineEntity({
  name: 'ThreadEntry',
  tableName: 'thread_entries',
  properties: {
    id: p.uuid().primary(),
    threadId: p.uuid(),
    projectId: p.uuid(),
    number: p.integer(),
    kind: p.string().$type<EntryKind>(),
    text: p.text(),
    author: p.string().nullable(),
    runId: p.uuid().nullable(),
    createdAt: p.datetime(),
  },
});

export type ThreadEntry = InferEntity<typeof ThreadEntry>;
