import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** Made by the database's `append_entries` with its first entry, which keeps count and activity in step. */
export const Thread = defineEntity({
  name: 'Thread',
  tableName: 'threads',
  properties: {
    id: p.uuid().primary(),
    projectId: p.uuid(),
    title: p.string(),
    /** The title as it is compared: one thread for one title in a project, however it is written. */
    key: p.string(),
    entryCount: p.integer(),
    archivedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    /** When the last entry was made. */
    updatedAt: p.datetime(),
  },
});

export type Thread = InferEntity<typeof Thread>;
