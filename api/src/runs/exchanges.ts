import type { EntityManager } from '@mikro-orm/postgresql';
import DataLoader from 'dataloader';
import { isIdentifier } from '../access/identifier.ts';
import type { Database } from '../store/database.ts';
import { Exchange } from '../store/entities/exchange.ts';
import type { Sql } from '../store/sql.ts';
import { readRecords } from './log-reading.ts';

/** While its run is under way: as far as the stored log tells it. What may be long is read by `work`. */
export type ExchangeRecord = Readonly<Omit<Exchange, 'toolCalls' | 'sources'>>;
export type ExchangeWork = Readonly<Pick<Exchange, 'toolCalls' | 'sources'>>;

/** Reads exchanges: by id, along a path, or page by page. None of it costs more in a bigger conversation. */
export class Exchanges {
  readonly #work: DataLoader<ExchangeRecord, ExchangeWork>;
  readonly #childCounts: DataLoader<string, number>;

  constructor(
    private readonly database: Database,
    private readonly sql: Sql,
  ) {
    this.#work = new DataLoader((exchanges) => this.#loadWork(exchanges), { cache: false });
    this.#childCounts = new DataLoader((ids) => this.#countChildren(ids), { cache: false });
  }

  async find(id: string): Promise<ExchangeRecord | undefined> {
    if (!isIdentifier(id)) return undefined;
    return (await this.#read('exchange', `select ${columns} from exchanges e where e.id = $1`, [id]))[0];
  }

  /** The path from the root to this exchange, root first, at most the newest `limit` of it. */
  path(nodeId: string, limit: number): Promise<readonly ExchangeRecord[]> {
    return this.#read('path', pathToNode, [nodeId, limit]);
  }

  /** Exchanges of all branches, oldest first. Behind `after` when it is one of the conversation's. */
  page(conversationId: string, first: number, after?: ExchangeRecord): Promise<readonly ExchangeRecord[]> {
    const from = after ?? theBeginning;
    return this.#read('exchange-page', nextExchanges, [conversationId, first, from.createdAt, from.id]);
  }

  /** The tool calls with their results, and the sources. */
  work(exchange: ExchangeRecord): Promise<ExchangeWork> {
    return this.#work.load(exchange);
  }

  /** How many exchanges follow this one directly. */
  childCount(id: string): Promise<number> {
    return this.#childCounts.load(id);
  }

  async #read(name: string, text: string, values: readonly unknown[]): Promise<readonly ExchangeRecord[]> {
    const em = this.database.fork();
    const rows = await this.sql.query<Row>(name, text, values);
    return this.#filled(rows.map((row) => exchangeOf(em, row)));
  }

  /** What is under way has its answer in the log only. */
  async #filled(exchanges: readonly Exchange[]): Promise<readonly ExchangeRecord[]> {
    const running = exchanges.filter((exchange) => exchange.ending === null);
    if (running.length === 0) return exchanges;
    const records = await readRecords(
      this.sql,
      running.map((exchange) => exchange.runId),
    );
    for (const exchange of running) exchange.answer = records.get(exchange.runId)?.answer ?? exchange.answer;
    return exchanges;
  }

  async #loadWork(exchanges: readonly ExchangeRecord[]): Promise<readonly ExchangeWork[]> {
    const running = exchanges.filter(({ ending }) => ending === null).map(({ runId }) => runId);
    const ended = exchanges.filter(({ ending }) => ending !== null).map(({ id }) => id);
    const [records, rows] = await Promise.all([
      running.length === 0 ? new Map<string, ExchangeWork>() : readRecords(this.sql, running),
      ended.length === 0 ? [] : this.sql.query<WorkRow>('exchange-work', workOf, [ended]),
    ]);
    const stored = new Map(
      rows.map(({ id, tool_calls, sources }): [string, ExchangeWork] => [
        id,
        { toolCalls: JSON.parse(tool_calls), sources: JSON.parse(sources) },
      ]),
    );
    return exchanges.map(({ id, runId }) => stored.get(id) ?? records.get(runId) ?? { toolCalls: [], sources: [] });
  }

  async #countChildren(ids: readonly string[]): Promise<readonly number[]> {
    const rows = await this.sql.query<{ id: string; count: number }>('child-counts', childCounts, [ids]);
    const counts = new Map(rows.map(({ id, count }) => [id, count]));
    return ids.map((id) => counts.get(id) ?? 0);
  }
}

type Row = Readonly<Record<string, unknown>>;

interface WorkRow {
  readonly id: string;
  readonly tool_calls: string;
  readonly sources: string;
}

/** All that is read of every exchange; tool calls and sources may be long and are read when somebody asks. */
const columns = [
  ...['id', 'conversation_id', 'parent_id', 'run_id', 'kind', 'question', 'answer', 'partial', 'label'],
  ...['checkpoint', 'ending', 'created_at'],
]
  .map((name) => `e.${name}`)
  .join(', ');

/** Climbs by primary key, carrying ids only, and then reads what it passed. */
const pathToNode = `
  with recursive path as (
    select id, parent_id, 1 as distance from exchanges where id = $1 and $2 > 0
    union all
    select e.id, e.parent_id, path.distance + 1 from path join exchanges e on e.id = path.parent_id
    where path.distance < $2
  )
  select ${columns} from path join exchanges e on e.id = path.id order by path.distance desc`;

const theBeginning = { createdAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

const nextExchanges = `
  select ${columns} from exchanges e
  where e.conversation_id = $1 and (e.created_at, e.id) > ($3::timestamptz, $4::uuid)
  order by e.created_at, e.id limit $2`;

const workOf = 'select id, tool_calls, sources from exchanges where id = any($1::uuid[])';

const childCounts = `
  select parent_id as id, count(*)::int as count from exchanges where parent_id = any($1::uuid[]) group by parent_id`;

function exchangeOf(em: EntityManager, row: Row): Exchange {
  return em.map(Exchange, row as never);
}
