import { randomUUID } from 'node:crypto';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** Written only by `saveCode`, which keeps its pieces, symbols and uses in step. */
export const CodeFile = defineEntity({
  name: 'CodeFile',
  tableName: 'code_files',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUID()),
    projectId: p.uuid(),
    path: p.string(),
    /** Null when its symbols are not looked for. */
    language: p.string().nullable(),
    bytes: p.integer(),
    lines: p.integer(),
    hash: p.string(),
    createdAt: p.datetime().onCreate(() => new Date()),
    updatedAt: p.datetime().onCreate(() => new Date()),
  },
});

export type CodeFile = InferEntity<typeof CodeFile>;
