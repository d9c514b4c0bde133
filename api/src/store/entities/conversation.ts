import { randomUUID } from 'node:crypto';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { ExactText } from '../exact-text.ts';

/** A tree of exchanges. The next question continues from HEAD. */
export const Conversation = defineEntity({
  name: 'Conversation',
  tableName: 'conversations',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUID()),
    userId: p.uuid(),
    projectId: p.uuid().nullable(),
    title: p.type(ExactText).$type<string>(),
    /** None until the first run has ended. */
    headId: p.uuid().nullable(),
    /** The one that its owner is in now, among those of its project. */
    active: p.boolean().default(false),
    /** It was made without a title, and takes that of its first question. */
    untitled: p.boolean().default(false),
    createdAt: p.datetime().onCreate(() => new Date()),
    updatedAt: p.datetime().onCreate(() => new Date()),
  },
});

export type Conversation = InferEntity<typeof Conversation>;
