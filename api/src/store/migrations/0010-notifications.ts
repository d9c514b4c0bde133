import { Migration } from '@mikro-orm/migrations';

/**
 * Events are part of a run's log and go with the run, by the same trigger as the rest of it. Notices wait for the next
 * run of their person and project, or, when a run ended unwatched, for the person.
 */
export class Notifications extends Migration {
  override up(): void {
    this.addSql(`create table run_events (
      run_id uuid not null,
      number integer not null,
      at timestamptz(3) not null,
      turn integer not null,
      name text not null,
      severity text not null,
      agent text,
      payload text not null,
      primary key (run_id, number)
    )`);
    this.addSql(deleteLogs(['run_chunks', 'run_decisions', 'run_events']));
    this.addSql(`create table notification_states (
      user_id uuid not null references users (id) on delete cascade,
      subscriber text not null,
      enabled boolean not null default true,
      fired_at timestamptz(3),
      primary key (user_id, subscriber)
    )`);
    this.addSql(`create table notices (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      project_id uuid references projects (id) on delete cascade,
      run_id uuid references runs (id) on delete cascade,
      kind text not null check (kind in ('NOTICE', 'RUN_ENDED')),
      category text not null,
      priority text not null,
      message text not null,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3),
      delivered_at timestamptz(3),
      delivered_run_id uuid,
      seen_at timestamptz(3)
    )`);
    this.addSql('create index notices_inbox on notices (user_id, created_at desc, id desc)');
    this.addSql(`create index notices_unseen on notices (user_id, created_at desc, id desc) where seen_at is null`);
    this.addSql(
      `create index notices_waiting on notices (user_id, project_id) where kind = 'NOTICE' and delivered_at is null`,
    );
    this.addSql(`create unique index notices_run_ended on notices (run_id) where kind = 'RUN_ENDED'`);
    this.addSql('create index notices_run on notices (run_id)');
    this.addSql('create index notices_project on notices (project_id)');
  }

  override down(): void {
    this.addSql('drop table notices, notification_states, run_events');
    this.addSql(deleteLogs(['run_chunks', 'run_decisions']));
  }
}

function deleteLogs(tables: readonly string[]): string {
  const deletions = tables.map((table) => `delete from ${table} where run_id in (select id from deleted);`);
  return `create or replace function delete_run_logs() returns trigger language plpgsql as $$
    begin
      ${deletions.join('\n      ')}
      return null;
    end $$`;
}
