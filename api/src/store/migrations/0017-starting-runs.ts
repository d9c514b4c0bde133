import { Migration } from '@mikro-orm/migrations';

/**
 * Starting a run costs the same however many runs a person has and however many are under way, also while PostgreSQL
 * knows nothing yet about a new database: each question of `start_run` has one index that fits it, and of equally good
 * ones PostgreSQL takes the newest. And a run stands in a third fewer indexes when it begins.
 */
export class StartingRuns extends Migration {
  override up(): void {
    this.addSql('drop index runs_activity, runs_user_id');
    this.addSql('create index runs_user_id on runs (user_id, started_at desc, id desc) include (tokens)');
    this.addSql('drop index runs_reason, runs_user_id_reason');
    this.addSql('create index runs_reason on runs (reason, started_at desc, id desc) where reason is not null');
    this.addSql(`create index runs_user_id_reason on runs (user_id, reason, started_at desc, id desc)
      where reason is not null`);
    this.addSql('drop index runs_idempotency_key');
    this.addSql(`create unique index runs_idempotency_key on runs (idempotency_key, user_id)
      where idempotency_key is not null`);
    this.addSql('drop index runs_active_user_id');
    this.addSql(`create index runs_active_user_id on runs (user_id, conversation_id) where status = 'RUNNING'`);
    this.#replaceStartRun(byId + byKey, inConversation);
  }

  override down(): void {
    this.#replaceStartRun(byEither, anywhere);
    this.addSql('drop index runs_active_user_id, runs_idempotency_key, runs_user_id_reason, runs_reason, runs_user_id');
    this.addSql('create index runs_user_id on runs (user_id, started_at desc, id desc)');
    this.addSql('create index runs_reason on runs (reason, started_at desc, id desc)');
    this.addSql('create index runs_user_id_reason on runs (user_id, reason, started_at desc, id desc)');
    this.addSql(`create index runs_active_user_id on runs (user_id) where status = 'RUNNING'`);
    this.addSql('create unique index runs_idempotency_key on runs (user_id, idempotency_key)');
    this.addSql('create index runs_activity on runs (user_id, started_at) include (tokens)');
  }

  #replaceStartRun(known: string, active: string): void {
    this.addSql(`create or replace function start_run(
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
        ${known}
        if in_conversation_id is not null then
          select c.* into talk from conversations c where c.id = in_conversation_id and c.user_id = asking_id;
          if not found then outcome := 'conversation-not-found'; return next; return; end if;
        end if;
        if from_node_id is not null then
          select c.* into talk from exchanges e join conversations c on c.id = e.conversation_id
          where e.id = from_node_id and c.user_id = asking_id and c.id = coalesce(in_conversation_id, c.id);
          if not found then outcome := 'node-not-found'; return next; return; end if;
        end if;
        ${active}
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

const columns = 'r.id, r.conversation_id, r.node_id, e.parent_id, r.project_id';

/** Started before, and the answer was lost. */
const byId = `
        return query select 'started', ${columns} from runs r join exchanges e on e.id = r.node_id
          where r.id = new_run_id;
        if found then return; end if;`;

/** Asked for before, by the same key. */
const byKey = `
        if its_key is not null then
          return query select 'joined', ${columns}
            from (select * from runs k where k.idempotency_key = its_key offset 0) r
            join exchanges e on e.id = r.node_id
            where r.user_id = asking_id;
          if found then return; end if;
        end if;`;

const byEither = `
        return query
          select case when r.id = new_run_id then 'started' else 'joined' end, ${columns}
          from runs r join exchanges e on e.id = r.node_id
          where r.user_id = asking_id and (r.id = new_run_id or r.idempotency_key = its_key);
        if found then return; end if;`;

const inConversation = `
        if talk.id is not null then
          select r.id into active from runs r
          where r.user_id = asking_id and r.conversation_id = talk.id and r.status = 'RUNNING';
          if found then outcome := 'busy'; run_id := active; return next; return; end if;
        end if;`;

const anywhere = `
        select r.id into active from runs r where r.conversation_id = talk.id and r.status = 'RUNNING';
        if found then outcome := 'busy'; run_id := active; return next; return; end if;`;
