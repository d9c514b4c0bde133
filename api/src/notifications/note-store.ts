import type { Database } from '../store/database.ts';
import type { ExchangeToolCall } from '../store/entities/exchange.ts';
import { hashOf } from '../vault/note-text.ts';
import type { NoteState, ReadNote } from './read-notes.ts';

/** What a conversation did to notes: texts it wrote, and where it moved them. */
export interface OwnWork {
  wrote(state: NoteState): boolean;
  moved(state: NoteState): boolean;
}

const mostNotes = 200;

/** What the database knows about notes that conversations have read. */
export class NoteStore {
  constructor(private readonly database: Database) {}

  /** What the exchanges up to this one cite, each note as it was last read. */
  async readNotes(exchangeId: string): Promise<readonly ReadNote[]> {
    const rows = await this.database.fork().execute<CitedRow[]>(citedSql, [exchangeId]);
    return rows.map(({ path, title, id, hash, ended_at }) => ({
      path,
      title: title ?? undefined,
      known: id !== null && hash !== null ? { id, hash } : { readBefore: new Date(ended_at) },
    }));
  }

  /** Those notes as they stand, and whatever stands at their paths. */
  async states(projectId: string, notes: readonly ReadNote[]): Promise<readonly NoteState[]> {
    const ids = notes.flatMap(({ known }) => ('id' in known ? [known.id] : []));
    const paths = notes.map(({ path }) => path);
    const rows = await this.database
      .fork()
      .execute<(Omit<NoteState, 'updatedAt'> & { readonly updated_at: Date })[]>(statesSql, [
        JSON.stringify(ids),
        projectId,
        JSON.stringify(paths),
      ]);
    return rows.map(({ updated_at, ...state }) => ({ ...state, updatedAt: new Date(updated_at) }));
  }

  /** What the exchanges up to this one did with `vault_write` and `vault_move`. */
  async ownWork(exchangeId: string): Promise<OwnWork> {
    const rows = await this.database.fork().execute<{ tool_calls: string }[]>(ownSql, [exchangeId]);
    const calls = rows.flatMap(({ tool_calls }): readonly ExchangeToolCall[] => JSON.parse(tool_calls));
    const done = calls.filter(({ fate }) => fate === 'succeeded');
    const written = new Set(
      done.filter(({ name }) => name === 'vault_write').map((call) => `${resultPath(call)}\n${writtenHash(call)}`),
    );
    const moved = new Set(done.filter(({ name }) => name === 'vault_move').map(resultPath));
    return { wrote: ({ path, hash }) => written.has(`${path}\n${hash}`), moved: ({ path }) => moved.has(path) };
  }
}

function resultPath({ result }: ExchangeToolCall): string {
  return textAt(result, 'path');
}

function writtenHash({ arguments: given }: ExchangeToolCall): string {
  return hashOf(textAt(given, 'body').toWellFormed());
}

function textAt(value: unknown, key: string): string {
  const found = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : '';
  return typeof found === 'string' ? found : '';
}

interface CitedRow {
  readonly path: string;
  readonly title: string | null;
  readonly id: string | null;
  readonly hash: string | null;
  readonly ended_at: Date;
}

const exchangesUpTo = `
  with recursive upwards as (
    select id, parent_id, 1 as depth from exchanges where id = ?
    union all
    select e.id, e.parent_id, upwards.depth + 1 from exchanges e join upwards on e.id = upwards.parent_id
    where upwards.depth < 100
  )`;

/** Depth counts from the newest; within an exchange the last counts. */
const citedSql = `${exchangesUpTo}, cited as (
    select distinct on (coalesce(source -> 'note' ->> 'id', source ->> 'path'))
      source ->> 'path' as path, source ->> 'title' as title, source -> 'note' ->> 'id' as id,
      source -> 'note' ->> 'hash' as hash, r.ended_at, upwards.depth
    from upwards
    join exchanges e on e.id = upwards.id
    join runs r on r.node_id = e.id
    cross join lateral json_array_elements(e.sources::json) with ordinality as listed (source, place)
    where source ->> 'kind' = 'VAULT' and r.ended_at is not null
    order by coalesce(source -> 'note' ->> 'id', source ->> 'path'), upwards.depth, place desc
  )
  select path, title, id, hash, ended_at from (select * from cited order by depth limit ${mostNotes}) newest
  order by depth desc`;

const statesSql = `
  select id, path, hash, updated_at from notes where id in (select json_array_elements_text(?::json)::uuid)
  union
  select id, path, hash, updated_at from notes
  where project_id = ? and path in (select json_array_elements_text(?::json))`;

const ownSql = `${exchangesUpTo}
  select e.tool_calls from upwards join exchanges e on e.id = upwards.id
  where e.tool_calls like '%"vault_write"%' or e.tool_calls like '%"vault_move"%'`;
