import { Migration } from '@mikro-orm/migrations';

/**
 * Whose a text is stands in its search vector as a word that no text can contain (words hold no blanks), so that a
 * search reads one person's matches from the index and nobody else's.
 */
const owner = (userId: string) => `array_to_tsvector(array['of ' || ${userId}::text])`;

export class ConversationTrees extends Migration {
  override up(): void {
    this.#changeConversations();
    this.#changeExchanges();
    this.#replaceStartRun();
  }

  override down(): void {
    throw new Error('This migration cannot be undone: what continued a run would be taken for a question.');
  }

  #changeConversations(): void {
    this.addSql(`alter table conversations
      add column active boolean not null default false,
      add column untitled boolean not null default false,
      add column kept_head_run_id uuid,
      add column search tsvector generated always as (${owner('user_id')} || to_tsvector('simple', left(title, 1000))) stored`);
    this.addSql(`create unique index conversations_active
      on conversations (user_id, coalesce(project_id, '00000000-0000-0000-0000-000000000000')) where active`);
    this.addSql('create index conversations_search on conversations using gin (search)');
  }

  #changeExchanges(): void {
    this.addSql(`alter table exchanges
      add column kind text not null default 'ASK' check (kind in ('ASK', 'CONTINUE', 'ANSWER_NOW')),
      add column search tsvector`);
    this.addSql(`create function describe_exchange() returns trigger language plpgsql as $$
      begin
        select ${owner('c.user_id')} || to_tsvector('simple', left(new.question, 32000)) into new.search
        from conversations c where c.id = new.conversation_id;
        return new;
      end $$`);
    this.addSql(`update exchanges e set search = ${owner('c.user_id')} || to_tsvector('simple', left(e.question, 32000))
      from conversations c where c.id = e.conversation_id`);
    this.addSql(`create trigger describe_exchange before insert or update of question on exchanges
      for each row execute function describe_exchange()`);
    this.addSql('create index exchanges_search on exchanges using gin (search)');
  }

  /** As before, and it notes what kind of exchange it is, that the conversation is in use, and its title. */
  #replaceStartRun(): void {
    this.addSql('drop function start_run');
    this.addSql(`create function start_run(
      new_run_id uuid, new_node_id uuid, new_conversation_id uuid, server_id uuid, asking_id uuid,
      in_conversation_id uuid, from_node_id uuid, in_project_id uuid, asked text, its_title text,
      its_model text, its_tree text, its_config jsonb, its_key text, most_at_once integer, its_kind text
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
          update conversations c set updated_at = clock_timestamp(), untitled = false,
            title = case when c.untitled then its_title else c.title end
          where c.id = talk.id
          returning coalesce(from_node_id, c.head_id) into parent;
        end if;
        insert into exchanges (id, conversation_id, parent_id, run_id, question, kind)
        values (new_node_id, talk.id, parent, new_run_id, asked, its_kind);
        return query insert into runs
          (id, user_id, conversation_id, node_id, project_id, question, model, decision_tree, config, owner, idempotency_key)
          values (new_run_id, asking_id, talk.id, new_node_id, coalesce(in_project_id, talk.project_id), asked,
            its_model, its_tree, its_config, server_id, its_key)
          returning 'started', id, conversation_id, node_id, parent, project_id;
      end $$`);
  }
}
