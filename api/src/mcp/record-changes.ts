import type { EntityManager } from '@mikro-orm/postgresql';
import { canonicalJson, type Json } from '../agent/json.ts';
import type { McpServer } from '../store/entities/mcp-server.ts';
import { SettingChange } from '../store/entities/setting-change.ts';
import type { ServerValues } from './server-input.ts';

const plainFields = ['name', 'transport', 'command', 'args', 'url', 'timeoutSeconds', 'enabled', 'everyone'] as const;
const secretFields = ['environment', 'headers'] as const;

/** One entry of the audit log for every field that changed. Secrets appear by their names only. */
export function recordChanges(
  em: EntityManager,
  actorId: string,
  server: McpServer,
  before: ServerValues,
  after: ServerValues,
): void {
  for (const field of plainFields) {
    const [old, now] = [before[field] ?? null, after[field] ?? null];
    if (canonicalJson(old) !== canonicalJson(now)) recordOne(em, actorId, server, field, old, now);
  }
  for (const field of secretFields) {
    if (canonicalJson(before[field]) === canonicalJson(after[field])) continue;
    const named = Object.keys(after[field]).map((name) => {
      const isNew = before[field][name] !== after[field][name];
      return isNew && Object.hasOwn(before[field], name) ? `${name} (another value)` : name;
    });
    recordOne(em, actorId, server, field, Object.keys(before[field]).toSorted(), named.toSorted());
  }
}

export function recordOne(
  em: EntityManager,
  actorId: string,
  server: Pick<McpServer, 'name' | 'version'>,
  what: string,
  oldValue: Json,
  newValue: Json,
): void {
  em.create(SettingChange, {
    actorId,
    group: 'MCP_SERVERS',
    layer: 'ORGANISATION',
    field: `${server.name}.${what}`,
    oldValue,
    newValue,
    version: server.version,
  });
}
