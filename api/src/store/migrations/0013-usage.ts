import { Migration } from '@mikro-orm/migrations';

/**
 * What is asked of many runs at once stands in their rows: how long they took, what they were warned of, and their
 * course (see `agent/course.ts`). Runs that ended earlier get it from their logs. These are read with patterns rather
 * than as jsonb, which refuses NUL; a quote within a text is escaped, so no text can look like a field.
 */
export class Usage extends Migration {
  override up(): void {
    this.addSql(`alter table runs
      add column duration_ms integer,
      add column warned smallint not null default 0,
      add column course_tokens integer[],
      add column course_needed integer[],
      add column course_ms integer[],
      add column course_calls integer[]`);
    this.#fillDurations();
    this.#fillWarnings();
    this.#fillCourses();
    // Everything that the charts count, so that they never touch the rows themselves.
    this.addSql(`create index runs_usage on runs (started_at)
      include (user_id, model, reason, turns, tokens, duration_ms, warned) where status = 'ENDED'`);
  }

  override down(): void {
    this.addSql('drop index runs_usage');
    this.addSql(`alter table runs drop column duration_ms, drop column warned, drop column course_tokens,
      drop column course_needed, drop column course_ms, drop column course_calls`);
  }

  #fillDurations(): void {
    this.addSql(`update runs set duration_ms = coalesce(
        substring(ending from '"durationMs":([0-9]{1,9})')::integer,
        least(extract(epoch from ended_at - started_at) * 1000, 2000000000)::integer
      ) where status = 'ENDED'`);
  }

  /** One bit for each kind, see `agent/warned.ts`. */
  #fillWarnings(): void {
    this.addSql(`with given as (
        select run_id, bit_or(case substring(body from '"systemType":"LIMIT_WARNING".*"limitType":"([A-Z_]+)"')
          when 'ITERATIONS' then 1 when 'TOKENS' then 2 when 'TIME' then 4 else 8 end) as warned
        from run_chunks
        where type = 'SystemChunk' and body !~ '"agent":"[^"]*"}$' and (body ~ '"systemType":"LOOP_DETECTED"'
          or body ~ '"systemType":"LIMIT_WARNING".*"limitType":"(ITERATIONS|TOKENS|TIME)"')
        group by run_id
      )
      update runs r set warned = given.warned from given where r.id = given.run_id and r.status = 'ENDED'`);
  }

  /** Older decisions say what was needed, not what was used: as prompts grow, about the difference to the first. */
  #fillCourses(): void {
    this.addSql(`with points as (
        select run_id, number, trace ~ '"verdict":{"continue":true' as goes_on,
          substring(trace from '"tokens":([0-9]+),"verdict"')::integer as tokens,
          floor(substring(trace from '"reason":"TOKEN_BUDGET","value":([0-9.e+]+)')::numeric)::integer as needed,
          floor(substring(trace from '"reason":"TIMEOUT","value":([0-9.e+]+)')::numeric * 1000)::integer as ms
        from run_decisions
      ), courses as (
        select run_id, (array_agg(needed order by number))[1] as base, array_agg(needed order by number) as needed, array_agg(tokens order by number) as tokens,
          array_agg(ms order by number) as ms, (array_agg(goes_on order by number desc))[1] as open
        from points where needed is not null and ms is not null group by run_id
      ), asked as (
        select run_id, jsonb_object_agg(turn, calls) as by_turn from (
          select run_id, turn, count(distinct call) as calls from (
            select run_id, substring(body from '"callId":"(([^"\\\\]|\\\\.)*)"') as call,
              substring(body from '"turn":([0-9]+),"status":"[A-Z_]+"}$') as turn
            from run_chunks where type = 'ToolCallChunk'
          ) chunks where turn is not null group by 1, 2
        ) turns group by 1
      ), told as (
        select c.*, a.by_turn, cardinality(c.needed) as length from courses c left join asked a using (run_id)
      )
      update runs r set
        course_needed = c.needed || case when c.open then array[r.tokens] else '{}' end,
        course_ms = c.ms || case when c.open then array[r.duration_ms] else '{}' end,
        course_tokens = array(
          select case
            when tokens is not null then tokens
            when place = c.length and not c.open then r.tokens
            else greatest(0, least(r.tokens, needed - c.base))
          end
          from unnest(c.needed, c.tokens) with ordinality as u (needed, tokens, place) order by place
        ) || case when c.open then array[r.tokens] else '{}' end,
        course_calls = array(
          select coalesce((c.by_turn ->> turn::text)::integer, 0) from generate_series(1, r.turns) turn order by turn
        )
      from told c where r.id = c.run_id and r.status = 'ENDED'`);
  }
}
