import { Migration } from '@mikro-orm/migrations';

/**
 * What the Librarian has finished, by a hash of everything it depends on. A project belongs to one person; the person is
 * part of the key all the same, so that nobody is ever given what was written for somebody else.
 */
export class Summaries extends Migration {
  override up(): void {
    this.addSql(`create table summaries (
      user_id uuid not null references users (id) on delete cascade,
      project_id uuid not null references projects (id) on delete cascade,
      key text not null,
      summary text not null,
      created_at timestamptz(3) not null default now(),
      primary key (user_id, project_id, key)
    )`);
    this.addSql('create index summaries_age on summaries (user_id, project_id, created_at)');
    this.addSql('create index summaries_project on summaries (project_id)');
  }

  override down(): void {
    this.addSql('drop table summaries');
  }
}
