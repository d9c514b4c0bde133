import { Migration } from '@mikro-orm/migrations';

/** As a word of the search vector, the project narrows the index to the rows of one project. */
const project = 'array_to_tsvector(array[project_id::text])';
const names = ['title', "translate(path, '/._-', '    ')"].map((text) => `searchable(${text})`);
const [title, path] = names;

/** Only the first 100 000 characters can be found: PostgreSQL refuses a search vector of more than a megabyte. */
const noteVector = `${project} ||
  setweight(to_tsvector('english', ${title}), 'A') || setweight(to_tsvector('simple', ${title}), 'A') ||
  setweight(to_tsvector('english', ${path}), 'B') || setweight(to_tsvector('simple', ${path}), 'B') ||
  setweight(to_tsvector('english', translate(searchable(left(body, 100000)), '/', ' ')), 'D')`;

const nameVector = `${project} || ${names.map((text) => `to_tsvector('english', ${text}) || to_tsvector('simple', ${text})`).join(' || ')}`;

const entryVector = `${project} || setweight(to_tsvector('english', searchable(title)), 'B') ||
  setweight(to_tsvector('english', translate(searchable(left(text, 100000)), '/', ' ')), 'D')`;

/** A long list of entries that wait to be indexed would be read through by every search. */
const searchIndex = (table: string, column: string) =>
  `create index ${table}_${column} on ${table} using gin (${column}) with (gin_pending_list_limit = 512)`;

export class Knowledge extends Migration {
  override up(): void {
    this.#createSearch();
    this.#createLinks();
    this.#createSaveNotes();
    this.#createThreads();
    this.#createAppendEntries();
    this.addSql('create index conversations_project_id on conversations (project_id)');
  }

  override down(): void {
    this.addSql('drop index conversations_project_id');
    this.addSql('drop table thread_entries, threads, note_links');
    this.addSql('drop function append_entries, save_notes, note_linked_as');
    this.addSql('alter table notes drop column names, drop column name, drop column search');
    this.addSql('drop function searchable');
    this.addSql(`alter table notes add column search tsvector generated always as (
      setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('simple', title), 'A') ||
      setweight(to_tsvector('english', translate(path, '/._-', '    ')), 'B') ||
      setweight(to_tsvector('simple', translate(path, '/._-', '    ')), 'B') ||
      setweight(to_tsvector('english', translate(left(body, 100000), '/', ' ')), 'D')) stored`);
    this.addSql('create index notes_search on notes using gin (search)');
  }

  /** Words are found with and without their accents: the marks are taken off the letters, and of plain text nothing. */
  #createSearch(): void {
    this.addSql(`create function searchable(given text) returns text language sql immutable strict parallel safe
      return case
        when octet_length(given) = length(given) then given
        else translate(
          normalize(regexp_replace(normalize(given, NFD), '[\\u0300-\\u036f]+', '', 'g'), NFC), 'øØłŁđĐı', 'oolLdDi')
      end`);
    this.addSql('alter table notes drop column search');
    this.addSql(`alter table notes
      add column search tsvector generated always as (${noteVector}) stored,
      add column names tsvector generated always as (${nameVector}) stored,
      add column name text generated always as (regexp_replace(path, '^.*/', '')) stored`);
    this.addSql(searchIndex('notes', 'search'));
    this.addSql(searchIndex('notes', 'names'));
    this.addSql('create index notes_name on notes (project_id, name)');
  }

  /** Where a link leads is not kept: it is looked up, so that notes can come and go without their links being touched. */
  #createLinks(): void {
    this.addSql(`create table note_links (
      note_id uuid not null references notes (id) on delete cascade,
      project_id uuid not null,
      target text not null,
      line integer not null,
      times integer not null
    )`);
    this.addSql('create index note_links_note_id on note_links (note_id, line)');
    this.addSql('create index note_links_target on note_links (project_id, target)');
    // The whole path, or a name alone when only one note in the project has it; .md may be left out.
    this.addSql(`create function note_linked_as(in_project uuid, link text) returns uuid language sql stable as $$
      select id from (
        (select id, 1 as choice from notes where project_id = in_project and path = link)
        union all
        (select id, 2 from notes where project_id = in_project and path = link || '.md')
        union all
        (select (array_agg(id))[1], 3 from notes
          where project_id = in_project and name in (link, link || '.md') having count(*) = 1)
      ) as found order by choice limit 1
    $$`);
  }

  /**
   * Saves notes and their links in one step. Each statement in it sees what other writers have committed by then, and
   * the rows stay locked to the end, so that of two who expect the same text only one is let through. Moving a note
   * takes the same lock for itself alone.
   */
  #createSaveNotes(): void {
    const wanted = `json_to_recordset(given) as wanted
      (path text, title text, body text, hash text, expected text, links json)`;
    this.addSql(`create function save_notes(in_project uuid, given json) returns table (path text, outcome text)
      language plpgsql as $$
      #variable_conflict use_column
      declare
        created uuid[];
        changed uuid[];
      begin
        perform pg_advisory_xact_lock_shared(hashtextextended(in_project::text, 5));

        with made as (
          insert into notes (id, project_id, path, title, body, hash)
          select gen_random_uuid(), in_project, wanted.path, title, body, hash from ${wanted}
          where coalesce(expected, '') = ''
          order by wanted.path
          on conflict (project_id, path) do nothing
          returning id
        ) select coalesce(array_agg(id), '{}') into created from made;

        perform 1 from notes
        where project_id = in_project and notes.path in (select wanted.path from ${wanted})
        order by notes.path for update;

        with edited as (
          update notes set title = wanted.title, body = wanted.body, hash = wanted.hash, updated_at = now()
          from ${wanted}
          where project_id = in_project and notes.path = wanted.path and notes.hash <> wanted.hash
            and coalesce(expected, notes.hash) = notes.hash
          returning notes.id
        ) select coalesce(array_agg(id), '{}') into changed from edited;

        delete from note_links where note_id = any (changed);
        insert into note_links (note_id, project_id, target, line, times)
        select notes.id, in_project, link.target, link.line, link.times
        from ${wanted} join notes on project_id = in_project and notes.path = wanted.path
          cross join json_to_recordset(wanted.links) as link (target text, line integer, times integer)
        where notes.id = any (created || changed);

        return query
          select wanted.path, case
            when notes.id = any (created) then 'created'
            when notes.id = any (changed) then 'replaced'
            when notes.hash = wanted.hash then 'unchanged'
            else 'conflict'
          end
          from ${wanted} left join notes on project_id = in_project and notes.path = wanted.path;
      end $$`);
  }

  #createThreads(): void {
    this.addSql(`create table threads (
      id uuid primary key,
      project_id uuid not null references projects (id) on delete cascade,
      title text not null,
      key text not null,
      entry_count integer not null default 0,
      archived_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      unique (project_id, key)
    )`);
    this.addSql('create index threads_project_id on threads (project_id, updated_at desc, id desc)');
    this.addSql(`create table thread_entries (
      id uuid primary key,
      thread_id uuid not null references threads (id) on delete cascade,
      project_id uuid not null,
      number integer not null,
      kind text not null check (kind in ('THOUGHT', 'DECISION', 'RESEARCH', 'INSIGHT')),
      title text not null,
      text text not null,
      author text,
      run_id uuid,
      hash text not null,
      created_at timestamptz(3) not null default now(),
      search tsvector generated always as (${entryVector}) stored,
      unique (thread_id, number)
    )`);
    this.addSql('create index thread_entries_hash on thread_entries (thread_id, hash)');
    this.addSql(searchIndex('thread_entries', 'search'));
  }

  /**
   * Puts entries at the end of their threads, which are made when they are named for the first time. The threads stay
   * locked to the end, so that entries are numbered without gaps. With \`once\`, what a thread holds already, word for
   * word, is passed over. Entries of threads that do not exist are missing from the answer.
   */
  #createAppendEntries(): void {
    const wanted = `(
      select ordinal, entry.* from json_array_elements(given) with ordinality as item (value, ordinal)
      cross join json_to_record(value) as entry
        (thread uuid, title text, key text, kind text, text text, author text, run uuid, at timestamptz, hash text)
    ) as wanted`;
    const belongs = `threads.project_id = in_project
      and case when wanted.thread is null then threads.key = wanted.key else threads.id = wanted.thread end`;
    this.addSql(`create function append_entries(in_project uuid, given json, once boolean)
      returns table (ordinal integer, id uuid, number integer) language plpgsql as $$
      #variable_conflict use_column
      declare
        known uuid[];
      begin
        insert into threads (id, project_id, title, key, created_at, updated_at)
        select distinct on (wanted.key) gen_random_uuid(), in_project, wanted.title, wanted.key,
          min(coalesce(at, now())) over (partition by wanted.key), min(coalesce(at, now())) over (partition by wanted.key)
        from ${wanted} where thread is null order by wanted.key, ordinal
        on conflict (project_id, key) do nothing;

        select array_agg(locked.id) into known from (
          select threads.id from threads
          where project_id = in_project and (
            threads.id in (select thread from ${wanted}) or
            threads.key in (select wanted.key from ${wanted} where thread is null))
          order by key for update
        ) as locked;

        return query
          with fitting as (
            select wanted.ordinal, threads.id as thread_id, threads.title, kind, text, author, run, at, hash,
              entry_count, row_number() over (partition by threads.id, hash order by wanted.ordinal) as copy
            from ${wanted} join threads on ${belongs}
            where threads.id = any (known)
          ), fresh as (
            select *, entry_count + row_number() over (partition by thread_id order by ordinal) as number
            from fitting
            where not once or (copy = 1 and not exists (
              select from thread_entries as held where held.thread_id = fitting.thread_id and held.hash = fitting.hash))
          ), added as (
            insert into thread_entries
              (id, thread_id, project_id, number, kind, title, text, author, run_id, hash, created_at)
            select gen_random_uuid(), thread_id, in_project, number, kind, title, text, author, run, hash,
              coalesce(at, now())
            from fresh
            returning id, thread_id, number, created_at
          ), counted as (
            update threads set entry_count = entry_count + held.added, archived_at = null,
              updated_at = greatest(updated_at, latest)
            from (select thread_id, count(*) as added, max(created_at) as latest from added group by thread_id) as held
            where threads.id = held.thread_id
          )
          select fitting.ordinal::integer, added.id, added.number
          from fitting
            left join fresh using (ordinal)
            left join added on added.thread_id = fresh.thread_id and added.number = fresh.number
          order by 1;
      end $$`);
  }
}
