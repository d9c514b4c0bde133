import { CursorError, DriverException, type EntityName, type FilterQuery, type QueryOrderMap } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';

export interface PageRequest {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

export interface Page<Row> {
  readonly edges: readonly { readonly cursor: string; readonly node: Row }[];
  readonly totalCount: number;
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

interface PageQuery<Row> extends PageRequest {
  readonly where: FilterQuery<Row>;
  /** Must end in something unique, so that no row is skipped or repeated. */
  readonly orderBy: QueryOrderMap<Row>[];
}

/** One page by cursor: as cheap on the thousandth page as on the first. */
export async function pageOf<Row extends object>(
  em: EntityManager,
  entity: EntityName<Row>,
  { first, after, where, orderBy }: PageQuery<Row>,
): Promise<Page<Row>> {
  const size = first ?? 20;
  if (size < 1 || size > largestPage)
    throw new BadPageRequest(`first must be between 1 and ${largestPage}; you sent ${size}.`);
  try {
    const found = await em.findByCursor(entity, {
      where: where as FilterQuery<NoInfer<Row>>,
      orderBy,
      first: size,
      ...(after ? { after } : {}),
    });
    return {
      edges: found.items.map((node) => ({ cursor: found.from(node), node: node as Row })),
      totalCount: found.totalCount,
      pageInfo: {
        hasNextPage: found.hasNextPage,
        hasPreviousPage: found.hasPrevPage,
        startCursor: found.startCursor,
        endCursor: found.endCursor,
      },
    };
  } catch (error) {
    if (after && isBadCursor(error)) throw new BadPageRequest('after must be a cursor from an earlier page.');
    throw error;
  }
}

/** Either it does not decode, or it decodes to values that the columns cannot hold (SQLSTATE class 22). */
function isBadCursor(error: unknown): boolean {
  return error instanceof CursorError || (error instanceof DriverException && String(error.code).startsWith('22'));
}
