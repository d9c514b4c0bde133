import { randomUUID } from 'node:crypto';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A server whose tools runs may use. The values in `environment` and `headers` are secrets: they are never shown. */
export const McpServer = defineEntity({
  name: 'McpServer',
  tableName: 'mcp_servers',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUID()),
    /** Its tools are called `<name>_<tool>`. */
    name: p.string(),
    transport: p.enum(['STDIO', 'HTTP'] as const),
    command: p.string().nullable(),
    args: p.json().$type<readonly string[]>(),
    environment: p.json().$type<Readonly<Record<string, string>>>(),
    url: p.string().nullable(),
    headers: p.json().$type<Readonly<Record<string, string>>>(),
    timeoutSeconds: p.integer(),
    enabled: p.boolean(),
    /** Whether everybody may use it, or only those listed in `mcp_access`. */
    everyone: p.boolean(),
    /** Counts the accepted changes. */
    version: p.integer().default(1),
    createdAt: p.datetime().onCreate(() => new Date()),
    updatedAt: p.datetime().onCreate(() => new Date()),
  },
});

export type McpServer = InferEntity<typeof McpServer>;
