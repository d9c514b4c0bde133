import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { AgentConfig } from '../../agent/config.ts';
import type { Ending } from '../../agent/ending.ts';
import type { TerminationReason } from '../../agent/termination.ts';
import { ExactText, JsonText } from '../exact-text.ts';

/** The work on one exchange. Its log is in `run_chunks`, which no entity maps: chunks never go through the ORM. */
export const Run = defineEntity({
  name: 'Run',
  tableName: 'runs',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    conversationId: p.uuid(),
    nodeId: p.uuid().unique(),
    projectId: p.uuid().nullable(),
    question: p.type(ExactText).$type<string>(),
    model: p.string(),
    decisionTree: p.string(),
    config: p.json().$type<AgentConfig>(),
    status: p.enum(['RUNNING', 'ENDED'] as const).default('RUNNING'),
    reason: p.string().$type<TerminationReason>().nullable(),
    ending: p.type(JsonText).$type<Ending>().nullable(),
    turns: p.integer().nullable(),
    tokens: p.integer().nullable(),
    /** The server whose process works on it; nobody's runs are ended by whichever server finds them. */
    owner: p.uuid().nullable(),
    cancelRequestedAt: p.datetime().nullable(),
    startedAt: p.datetime().onCreate(() => new Date()),
    endedAt: p.datetime().nullable(),
    /** Set when the run ends; until then the log knows. */
    lastSeq: p.integer().nullable(),
  },
});

export type Run = InferEntity<typeof Run>;
