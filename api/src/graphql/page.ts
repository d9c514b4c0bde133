import type { ObjectRef } from '@pothos/core';
import { badInput } from '../access/access-error.ts';
import { alwaysCounted } from '../store/counts.ts';
import { BadPageRequest, type Page } from '../store/page.ts';
import { builder } from './builder.ts';

const PageInfo = builder.objectRef<Page<unknown>['pageInfo']>('PageInfo').implement({
  description: 'Where a page stands among the others.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether more follow.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', { description: 'Whether some came before.' }),
    startCursor: t.exposeString('startCursor', { nullable: true, description: 'The cursor of the first edge.' }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'The cursor of the last edge: send it as `after`.',
    }),
  }),
});

export const pageArgs = builder.args((t) => ({
  first: t.int({ description: 'How many at most, 1 to 100; without it 20.' }),
  after: t.string({ description: 'Continue behind this cursor.' }),
}));

/** For lists that can also be read from their end, or back from where one is. */
export const backwardArgs = builder.args((t) => ({
  last: t.int({ description: 'Instead of `first`: how many at most in front of `before`, 1 to 100; without it 20.' }),
  before: t.string({ description: 'Instead of `after`: end in front of this cursor.' }),
}));

/** `XConnection` and `XEdge` for a type that is listed in pages. */
export function definePage<Row extends object>(
  name: string,
  node: ObjectRef<typeof builder.$inferSchemaTypes, Row, Row>,
) {
  type Edge = Page<Row>['edges'][number];
  const EdgeType = builder.objectRef<Edge>(`${name}Edge`).implement({
    description: `One ${name} of a page.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', { description: 'Where this one stands in the list.' }),
      node: t.field({ type: node, description: 'The row itself.', resolve: (edge) => edge.node as never }),
    }),
  });
  return builder.objectRef<Page<Row>>(`${name}Connection`).implement({
    description: `A page of a list of ${name}s.`,
    fields: (t) => ({
      edges: t.field({ type: [EdgeType], description: 'The rows of this page.', resolve: (page) => [...page.edges] }),
      pageInfo: t.field({ type: PageInfo, description: 'Where this page stands.', resolve: (page) => page.pageInfo }),
      totalCount: t.int({
        description: `How many there are on all pages. Beyond ${alwaysCounted}, the number may be a minute old.`,
        resolve: ({ totalCount }) => (typeof totalCount === 'function' ? totalCount() : totalCount),
      }),
    }),
  });
}

/** A bad page request is the caller's to mend, so it is told rather than masked. */
export async function answerPage<Row>(page: Promise<Page<Row>>): Promise<Page<Row>> {
  try {
    return await page;
  } catch (error) {
    throw error instanceof BadPageRequest ? badInput(error.message) : error;
  }
}
