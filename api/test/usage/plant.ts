import type { TerminationReason } from '../../src/agent/termination.ts';
import type { TestDatabase } from '../kit/test-database.ts';

export interface PlantedRun {
  readonly userId: string;
  readonly at: string;
  readonly reason?: TerminationReason;
  readonly model?: string;
  readonly turns?: number;
  readonly tokens?: number;
  readonly durationMs?: number;
  readonly warned?: number;
  /** Tokens used, tokens needed and milliseconds passed at each decision; calls of each turn. */
  readonly course?: readonly [readonly number[], readonly number[], readonly number[], readonly number[]];
  readonly config?: Readonly<Record<string, number>>;
}

const usual = {
  maxIterations: 15,
  softWarningPercent: 70,
  tokenBudget: 50_000,
  tokenWarningPercent: 80,
  timeoutSeconds: 120,
  maxToolCallsPerTurn: 5,
  maxParallelTools: 3,
};

/** A run that has ended, put past the product into the database: what it used and when is the test's to say. */
export async function plantRun(database: TestDatabase, run: PlantedRun): Promise<string> {
  const { reason = 'COMPLETED', turns = 1, tokens = 100, durationMs = 1_000, warned = 0, model = 'offline' } = run;
  const course = run.course ?? [null, null, null, null];
  const [row] = await database.query<{ id: string }>(
    `with talk as (
      insert into conversations (id, user_id, title) values (gen_random_uuid(), $1, 'Planted') returning id
    ), exchange as (
      insert into exchanges (id, conversation_id, run_id, question)
      select gen_random_uuid(), id, gen_random_uuid(), 'Why?' from talk returning *
    )
    insert into runs (id, user_id, conversation_id, node_id, question, model, decision_tree, config, status, reason, turns,
      tokens, started_at, ended_at, last_seq, duration_ms, warned, course_tokens, course_needed, course_ms, course_calls)
    select run_id, $1, conversation_id, id, question, $2, 'default', $3, 'ENDED', $4, $5,
      $6, $7, $7, 1, $8, $9, $10, $11, $12, $13 from exchange returning id`,
    [
      ...[run.userId, model, JSON.stringify({ ...usual, ...run.config }), reason, turns],
      ...[tokens, run.at, durationMs, warned, ...course],
    ],
  );
  return row?.id ?? '';
}
