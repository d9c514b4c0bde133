import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** One row for the whole server, made by the first migration. */
export const Organisation = defineEntity({
  name: 'Organisation',
  tableName: 'organisation',
  properties: {
    id: p.integer().primary().autoincrement(false),
    agentDefaults: p.json().$type<unknown>(),
    agentCeilings: p.json().$type<unknown>(),
    modelDefaults: p.json().$type<unknown>(),
    modelCeilings: p.json().$type<unknown>(),
    version: p.integer().default(1),
    updatedAt: p.datetime().nullable(),
  },
});

export type Organisation = InferEntity<typeof Organisation>;
export const theOrganisation = 1;
