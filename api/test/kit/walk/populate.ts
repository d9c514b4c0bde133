import type { Answer } from '../client.ts';
import { leafOf, needsId, slotsOf } from './operations.ts';
import { oneOfEach, type Visitor, type Walker } from './walker.ts';

/** Would take away what the others made, the token in hand first of all. */
const destructive = /^(revoke|delete|remove|cancel|prune|reset|clear|end|stop|close|expire)/;

/** Calls every mutation and subscription that makes something, so that the visitor has one of everything. */
export async function populate(walker: Walker, who: Visitor): Promise<Visitor> {
  const making = walker.routes.filter((route) => route.kind !== 'query' && !destructive.test(leafOf(route).name));
  for (const route of making) {
    const answer = await walker.send(who, route, { everything: true, toTheEnd: true });
    if (failed(answer)) await walker.send(who, route, { toTheEnd: true });
  }
  const visitor = await withIdsOf(walker, who);
  // Once more where an id is a must, now that there are things of every kind to work on.
  for (const slot of making.filter((route) => leafOf(route).args.some(needsId)).flatMap(slotsOf)) {
    for (const { value } of oneOfEach(visitor.ids)) {
      await walker.send(visitor, slot, { everything: true, slot, id: value });
    }
  }
  return withIdsOf(walker, visitor);
}

async function withIdsOf(walker: Walker, visitor: Visitor): Promise<Visitor> {
  return { ...visitor, ids: walker.idsIn((await walker.crawl(visitor)).values()) };
}

/** An error, or a result type that lists what was wrong. */
function failed({ data, errors }: Answer<unknown>): boolean {
  return errors !== undefined || JSON.stringify(data ?? {}).includes('"problems"');
}
