import type { Json } from '../agent/json.ts';
import type { Sql } from '../store/sql.ts';
import type { Switches } from './switches.ts';

/** What rules remember of one person in one project, by rule. */
export type RuleStates = ReadonlyMap<string, Readonly<Record<string, Json>>>;

/** Whom a run's rules are about, read once when it begins. */
export interface RunSubject {
  readonly role: string;
  readonly projectName: string;
  readonly personal: Switches;
  readonly states: RuleStates;
}

/** So much may a rule remember of one person in one project. */
export const mostStateKeys = 100;

/** By person and project, each as their ids with a blank between them. */
export async function readSubjects(sql: Sql, pairs: readonly string[]): Promise<ReadonlyMap<string, RunSubject>> {
  const split = pairs.map((pair) => pair.split(' ', 2));
  const values = [split.map(([userId]) => userId), split.map(([, projectId]) => projectId)];
  const rows = await sql.query<SubjectRow>('run-subjects', runSubjects, values);
  return new Map(
    rows.map(({ pair, role, projectName, personal, states }): [string, RunSubject] => [
      pair,
      {
        role,
        projectName,
        personal: new Map(Object.entries(personal ?? {})),
        states: statesOf((states ?? []).map(([ruleId, key, value]) => ({ ruleId, key, value }))),
      },
    ]),
  );
}

interface SubjectRow {
  readonly pair: string;
  readonly role: string;
  readonly projectName: string;
  readonly personal: Readonly<Record<string, boolean>> | null;
  readonly states: readonly (readonly [ruleId: string, key: string, value: Json])[] | null;
}

/** Newest first within a rule; what is beyond the most that a rule may remember is passed over. */
export function statesOf(
  rows: readonly { readonly ruleId: string; readonly key: string; readonly value: Json }[],
): RuleStates {
  const found = new Map<string, Record<string, Json>>();
  for (const { ruleId, key, value } of rows) {
    const state = found.get(ruleId) ?? {};
    if (Object.keys(state).length < mostStateKeys) state[key] = value;
    found.set(ruleId, state);
  }
  return found;
}

const runSubjects = `
  select run.user_id || ' ' || run.project_id as pair, u.role, coalesce(p.name, '') as "projectName",
    (select jsonb_object_agg(s.rule_id, s.enabled) from rule_switches s where s.user_id = run.user_id) as personal,
    (select jsonb_agg(jsonb_build_array(s.rule_id, s.key, s.value) order by s.rule_id, s.updated_at desc)
      from rule_state s where s.user_id = run.user_id and s.project_id = run.project_id) as states
  from unnest($1::uuid[], $2::uuid[]) as run (user_id, project_id)
  join users u on u.id = run.user_id
  left join projects p on p.id = run.project_id`;
