import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** The audit log: who changed whose setting, when, on which layer, from what to what. Rows are never changed. */
export const SettingChange = defineEntity({
  name: 'SettingChange',
  tableName: 'setting_changes',
  properties: {
    id: p.bigint('string').primary().autoincrement(),
    at: p.datetime().onCreate(() => new Date()),
    actorId: p.uuid().nullable(),
    /** Nobody's: the organisation's. */
    userId: p.uuid().nullable(),
    group: p.enum(['AGENT_CONFIG', 'MODEL_SETTINGS', 'MCP_SERVERS'] as const).fieldName('setting_group'),
    layer: p.enum(['ORGANISATION', 'USER', 'CEILING'] as const),
    field: p.string(),
    oldValue: p.json().$type<unknown>().nullable(),
    newValue: p.json().$type<unknown>().nullable(),
    version: p.integer(),
  },
});

export type SettingChange = InferEntity<typeof SettingChange>;
