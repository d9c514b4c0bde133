import { randomUUID } from 'node:crypto';
import {
  buildClientSchema,
  type GraphQLInputType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  type IntrospectionQuery,
  isInputObjectType,
  isLeafType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from './kit/client.ts';
import { type Kit, startKit } from './kit/kit.ts';
import { leafOf, nameOf, type Route, rootRoutes } from './kit/walk/operations.ts';
import { valueFor } from './kit/walk/values.ts';
import { inParallel } from './kit/walk/walker.ts';

/** Written against no particular field, like the walk through the ids: new fields are tried without a change here. */

let kit: Kit;
let schema: GraphQLSchema;
beforeAll(async () => {
  kit = await startKit();
  schema = buildClientSchema(await kit.admin.ask<IntrospectionQuery>(getIntrospectionQuery()));
});
afterAll(() => kit.stop());

/** What the scalar allows and no column of the database does, or hardly any. */
const unstorable: Readonly<Record<string, readonly unknown[]>> = {
  ID: ['a\0b', '\ud800'],
  String: ['a\0b', '\ud800'],
  Int: [2 ** 31 - 1, -(2 ** 31)],
  Float: [1e300, -1e300],
  DateTime: ['0000-01-01T00:00:00Z', '-000001-01-01T00:00:00Z', '+275760-09-13T00:00:00Z'],
  JSON: ['a\0b', { 'k\0': '\ud800' }],
};

/** The places of an argument where a single value goes, and its type. */
function placesIn(type: GraphQLInputType, path: readonly string[] = []): readonly [readonly string[], string][] {
  const inner = getNamedType(type);
  if (isLeafType(inner)) return [[path, inner.name]];
  if (!isInputObjectType(inner) || path.length > 3) return [];
  return Object.values(inner.getFields()).flatMap((field) => placesIn(field.type, [...path, field.name]));
}

/** What is needed, with one value in its place; lists stand for their only item. */
function withValue(needed: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (Array.isArray(needed)) return [withValue(needed[0], name === undefined ? [] : [name, ...rest], value)];
  if (name === undefined) return value;
  const object = (needed ?? {}) as Record<string, unknown>;
  return { ...object, [name]: withValue(object[name], rest, value) };
}

function* attemptsAt(route: Route) {
  const { args } = leafOf(route);
  const wish = { everything: false, mark: 'mark', idFor: () => randomUUID() };
  const needed = Object.fromEntries(args.map(({ name, type }) => [name, valueFor(type, name, true, wish)]));
  for (const arg of args) {
    for (const [path, type] of placesIn(arg.type)) {
      for (const value of unstorable[type] ?? []) {
        yield { ...needed, [arg.name]: withValue(needed[arg.name], path, value) };
      }
    }
  }
}

function textOf(route: Route): string {
  const { name, args, type } = leafOf(route);
  const below = isLeafType(getNamedType(type)) ? '' : ' { __typename }';
  const declared = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  return `${route.kind} (${declared}) { ${name}(${args.map((arg) => `${arg.name}: $${arg.name}`).join(', ')})${below} }`;
}

describe('a value that cannot be stored', () => {
  it('is answered for, wherever it is sent', { timeout: 120_000 }, async () => {
    const failed: string[] = [];
    const routes = rootRoutes(schema).filter((route) => route.kind !== 'subscription' && leafOf(route).args.length > 0);
    await inParallel(routes, async (route) => {
      for (const variables of attemptsAt(route)) {
        const answer = await kit.admin.query(textOf(route), variables);
        if (codesOf(answer).includes('INTERNAL_SERVER_ERROR')) {
          failed.push(`${nameOf(route)} with ${JSON.stringify(variables)}`);
        }
      }
    });

    expect(failed).toEqual([]);
  });
});
