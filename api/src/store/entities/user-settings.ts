import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** Only what the person set; layers and defaults are applied on reading, so old rows never break. */
export const UserSettings = defineEntity({
  name: 'UserSettings',
  tableName: 'user_settings',
  properties: {
    userId: p.uuid().primary(),
    agentConfig: p.json().$type<unknown>(),
    agentConfigVersion: p.integer().default(1),
    modelSettings: p.json().$type<unknown>(),
    modelSettingsVersion: p.integer().default(1),
  },
});

export type UserSettings = InferEntity<typeof UserSettings>;
