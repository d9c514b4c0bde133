import type { Json } from '../agent/json.ts';
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
 * What a run whose server died had to do with notices: those it took and never told are given back, and the reminders
 * that it made and never got are left for the next session, as it would have done itself. Done again, it changes nothing.
 */
export async function recoverNotices(sql: Sql, run: BrokenOff, toolCalls: readonly ExchangeToolCall[]): Promise<void> {
  const { runId, userId, projectId } = run;
  await sql.query('give-notices-back', giveBack, [runId]);
  const reminders = toolCalls
    .filter(({ name, fate }) => name === 'notify_self' && fate === 'succeeded')
    .map(reminderOf);
  if (reminders.length === 0) return;
  const told = JSON.stringify({ type: 'inbox-changed', userId } satisfies Change);
  await sql.query('leave-reminders', leaveReminders, [runId, userId, projectId, JSON.stringify(reminders), told]);
}

/** As the tool took it. */
function reminderOf({ callId, turn, arguments: given }: ExchangeToolCall) {
  const { message, category, priority } = given as Readonly<Record<string, Json>>;
  return {
    call: `${turn} ${callId}`,
    message: encodeText(String(message).trim()),
    category: typeof category === 'string' ? category.trim() : 'reminder',
    priority: typeof priority === 'string' ? priority : 'NORMAL',
  };
}

const told = `select payload::json as payload from run_events where run_id = $1::uuid and name = 'agent.self.notify'`;

const giveBack = `
  update notices set delivered_at = null, delivered_run_id = null
  where delivered_run_id = $1::uuid and id::text not in (select payload ->> 'noticeId' from (${told}) told)`;

const leaveReminders = `
  with left_over as (
    insert into notices (id, user_id, project_id, run_id, kind, category, priority, message, expires_at)
    select md5(concat($1::uuid, r.call))::uuid, $2::uuid, $3::uuid, $1::uuid, 'NOTICE', r.category, r.priority, r.message,
      clock_timestamp() + interval '24 hours'
    from json_to_recordset($4::json) as r (call text, message text, category text, priority text)
    where r.message not in (select payload ->> 'message' from (${told}) told)
    on conflict do nothing returning id
  )
  select pg_notify('${changesChannel}', $5) from left_over limit 1`;
