import { setImmediate as nextRound } from 'node:timers/promises';
import type { AgentConfig } from '../agent/config.ts';
import type { TerminationReason } from '../agent/termination.ts';
import { callsNotRun, fateUnder, type MovedLimits, type PastRun } from '../agent/what-if.ts';
import type { Database } from '../store/database.ts';
import type { UsageScope } from './usage-sql.ts';
import { type AffectedRun, Tally, type WhatIf } from './what-if-tally.ts';

/** Older runs than these are not looked at, so that moving a slider costs the same however many there are. */
export const mostPastRuns = 10_000;
/** So many at once: between them, others get their turn. */
const pageRows = 1_000;

/** How past runs would have fared under other limits. Changes nothing. */
export class WhatIfService {
  constructor(private readonly database: Database) {}

  async ask(scope: UsageScope, moved: MovedLimits, most: number): Promise<WhatIf> {
    const tally = new Tally();
    let behind: PastRow | undefined;
    for (let left = most; left > 0; left -= pageRows) {
      const rows = await this.#page(scope, behind, Math.min(pageRows, left));
      for (const row of rows) judgeRow(row, moved, tally);
      behind = rows.at(-1);
      if (rows.length < Math.min(pageRows, left)) break;
      await nextRound();
    }
    return tally.result();
  }

  #page({ userId, model }: UsageScope, behind: PastRow | undefined, size: number): Promise<PastRow[]> {
    const wheres = [
      ...(userId === undefined ? [] : ['user_id = ?']),
      ...(model === undefined ? [] : ['model = ?']),
      ...(behind === undefined ? [] : ['(started_at, id) < (?::timestamptz, ?::uuid)']),
    ];
    const values = [userId, model, behind?.started_at, behind?.id].filter((value) => value !== undefined);
    return this.database.fork().execute<PastRow[]>(
      `select id, question, started_at::text as started_at, reason, config, turns, tokens, duration_ms, to_json(course_tokens) as tokens_at,
        to_json(course_needed) as needed_at, to_json(course_ms) as ms_at, to_json(course_calls) as calls_at
      from runs where status = 'ENDED' ${wheres.map((where) => `and ${where}`).join(' ')}
      order by runs.started_at desc, id desc limit ?`,
      [...values, size],
    );
  }
}

interface PastRow {
  readonly id: string;
  readonly question: string;
  readonly started_at: string;
  readonly reason: TerminationReason;
  readonly config: AgentConfig;
  readonly turns: number;
  readonly tokens: number;
  readonly duration_ms: number;
  readonly tokens_at: readonly number[] | null;
  readonly needed_at: readonly number[] | null;
  readonly ms_at: readonly number[] | null;
  readonly calls_at: readonly number[] | null;
}

function judgeRow(row: PastRow, moved: MovedLimits, tally: Tally): void {
  const { tokens_at: tokens, needed_at: needed, ms_at: elapsedMs, calls_at: calls } = row;
  if (!tokens || !needed || !elapsedMs || !calls) {
    tally.addUnknown(row.reason);
    return;
  }
  const past: PastRun = { config: row.config, reason: row.reason, course: { tokens, needed, elapsedMs, calls } };
  const limit = moved.maxToolCallsPerTurn ?? row.config.maxToolCallsPerTurn;
  const before = callsNotRun(past.course, row.config.maxToolCallsPerTurn);
  const run: AffectedRun['run'] = {
    id: row.id,
    question: row.question,
    startedAt: new Date(row.started_at),
    reason: row.reason,
    turns: row.turns,
    tokens: row.tokens,
    durationMs: row.duration_ms,
  };
  tally.add(run, fateUnder(past, moved), callsNotRun(past.course, limit) - before);
}
