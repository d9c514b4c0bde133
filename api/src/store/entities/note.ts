import { randomUUID } from 'node:crypto';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** Written only by `saveNotes`, which keeps title, hash and links in step with the body. */
export const Note = defineEntity({
  name: 'Note',
  tableName: 'notes',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUID()),
    projectId: p.uuid(),
    path: p.string(),
    title: p.string(),
    /** Up to a megabyte, so it is read only when asked for. */
    body: p.text().lazy(),
    hash: p.string(),
    createdAt: p.datetime().onCreate(() => new Date()),
    updatedAt: p.datetime().onCreate(() => new Date()),
  },
});

export type Note = InferEntity<typeof Note>;
