import { Migration } from '@mikro-orm/migrations';

/**
 * A file is kept in pieces of whole lines: a search reads the few pieces that it shows. The words of a piece come from
 * the product rather than from PostgreSQL's parser, which knows prose and not identifiers.
 */
export class Code extends Migration {
  override up(): void {
    this.addSql(`create table code_files (
      id uuid primary key,
      project_id uuid not null references projects (id) on delete cascade,
      path text not null,
      language text,
      bytes integer not null,
      lines integer not null,
      hash text not null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      unique (project_id, path)
    )`);
    this.addSql(`create table code_pieces (
      file_id uuid not null references code_files (id) on delete cascade,
      line integer not null,
      end_line integer not null,
      text text not null,
      words tsvector not null,
      primary key (file_id, line)
    )`);
    this.addSql('create index code_pieces_words on code_pieces using gin (words)');
    this.addSql(`create table code_symbols (
      file_id uuid not null references code_files (id) on delete cascade,
      number integer not null,
      project_id uuid not null,
      name text collate "C" not null,
      kind text not null,
      signature text not null,
      container text,
      line integer not null,
      end_line integer not null,
      primary key (file_id, number)
    )`);
    this.addSql('create index code_symbols_name on code_symbols (project_id, name)');
    this.addSql('create index code_symbols_lower_name on code_symbols (project_id, (lower(name)) text_pattern_ops)');
    this.addSql(`create table code_uses (
      file_id uuid not null references code_files (id) on delete cascade,
      name text collate "C" not null,
      project_id uuid not null,
      lines integer[] not null,
      primary key (file_id, name)
    )`);
    this.addSql('create index code_uses_name on code_uses (project_id, name)');
    // What the import command brought from where, by which it sees what has changed or gone since.
    this.addSql(`create table imported_files (
      project_id uuid not null references projects (id) on delete cascade,
      kind text not null,
      path text not null,
      source text not null,
      hash text not null,
      primary key (project_id, kind, path)
    )`);
  }

  override down(): void {
    this.addSql('drop table imported_files, code_uses, code_symbols, code_pieces, code_files');
  }
}
