import type { Json } from '../agent/json.ts';
import { callSignature } from '../agent/tool-call.ts';
import { reminderIdOf } from '../notifications/left-notices.ts';
import { type Change, changesChannel } from '../store/changes.ts';
import type { ExchangeToolCall } from '../store/entities/exchange.ts';
import { encodeText } from '../store/exact-text.ts';
import type { Sql } from '../store/sql.ts';

export interface BrokenOff {
  readonly runId: string;
  readonly userId: string;
  readonly projectId: string;
}

/**
 * What a run whose server died had to do with notices: those it took and never heard are given back, and the reminders
 * that it made and never heard are left for the next session, as it would have done itself. Done again, or after the run
 * has done it, this changes nothing.
 */
export async function recoverNotices(sql: Sql, run: BrokenOff, toolCalls: readonly ExchangeToolCall[]): Promise<void> {
  const { runId, userId, projectId } = run;
  await sql.query('give-notices-back', giveBack, [runId]);
  const made = toolCalls.filter(({ name, fate }) => name === 'notify_self' && fate === 'succeeded');
  if (made.length === 0) return;
  const reminders = firstOfEqual(made).map((call) => reminderOf(runId, call));
  const told = JSON.stringify({ type: 'inbox-changed', userId } satisfies Change);
  await sql.query('leave-reminders', leaveReminders, [runId, userId, projectId, JSON.stringify(reminders), told]);
}

/** Equal calls of a turn made one reminder, which is the first one's. */
function firstOfEqual(calls: readonly ExchangeToolCall[]): readonly ExchangeToolCall[] {
  const distinct = new Map<string, ExchangeToolCall>();
  for (const call of calls) {
    const key = `${call.turn} ${callSignature(call)}`;
    if (!distinct.has(key)) distinct.set(key, call);
  }
  return [...distinct.values()];
}

/** As the tool took it. */
function reminderOf(runId: string, { callId, turn, arguments: given }: ExchangeToolCall) {
  const { message, category, priority } = given as Readonly<Record<string, Json>>;
  return {
    id: reminderIdOf(runId, turn, callId),
    message: encodeText(String(message).trim()),
    category: typeof category === 'string' ? category.trim() : 'reminder',
    priority: typeof priority === 'string' ? priority : 'NORMAL',
  };
}

/** The model has answered, or begun to, after it was told. */
const heard = `
  select told.payload::json as payload from run_events told
  where told.run_id = $1::uuid and told.name = 'agent.self.notify' and exists (
    select from run_events answer
    where answer.run_id = told.run_id and answer.number > told.number and answer.agent is null
      and answer.name = 'model.call.end'
      and (answer.payload::json ->> 'complete' = 'true' or answer.payload::json ->> 'outputTokens' <> '0')
  )`;

const giveBack = `
  update notices set delivered_at = null, delivered_run_id = null
  where delivered_run_id = $1::uuid and id::text not in (select payload ->> 'noticeId' from (${heard}) heard)`;

const leaveReminders = `
  with left_over as (
    insert into notices (id, user_id, project_id, run_id, kind, category, priority, message, expires_at)
    select r.id, $2::uuid, $3::uuid, $1::uuid, 'NOTICE', r.category, r.priority, r.message,
      clock_timestamp() + interval '24 hours'
    from json_to_recordset($4::json) as r (id uuid, message text, category text, priority text)
    where r.id::text not in (select payload ->> 'noticeId' from (${heard}) heard)
    on conflict do nothing returning id
  )
  select pg_notify('${changesChannel}', $5) from left_over limit 1`;
