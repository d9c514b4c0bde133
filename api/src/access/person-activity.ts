import DataLoader from 'dataloader';
import type { Database } from '../store/database.ts';

/** Runs begun in a stretch of time, and the tokens of those that have ended. */
export interface RunTotals {
  readonly runs: number;
  readonly tokens: number;
}

/** What a person has been doing of late. */
export interface PersonActivity {
  readonly running: number;
  readonly lastDay: RunTotals;
  readonly lastWeek: RunTotals;
  readonly lastRunAt: Date | undefined;
  readonly lastSeenAt: Date | undefined;
}

interface Row {
  readonly id: string;
  readonly running: number;
  readonly dayRuns: number;
  readonly dayTokens: number;
  readonly weekRuns: number;
  readonly weekTokens: number;
  readonly lastRunAt: Date | null;
  readonly lastSeenAt: Date | null;
}

/** Counted for everybody on a page in one statement; nothing is remembered, so it is never out of date. */
export class PeopleActivity {
  readonly #byId: DataLoader<string, PersonActivity>;

  constructor(database: Database) {
    this.#byId = new DataLoader(
      async (ids) => {
        const rows = await database.fork().execute<Row[]>(activityStatement, [JSON.stringify(ids)]);
        const byId = new Map(rows.map((row) => [row.id, present(row)]));
        return ids.map((id) => byId.get(id) ?? nothing);
      },
      { cache: false },
    );
  }

  of(userId: string): Promise<PersonActivity> {
    return this.#byId.load(userId);
  }
}

/** One place-holder: the ids, as a JSON list. */
export const activityStatement = `
  select person.id, running.count::int as "running",
    week.day_runs::int as "dayRuns", week.day_tokens::float8 as "dayTokens",
    week.runs::int as "weekRuns", week.tokens::float8 as "weekTokens",
    (select r.started_at from runs r where r.user_id = person.id order by r.started_at desc, r.id desc limit 1) as "lastRunAt",
    (select max(t.last_used_at) from tokens t where t.user_id = person.id) as "lastSeenAt"
  from (select jsonb_array_elements_text(?::jsonb)::uuid as id) person
  cross join lateral (
    select count(*) from runs r where r.user_id = person.id and r.status = 'RUNNING'
  ) running
  cross join lateral (
    select count(*) as runs, coalesce(sum(r.tokens), 0) as tokens,
      count(*) filter (where r.started_at >= now() - interval '1 day') as day_runs,
      coalesce(sum(r.tokens) filter (where r.started_at >= now() - interval '1 day'), 0) as day_tokens
    from runs r where r.user_id = person.id and r.started_at >= now() - interval '7 days'
  ) week`;

const none: RunTotals = { runs: 0, tokens: 0 };
const nothing: PersonActivity = {
  running: 0,
  lastDay: none,
  lastWeek: none,
  lastRunAt: undefined,
  lastSeenAt: undefined,
};

function present(row: Row): PersonActivity {
  return {
    running: row.running,
    lastDay: { runs: row.dayRuns, tokens: row.dayTokens },
    lastWeek: { runs: row.weekRuns, tokens: row.weekTokens },
    lastRunAt: row.lastRunAt ?? undefined,
    lastSeenAt: row.lastSeenAt ?? undefined,
  };
}
