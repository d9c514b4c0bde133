import { CursorError, DriverException, type EntityName, type FilterQuery, type QueryOrderMap } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { countRows } from './counts.ts';

export interface PageRequest {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** A page behind a cursor (`first`, `after`) or one in front of it (`last`, `before`). */
export interface PageRequestEitherWay extends PageRequest {
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

export interface Page<Row> {
  readonly edges: readonly { readonly cursor: string; readonly node: Row }[];
  /** Counted only when somebody asks, unless it is known anyway. */
  readonly totalCount: number | (() => Promise<number>);
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** The caller's fault: a page size out of bounds, or a cursor that this server did not give. */
export class BadPageRequest extends Error {
  override name = 'BadPageRequest';
}

const largestPage = 100;

interface PageQuery<Row> extends PageRequestEitherWay {
  readonly where: FilterQuery<Row>;
  /** Must end in something unique, so that no row is skipped or repeated. */
  readonly orderBy: QueryOrderMap<Row>[];
}

/** One page by cursor: as cheap on the thousandth page as on the first. */
export async function pageOf<Row extends object>(
  em: EntityManager,
  entity: EntityName<Row>,
  { where, orderBy, ...request }: PageQuery<Row>,
): Promise<Page<Row>> {
  const range = rangeOf(request);
  const cursor = request.after || request.before;
  const name = request.before ? 'before' : 'after';
  if (cursor && !isWellFormed(cursor, columnsOf(em, entity, orderBy))) throw badCursor(name);
  try {
    const found = await em.findByCursor(entity, {
      where: where as FilterQuery<NoInfer<Row>>,
      orderBy,
      ...range,
      includeCount: false,
    });
    return {
      edges: found.items.map((node) => ({ cursor: found.from(node), node: node as Row })),
      totalCount: () => countRows(em, entity, where),
      pageInfo: {
        hasNextPage: found.hasNextPage,
        hasPreviousPage: found.hasPrevPage,
        startCursor: found.startCursor,
        endCursor: found.endCursor,
      },
    };
  } catch (error) {
    if (cursor && isBadCursor(error)) throw badCursor(name);
    throw error;
  }
}

/**
 * For pages of a query of one's own, in the order of one text that is unique in the list: how many rows to ask for
 * (one more shows whether there is a next page) and behind which text, and the page made of what was found.
 */
export function pageByText<Row>({ first, after }: PageRequest) {
  const size = pageSize(first);
  if (after && !isWellFormed(after, ['string'])) throw badCursor();
  const cursorOf = (text: string) => Buffer.from(JSON.stringify([text])).toString('base64url');
  const [text] = after ? (decode(after) as readonly string[]) : [];
  return {
    size,
    after: text ?? null,
    page(found: readonly Row[], totalCount: number, textOf: (row: Row) => string): Page<Row> {
      const edges = found.slice(0, size).map((node) => ({ cursor: cursorOf(textOf(node)), node }));
      return {
        edges,
        totalCount,
        pageInfo: {
          hasNextPage: found.length > size,
          hasPreviousPage: text !== undefined,
          startCursor: edges[0]?.cursor ?? null,
          endCursor: edges.at(-1)?.cursor ?? null,
        },
      };
    },
  };
}

function rangeOf({ first, after, last, before }: PageRequestEitherWay) {
  if (last == null && !before) return { first: pageSize(first), ...(after ? { after } : {}) };
  if (first != null || after) throw new BadPageRequest('Send first and after, or last and before, not both.');
  return { last: pageSize(last, 'last'), ...(before ? { before } : {}) };
}

export function pageSize(wanted: number | null | undefined, name = 'first'): number {
  const size = wanted ?? 20;
  if (size >= 1 && size <= largestPage) return size;
  throw new BadPageRequest(`${name} must be between 1 and ${largestPage}; you sent ${size}.`);
}

function badCursor(name = 'after'): BadPageRequest {
  return new BadPageRequest(`${name} must be a cursor from an earlier page.`);
}

/** Whether it decodes to a value for each column of the order, as all that this server gives out do. */
function isWellFormed(cursor: string, columns: readonly (string | undefined)[]): boolean {
  const values = decode(cursor);
  if (!Array.isArray(values) || values.length !== columns.length) return false;
  return columns.every((type, index) => {
    const value: unknown = values[index];
    if (type === 'number') return Number.isSafeInteger(value);
    return typeof value === 'string' && !value.includes('\0') && !(type === 'Date' && Number.isNaN(Date.parse(value)));
  });
}

function columnsOf<Row extends object>(em: EntityManager, entity: EntityName<Row>, orderBy: QueryOrderMap<Row>[]) {
  const properties: Record<string, { readonly runtimeType: string }> = em.getMetadata(entity).properties;
  return orderBy.flatMap(Object.keys).map((name) => properties[name]?.runtimeType);
}

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** What is well formed may still be what the columns cannot hold (SQLSTATE class 22). */
function isBadCursor(error: unknown): boolean {
  return error instanceof CursorError || (error instanceof DriverException && String(error.code).startsWith('22'));
}
