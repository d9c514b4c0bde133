import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A rule that fired or failed in a run. Written in batches, past the ORM; read in pages through it. */
export const RuleFiring = defineEntity({
  name: 'RuleFiring',
  tableName: 'rule_firings',
  properties: {
    runId: p.uuid().primary(),
    /** Counts 1, 2, 3… in its run. */
    number: p.integer().primary(),
    ruleId: p.string(),
    userId: p.uuid(),
    turn: p.integer(),
    at: p.datetime(),
    trigger: p.string(),
    effect: p.json().$type<Readonly<Record<string, unknown>>>().nullable(),
    error: p.string().nullable(),
  },
});

export type RuleFiring = InferEntity<typeof RuleFiring>;
