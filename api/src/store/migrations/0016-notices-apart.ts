import { Migration } from '@mikro-orm/migrations';

/**
 * Trouble with notices is no trouble of runs: what a run does with them waits for no lock longer than stated, and that a
 * run's end cannot be put into the inbox does not keep it from ending. Servers hear when notes change.
 */
export class NoticesApart extends Migration {
  override up(): void {
    this.addSql(`create function claim_notices(for_user uuid, in_project uuid, for_run uuid, most integer)
      returns table (id uuid, message text, category text, priority text)
      language sql set lock_timeout = '1s' as $$
        update notices n set delivered_at = clock_timestamp(), delivered_run_id = for_run
        where n.id in (
          select w.id from notices w
          where w.user_id = for_user and w.project_id = in_project and w.kind = 'NOTICE' and w.delivered_at is null
            and w.expires_at > clock_timestamp()
          order by w.created_at, w.id limit most for update skip locked
        ) and n.delivered_at is null
        returning n.id, n.message, n.category, n.priority
      $$`);
    this.addSql(`create function note_run_ended(for_user uuid, ended_run uuid, reason text, question text)
      returns boolean language plpgsql set lock_timeout = '500ms' as $$
      begin
        insert into notices (id, user_id, run_id, kind, category, priority, message)
        values (gen_random_uuid(), for_user, ended_run, 'RUN_ENDED', reason, 'NORMAL', question)
        on conflict do nothing;
        if found then
          perform pg_notify('oracle_changes', json_build_object('type', 'inbox-changed', 'userId', for_user)::text);
        end if;
        return true;
      exception when others then
        return false;
      end $$`);
    this.addSql(`create function tell_notes_changed() returns trigger language plpgsql as $$
      begin
        perform pg_notify('oracle_changes', json_build_object('type', 'notes-changed', 'projectId', project_id)::text)
        from (select distinct project_id from changed) projects;
        return null;
      end $$`);
    for (const [operation, rows] of [
      ['update', 'new'],
      ['delete', 'old'],
    ])
      this.addSql(`create trigger notes_${operation}_told after ${operation} on notes
        referencing ${rows} table as changed for each statement execute function tell_notes_changed()`);
  }

  override down(): void {
    this.addSql('drop trigger notes_update_told on notes');
    this.addSql('drop trigger notes_delete_told on notes');
    this.addSql('drop function tell_notes_changed, note_run_ended, claim_notices');
  }
}
