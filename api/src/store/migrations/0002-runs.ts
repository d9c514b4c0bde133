import { Migration } from '@mikro-orm/migrations';

export class Runs extends Migration {
  override up(): void {
    this.#createConversations();
    this.#createRuns();
    this.#createLog();
    this.#createStartRun();
  }

  override down(): void {
    this.addSql('drop function start_run');
    this.addSql('alter table conversations drop constraint conversations_head_id');
    this.addSql('drop table servers, run_decisions, run_chunks, runs, exchanges, conversations');
    this.addSql('drop function delete_run_logs');
  }

  /** Questions, answers, tool calls and endings are text: jsonb can hold neither NUL nor lone surrogates. */
  #createConversations(): void {
    this.addSql(`create table conversations (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      project_id uuid,
      title text not null,
      head_id uuid,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )`);
    this.addSql('create index conversations_user_id on conversations (user_id, updated_at desc, id desc)');
    this.addSql(`create table exchanges (
      id uuid primary key,
      conversation_id uuid not null references conversations (id) on delete cascade,
      parent_id uuid references exchanges (id) on delete cascade,
      run_id uuid not null unique,
      question text not null,
      answer text not null default '',
      partial boolean not null default true,
      label text,
      checkpoint boolean not null default false,
      tool_calls text not null default '[]',
      sources text not null default '[]',
      ending text,
      created_at timestamptz(3) not null default now()
    )`);
    this.addSql('create index exchanges_conversation_id on exchanges (conversation_id, created_at, id)');
    this.addSql('create index exchanges_parent_id on exchanges (parent_id)');
    this.addSql(`alter table conversations add constraint conversations_head_id
      foreign key (head_id) references exchanges (id) on delete set null`);
    this.addSql('create index conversations_head_id on conversations (head_id)');
  }

  #createRuns(): void {
    this.addSql('create table servers (id uuid primary key, heartbeat_at timestamptz not null)');
    this.addSql(`create table runs (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      conversation_id uuid not null references conversations (id) on delete cascade,
      node_id uuid not null unique references exchanges (id) on delete cascade,
      project_id uuid,
      question text not null,
      model text not null,
      decision_tree text not null,
      config jsonb not null,
      status text not null default 'RUNNING' check (status in ('RUNNING', 'ENDED')),
      reason text,
      ending text,
      turns integer,
      tokens integer,
      owner uuid,
      idempotency_key text,
      cancel_requested_at timestamptz(3),
      started_at timestamptz(3) not null default now(),
      ended_at timestamptz(3),
      last_seq integer,
      check ((status = 'ENDED') = (reason is not null))
    )`);
    this.addSql('create index runs_started_at on runs (started_at desc, id desc)');
    this.addSql('create index runs_user_id on runs (user_id, started_at desc, id desc)');
    this.addSql('create index runs_conversation_id on runs (conversation_id, started_at desc, id desc)');
    this.addSql('create index runs_reason on runs (reason, started_at desc, id desc)');
    this.addSql(`create unique index runs_one_active on runs (conversation_id) where status = 'RUNNING'`);
    this.addSql(`create index runs_active_user_id on runs (user_id) where status = 'RUNNING'`);
    this.addSql(`create index runs_active_owner on runs (owner) where status = 'RUNNING'`);
    this.addSql('create unique index runs_idempotency_key on runs (user_id, idempotency_key)');
  }

  /**
   * No foreign key from the log to its run: it would cost a look-up for every chunk, while the insert itself holds
   * the run's row. A run's log goes when the run goes, by trigger.
   */
  #createLog(): void {
    this.addSql(`create table run_chunks (
      run_id uuid not null,
      seq integer not null,
      at timestamptz(3) not null,
      type text not null,
      body text not null,
      primary key (run_id, seq)
    )`);
    this.addSql(`create table run_decisions (
      run_id uuid not null,
      number integer not null,
      turn integer not null,
      trace text not null,
      primary key (run_id, number)
    )`);
    this.addSql(`create function delete_run_logs() returns trigger language plpgsql as $$
      begin
        delete from run_chunks where run_id in (select id from deleted);
        delete from run_decisions where run_id in (select id from deleted);
        return null;
      end $$`);
    this.addSql(`create trigger delete_run_logs after delete on runs
      referencing old table as deleted for each statement execute function delete_run_logs()`);
  }

  /**
   * Everything that starting a run has to check and write, in one round trip. The user's row is locked, so that their
   * starts come one after the other: the same key twice, a busy conversation and the cap are decided without races.
   * Asked again with the same run id (the answer was lost), it says again what it said.
   */
  #createStartRun(): void {
    this.addSql(`create function start_run(
      new_run_id uuid, new_node_id uuid, new_conversation_id uuid, server_id uuid, asking_id uuid,
      in_conversation_id uuid, from_node_id uuid, in_project_id uuid, asked text, its_title text,
      its_model text, its_tree text, its_config jsonb, its_key text, most_at_once integer
    ) returns table (
      outcome text, run_id uuid, conversation_id uuid, node_id uuid, parent_id uuid, project_id uuid
    ) language plpgsql as $$
      #variable_conflict use_column
      declare
        talk conversations%rowtype;
        parent uuid;
        active uuid;
      begin
        perform 1 from users u where u.id = asking_id for no key update;

        return query
          select case when r.id = new_run_id then 'started' else 'joined' end,
            r.id, r.conversation_id, r.node_id, e.parent_id, r.project_id
          from runs r join exchanges e on e.id = r.node_id
          where r.user_id = asking_id and (r.id = new_run_id or r.idempotency_key = its_key);
        if found then return; end if;

        if in_conversation_id is not null then
          select c.* into talk from conversations c where c.id = in_conversation_id and c.user_id = asking_id;
          if not found then outcome := 'conversation-not-found'; return next; return; end if;
        end if;
        if from_node_id is not null then
          select c.* into talk from exchanges e join conversations c on c.id = e.conversation_id
          where e.id = from_node_id and c.user_id = asking_id and c.id = coalesce(in_conversation_id, c.id);
          if not found then outcome := 'node-not-found'; return next; return; end if;
        end if;

        select r.id into active from runs r where r.conversation_id = talk.id and r.status = 'RUNNING';
        if found then outcome := 'busy'; run_id := active; return next; return; end if;
        if (select count(*) from runs r where r.user_id = asking_id and r.status = 'RUNNING') >= most_at_once then
          outcome := 'too-many'; return next; return;
        end if;

        if talk.id is null then
          insert into conversations (id, user_id, project_id, title)
          values (new_conversation_id, asking_id, in_project_id, its_title)
          returning * into talk;
        else
          select coalesce(from_node_id, c.head_id) into parent from conversations c where c.id = talk.id;
        end if;
        insert into exchanges (id, conversation_id, parent_id, run_id, question)
        values (new_node_id, talk.id, parent, new_run_id, asked);
        return query insert into runs
          (id, user_id, conversation_id, node_id, project_id, question, model, decision_tree, config, owner, idempotency_key)
          values (new_run_id, asking_id, talk.id, new_node_id, coalesce(in_project_id, talk.project_id), asked,
            its_model, its_tree, its_config, server_id, its_key)
          returning 'started', id, conversation_id, node_id, parent, project_id;
      end $$`);
  }
}
