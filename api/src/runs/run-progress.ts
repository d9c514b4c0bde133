import DataLoader from 'dataloader';
import { smallestAnswer } from '../agent/reservation.ts';
import type { Sql } from '../store/sql.ts';
import type { RecordedDecision } from './log-reading.ts';
import type { RunRecord } from './run-store.ts';

/** How far a run has come. */
export interface RunProgress {
  /** Turns begun. */
  readonly turns: number;
  /** What ended calls used; of one under way, what it was sent, which is an estimate until its provider tells. */
  readonly tokens: number;
  readonly lastActivityAt: Date;
}

/** Reads how far runs have come, on whichever server they run: of those under way, their stored logs tell. */
export class RunProgresses {
  readonly #underWay: DataLoader<string, Row | undefined>;

  constructor(sql: Sql) {
    this.#underWay = new DataLoader(
      async (ids) => {
        const rows = await sql.query<Row>('run-progress', progress, [[...new Set(ids)]]);
        const found = new Map(rows.map((row) => [row.id, row]));
        return ids.map((id) => found.get(id));
      },
      { cache: false },
    );
  }

  async of(run: RunRecord): Promise<RunProgress> {
    const { turns, tokens, startedAt, endedAt } = run;
    if (run.status === 'ENDED') return { turns: turns ?? 0, tokens: tokens ?? 0, lastActivityAt: endedAt ?? startedAt };
    const row = await this.#underWay.load(run.id);
    const decisions = (row?.traces ?? []).map((trace): RecordedDecision => JSON.parse(trace));
    return {
      turns: turnsBegun(decisions),
      tokens: tokensUsed(decisions.at(-1)),
      lastActivityAt: row?.last_at ?? startedAt,
    };
  }
}

interface Row {
  readonly id: string;
  readonly traces: readonly string[];
  readonly last_at: Date | null;
}

/** By primary key: the last two decisions and the last chunk of each. */
const progress = `
  select r.id,
    array(select trace from (
      select number, trace from run_decisions where run_id = r.id order by number desc limit 2
    ) last order by number) as traces,
    (select at from run_chunks where run_id = r.id order by seq desc limit 1) as last_at
  from unnest($1::uuid[]) as r (id)`;

/** A decision to go on begins a turn; one to stop leaves those that were begun. */
export function turnsBegun(decisions: readonly RecordedDecision[]): number {
  return Math.max(0, ...decisions.map(({ turn, verdict }) => (verdict.continue ? turn + 1 : turn)));
}

export function tokensUsed(decision: RecordedDecision | undefined): number {
  const withComing = decision?.evaluations.find(({ reason }) => reason === 'TOKEN_BUDGET')?.value ?? 0;
  if (decision?.verdict.continue === false) return decision.tokens ?? withComing;
  return Math.max(decision?.tokens ?? 0, Math.round(withComing) - smallestAnswer);
}
