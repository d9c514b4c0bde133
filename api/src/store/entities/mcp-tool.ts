import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { JsonText } from '../exact-text.ts';

/** A tool of an MCP server as an administrator approved it. */
export const McpTool = defineEntity({
  name: 'McpTool',
  tableName: 'mcp_tools',
  properties: {
    serverId: p.uuid().primary(),
    /** What the server calls it. */
    name: p.string().primary(),
    /** What models call it, behind the name of the server. Stays the same for as long as it is approved. */
    localName: p.string(),
    fingerprint: p.string(),
    definition: p.type(JsonText).$type<unknown>(),
    approvedAt: p.datetime().onCreate(() => new Date()),
    approvedBy: p.uuid().nullable(),
  },
});

export type McpTool = InferEntity<typeof McpTool>;
