import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import DataLoader from 'dataloader';
import { isIdentifier } from '../access/identifier.ts';
import type { FieldProblem } from '../agent/settings.ts';
import { announce } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import { Conversation } from '../store/entities/conversation.ts';
import { Exchange } from '../store/entities/exchange.ts';
import { type Page, type PageRequest, pageOf } from '../store/page.ts';
import { checkLabel, checkTitle } from './names.ts';
import { prunable, type TreeNode } from './prune.ts';
import { mentioning } from './search.ts';

export type ConversationRecord = Readonly<Conversation>;

export type Named<Row> =
  | { readonly type: 'saved'; readonly row: Row }
  | { readonly type: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** Deleted a moment ago. */
  | { readonly type: 'missing' };

export interface ConversationList extends PageRequest {
  readonly userId: string;
  readonly projectId?: string | undefined;
  readonly search?: string | undefined;
}

export interface DeletedConversation {
  readonly id: string;
  readonly exchangeCount: number;
  readonly cancelledRunId: string | null;
}

export type PrunedExchange = Readonly<Pick<Exchange, 'id' | 'parentId' | 'question' | 'label' | 'createdAt'>>;

export interface Pruned {
  readonly preview: boolean;
  readonly ids: readonly string[];
  /** The oldest of them. */
  readonly exchanges: readonly PrunedExchange[];
}

interface Ports {
  /** Ends a run; resolves when it has ended, or after a while. */
  cancel(runId: string): Promise<unknown>;
}

const newTitle = 'New conversation';
const triesToCancel = 3;
/** So many of the exchanges that pruning takes are told in full; the ids of all are. */
export const mostShown = 200;
/** Further than any log goes. */
const endOfLog = 2 ** 31 - 1;

/**
 * Conversations as a person arranges them. What changes a tree locks its owner's row, as starting a run does, so that
 * nothing is asked from an exchange that is being taken away. Who may ask is the caller's to check.
 */
export class ConversationService {
  readonly #activeRuns: DataLoader<string, string | null>;
  readonly #counts: DataLoader<string, number>;

  constructor(
    private readonly database: Database,
    private readonly ports: Ports,
  ) {
    this.#activeRuns = this.#loader<string, null>(activeRuns, null);
    this.#counts = this.#loader<number, number>(exchangeCounts, 0);
  }

  async find(id: string): Promise<ConversationRecord | undefined> {
    if (!isIdentifier(id)) return undefined;
    return (await this.database.fork().findOne(Conversation, { id })) ?? undefined;
  }

  /** The last used one first. */
  async list({ userId, projectId, search = '', ...request }: ConversationList): Promise<Page<ConversationRecord>> {
    const project = projectId === undefined ? {} : { projectId: isIdentifier(projectId) ? projectId : nobody };
    return pageOf(this.database.fork(), Conversation, {
      ...request,
      where: { userId, ...project, ...(search.trim() === '' ? {} : { [mentioning(userId, search)]: [] }) },
      orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
    });
  }

  /** The one that somebody is in now, in a project. */
  async active(userId: string, projectId: string): Promise<ConversationRecord | undefined> {
    return (await this.database.fork().findOne(Conversation, { userId, projectId, active: true })) ?? undefined;
  }

  activeRunId({ id }: ConversationRecord): Promise<string | null> {
    return this.#activeRuns.load(id);
  }

  exchangeCount({ id }: ConversationRecord): Promise<number> {
    return this.#counts.load(id);
  }

  /** Without a title it takes that of its first question. */
  async create(userId: string, projectId: string, title: string | undefined): Promise<Named<ConversationRecord>> {
    const checked = title === undefined ? ({ type: 'accepted', name: newTitle } as const) : checkTitle(title);
    if (checked.type === 'invalid') return checked;
    const em = this.database.fork();
    const row = em.create(Conversation, {
      ...{ id: randomUUID(), userId, projectId, headId: null, active: false },
      title: checked.name,
      untitled: title === undefined,
    });
    await em.flush();
    return { type: 'saved', row };
  }

  async rename({ id }: ConversationRecord, title: string): Promise<Named<ConversationRecord>> {
    const checked = checkTitle(title);
    if (checked.type === 'invalid') return checked;
    const em = this.database.fork();
    await em.nativeUpdate(Conversation, { id }, { title: checked.name, untitled: false });
    return saved(await em.findOne(Conversation, { id }));
  }

  /** Makes it the one that its owner is in now; whichever was so in the same project no longer is. */
  async activate({ id, userId, projectId }: ConversationRecord): Promise<ConversationRecord | undefined> {
    return this.#holding(userId, async (em) => {
      const others = { userId, projectId: projectId ?? null, active: true, id: { $ne: id } };
      await em.nativeUpdate(Conversation, others, { active: false });
      await em.nativeUpdate(Conversation, { id }, { active: true });
      return (await em.findOne(Conversation, { id })) ?? undefined;
    });
  }

  /** A run under way in it is cancelled first, and its readers see its end. Undefined when it was gone already. */
  async delete({ id, userId }: ConversationRecord): Promise<DeletedConversation | undefined> {
    let cancelledRunId: string | null = null;
    for (let tries = 1; tries <= triesToCancel; tries += 1) {
      const runId = await this.#activeRuns.load(id);
      if (runId === null || runId === cancelledRunId) break; // none, or one that does not listen
      cancelledRunId = runId;
      await this.ports.cancel(runId);
    }
    return this.#holding(userId, async (em) => {
      const [runId, exchangeCount] = await Promise.all([
        activeRunOf(em, id),
        em.count(Exchange, { conversationId: id }),
      ]);
      if ((await em.nativeDelete(Conversation, { id })) === 0) return undefined;
      // It would not end in time. Whoever reads its log looks for more, finds it gone, and is done.
      if (runId) await announce(em, { type: 'run-appended', serverId: null, runs: [[runId, endOfLog]] });
      await announce(em, { type: 'runs-removed', userId });
      return { id, exchangeCount, cancelledRunId };
    });
  }

  /** The next question follows this exchange, also when a run that is under way ends later. */
  async checkout(
    userId: string,
    exchange: Pick<Exchange, 'id' | 'conversationId'>,
  ): Promise<ConversationRecord | undefined> {
    const { id: headId, conversationId: id } = exchange;
    return this.#holding(userId, async (em) => {
      await em.execute(moveHead, [headId, id, headId]);
      return (await em.findOne(Conversation, { id })) ?? undefined;
    });
  }

  /** Null takes the label away. False when the exchange is gone. */
  async label(id: string, label: string | null): Promise<Named<true>> {
    const checked = label === null ? ({ type: 'accepted', name: null } as const) : checkLabel(label);
    if (checked.type === 'invalid') return checked;
    const changed = await this.database.fork().nativeUpdate(Exchange, { id }, { label: checked.name });
    return changed === 0 ? { type: 'missing' } : { type: 'saved', row: true };
  }

  async checkpoint(userId: string, id: string, checkpoint: boolean): Promise<boolean> {
    return this.#holding(userId, async (em) => (await em.nativeUpdate(Exchange, { id }, { checkpoint })) > 0);
  }

  /** Takes away the branches that nothing keeps; as a preview, only tells which. */
  async prune({ id, userId }: ConversationRecord, preview: boolean): Promise<Pruned> {
    return this.#holding(userId, async (em) => {
      const nodes = await em.execute<(TreeNode & { readonly headId: string | null })[]>(skeleton, [id]);
      const ids = prunable(nodes, nodes[0]?.headId ?? null).map((node) => node.id);
      const exchanges = await em.find(
        Exchange,
        { id: { $in: ids.slice(0, mostShown) } },
        { fields: ['id', 'parentId', 'question', 'label', 'createdAt'], orderBy: { createdAt: 'asc', id: 'asc' } },
      );
      if (!preview && ids.length > 0) {
        await em.execute(deleteExchanges, [JSON.stringify(ids)]);
        await announce(em, { type: 'runs-removed', userId });
      }
      return { preview, ids, exchanges };
    });
  }

  #holding<Result>(userId: string, work: (em: EntityManager) => Promise<Result>): Promise<Result> {
    return this.database.fork().transactional(async (em) => {
      await em.execute('select 1 from users where id = ? for no key update', [userId]);
      return work(em);
    });
  }

  #loader<Value, Default>(sql: string, otherwise: Default): DataLoader<string, Value | Default> {
    return new DataLoader(
      async (ids) => {
        const rows = await this.database.fork().execute<{ id: string; value: Value }[]>(sql, [JSON.stringify(ids)]);
        const values = new Map(rows.map(({ id, value }) => [id, value]));
        return ids.map((id) => values.get(id) ?? otherwise);
      },
      { cache: false },
    );
  }
}

const nobody = '00000000-0000-0000-0000-000000000000';

function saved(row: Conversation | null): Named<ConversationRecord> {
  return row ? { type: 'saved', row } : { type: 'missing' };
}

async function activeRunOf(em: EntityManager, id: string): Promise<string | undefined> {
  const [row] = await em.execute<{ value: string }[]>(activeRuns, [JSON.stringify([id])]);
  return row?.value;
}

const given = 'select value::uuid from json_array_elements_text(?) as value';

const activeRuns = `
  select conversation_id as id, id as value from runs where status = 'RUNNING' and conversation_id in (${given})`;

const exchangeCounts = `
  select conversation_id as id, count(*)::int as value from exchanges
  where conversation_id in (${given}) group by conversation_id`;

const moveHead = `
  update conversations c set head_id = ?,
    kept_head_run_id = (select r.id from runs r where r.conversation_id = c.id and r.status = 'RUNNING')
  where c.id = ? and exists (select from exchanges e where e.id = ? and e.conversation_id = c.id)`;

const skeleton = `
  select e.id, e.parent_id as "parentId", e.checkpoint, e.ending is null as running, c.head_id as "headId"
  from exchanges e join conversations c on c.id = e.conversation_id
  where e.conversation_id = ? order by e.created_at, e.id`;

const deleteExchanges = `delete from exchanges where id in (${given})`;
