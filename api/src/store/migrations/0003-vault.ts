import { Migration } from '@mikro-orm/migrations';

/**
 * Only the first 100 000 characters of a body can be found by search: PostgreSQL refuses a search vector of more than a
 * megabyte, and so would the note be refused. Names are also kept unstemmed, so that the beginning of a word finds them.
 */
const searchVector = `
  setweight(to_tsvector('english', title), 'A') ||
  setweight(to_tsvector('simple', title), 'A') ||
  setweight(to_tsvector('english', translate(path, '/._-', '    ')), 'B') ||
  setweight(to_tsvector('simple', translate(path, '/._-', '    ')), 'B') ||
  setweight(to_tsvector('english', translate(left(body, 100000), '/', ' ')), 'D')`;

export class VaultOfNotes extends Migration {
  override up(): void {
    this.addSql(`create table projects (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      name text not null,
      is_default boolean not null default false,
      created_at timestamptz(3) not null default now()
    )`);
    this.addSql('create index projects_user_id on projects (user_id)');
    this.addSql('create unique index projects_default on projects (user_id) where is_default');
    this.addSql(`create table notes (
      id uuid primary key,
      project_id uuid not null references projects (id) on delete cascade,
      path text not null,
      title text not null,
      body text not null,
      hash text not null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      search tsvector generated always as (${searchVector}) stored,
      unique (project_id, path)
    )`);
    this.addSql('create index notes_search on notes using gin (search)');
  }

  override down(): void {
    this.addSql('drop table notes, projects');
  }
}
