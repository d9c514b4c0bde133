import { randomUUID } from 'node:crypto';
import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  type IntrospectionQuery,
  isObjectType,
} from 'graphql';
import type { Answer } from '../client.ts';
import type { Kit } from '../kit.ts';
import { overSse } from '../live.ts';
import {
  allRoutes,
  leafOf,
  nameOf,
  nameOfSlot,
  needsId,
  type Operation,
  operationFor,
  type Route,
  type Slot,
  slotsOf,
} from './operations.ts';
import type { Wish } from './values.ts';

export interface FoundId {
  /** The type and field that it is the value of. */
  readonly from: string;
  readonly value: string;
}

/** Somebody who walks through the whole schema. */
export interface Visitor {
  readonly token: string | undefined;
  /** Part of every text that they send. */
  readonly mark: string;
  /** What is theirs, for ids that have to be given. */
  readonly ids: readonly FoundId[];
}

/** By the name of what was asked. */
export type Answers = ReadonlyMap<string, Answer<unknown>>;

export interface Walker {
  readonly schema: GraphQLSchema;
  readonly routes: readonly Route[];
  readonly slots: readonly Slot[];
  /**
   * Asks for everything that a field has to tell; with a slot, about the id in it. Of a subscription the first answer,
   * or the last one before it ends or falls silent.
   */
  send(
    who: Visitor,
    route: Route,
    options?: { everything?: boolean; slot?: Slot; id?: string; toTheEnd?: boolean },
  ): Promise<Answer<unknown>>;
  /** Everything reachable by queries, following the ids that turn up; by the name of what was asked. */
  crawl(who: Visitor): Promise<Answers>;
  /** What every query tells about the ids, added to what was asked before. */
  look(who: Visitor, ids: readonly FoundId[], asked?: Answers): Promise<Answers>;
  /** In the same order whichever answer came first, so that two walks over the same data are the same. */
  idsIn(answers: Iterable<Answer<unknown>>): readonly FoundId[];
}

const deepest = 7;
const patience = 3_000;

export async function createWalker(kit: Kit): Promise<Walker> {
  const schema = buildClientSchema(await kit.admin.ask<IntrospectionQuery>(getIntrospectionQuery()));
  const routes = allRoutes(schema);
  const slots = routes.flatMap(slotsOf);
  const depths = new Map<Route, number>();

  async function ask({ kind, query, variables }: Operation, token: string | undefined, toTheEnd: boolean) {
    if (kind !== 'subscription') return (token ? kit.as(token) : kit.stranger).query<unknown>(query, { ...variables });
    const live = overSse({ url: kit.url, token }, query, { ...variables });
    let last: Answer<unknown> = { data: 'nothing' };
    for (
      let answer = await orSilence(live.next());
      answer;
      answer = toTheEnd ? await orSilence(live.next()) : undefined
    ) {
      last = answer;
    }
    await live.stop();
    return last;
  }

  const send: Walker['send'] = async (who, route, { everything = false, slot, id, toTheEnd = false } = {}) => {
    const idFor = (name: string) => who.ids.find(({ from }) => isNamedAfter(name, from))?.value ?? randomUUID();
    const wish: Wish = { everything, mark: who.mark, idFor };
    const place = slot && id !== undefined ? { arg: slot.arg, path: slot.path, id } : undefined;
    for (let depth = depths.get(route) ?? deepest; depth > 0; depth -= 1) {
      const operation = operationFor(schema, route, wish, { depth, slot: place });
      const answer = await ask(operation, who.token, toTheEnd);
      const [error] = answer.errors ?? [];
      if (/limit of \d+ exceeded/i.test(error?.message ?? '')) continue;
      if (/_(PARSE|VALIDATION)_FAILED$/.test(String(error?.extensions?.code))) {
        throw new Error(`The walk asked nonsense: ${error?.message}\n${operation.query}`);
      }
      depths.set(route, depth);
      return answer;
    }
    throw new Error(`No part of ${leafOf(route).name} can be asked for within the limits.`);
  };

  const look: Walker['look'] = async (who, ids, asked = new Map()) => {
    const answers = new Map(asked);
    for (const slot of slots.filter(({ kind }) => kind === 'query')) {
      await inParallel(oneOfEach(ids), async ({ from, value }) => {
        const name = `${nameOfSlot(slot)} as ${from} ${value}`;
        if (!answers.has(name)) answers.set(name, await send(who, slot, { slot, id: value }));
      });
    }
    return answers;
  };

  const crawl: Walker['crawl'] = async (who) => {
    const answers = new Map<string, Answer<unknown>>();
    const free = routes.filter((route) => route.kind === 'query' && !leafOf(route).args.some(needsId));
    await inParallel(free, async (route) => void answers.set(nameOf(route), await send(who, route)));
    return follow(who, answers, 0);
  };

  /** Looks at the ids that turned up, and at those that turn up by that. */
  async function follow(who: Visitor, answers: Answers, known: number): Promise<Answers> {
    const ids = idsIn(answers.values());
    return ids.length > known ? follow(who, await look(who, ids, answers), ids.length) : answers;
  }

  function idsIn(answers: Iterable<Answer<unknown>>): readonly FoundId[] {
    const found = new Map<string, FoundId>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const type = schema.getType(String((value as Record<string, unknown>).__typename));
      for (const [key, below] of Object.entries(value)) {
        const field = isObjectType(type) ? type.getFields()[key.split('__').at(-1) ?? key] : undefined;
        const isId = field && getNamedType(field.type).name === 'ID';
        for (const id of isId ? [below].flat() : []) {
          if (typeof id !== 'string') continue;
          const from = `${type?.name}.${field?.name}`;
          found.set(`${from} ${id}`, { from, value: id });
        }
        visit(below);
      }
    };
    for (const { data } of answers) visit(data);
    return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, id]) => id);
  }

  return { schema, routes, slots, send, crawl, look, idsIn };
}

/** Some subscriptions never end: undefined once one has been silent for long. */
async function orSilence<Result>(next: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patience);
  });
  next.catch(() => undefined); // given up on when the subscription is stopped
  try {
    return await Promise.race([next, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** One id from every field, each once: enough to try every kind of thing in every place. */
export function oneOfEach(ids: readonly FoundId[]): readonly FoundId[] {
  const firsts = new Map(ids.map((id) => [id.from, id]));
  return [...new Map([...firsts.values()].map((id) => [id.value, id])).values()];
}

function isNamedAfter(name: string, from: string): boolean {
  const noun = name.replace(/Ids?$/i, '').toLowerCase();
  return noun !== '' && from.toLowerCase().includes(noun);
}

export async function inParallel<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 4 }, worker));
}
