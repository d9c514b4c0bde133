import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from './kit/client.ts';
import { type Kit, startKit } from './kit/kit.ts';

const create = `mutation ($input: CreateUserInput!) { createUser(input: $input) {
  __typename ... on User { id email name role } ... on InvalidInput { message problems { field message value max } }
} }`;
const list = `query ($first: Int, $after: String, $search: String, $sort: UserSort, $direction: SortDirection) {
  users(first: $first, after: $after, search: $search, sort: $sort, direction: $direction) {
    totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    edges { cursor node { id email name role createdAt } }
  }
}`;

interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly createdAt: string;
}
interface Created {
  readonly createUser: Person & { readonly __typename: string; readonly problems: readonly { field: string }[] };
}
interface Listed {
  readonly users: {
    readonly totalCount: number;
    readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean; readonly endCursor: string };
    readonly edges: readonly { readonly cursor: string; readonly node: Person }[];
  };
}

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.stop());

const ask = async (variables: object) => (await kit.admin.ask<Listed>(list, { ...variables })).users;
const namesFor = async (search: string) => (await ask({ search, first: 100 })).edges.map(({ node }) => node.name);
const add = async (input: object) => (await kit.admin.ask<Created>(create, { input })).createUser;

describe('adding a person', () => {
  it('keeps the address in lower case and the name as it is, without blanks around them', async () => {
    expect(await add({ email: '  Ada.Lovelace@Example.COM ', name: '  Ada Lovelace  ' })).toMatchObject({
      __typename: 'User',
      email: 'ada.lovelace@example.com',
      name: 'Ada Lovelace',
      role: 'USER',
    });
  });

  it.each([
    ['an address that is none', { email: 'nobody', name: 'N' }, ['email']],
    ['an address with a NUL', { email: 'a\0b@example.com', name: 'N' }, ['email']],
    ['an address too long', { email: `${'x'.repeat(250)}@example.com`, name: 'N' }, ['email']],
    ['an empty name', { email: 'a1@example.com', name: '   ' }, ['name']],
    ['a name too long', { email: 'a2@example.com', name: 'x'.repeat(201) }, ['name']],
    ['a name with a NUL', { email: 'a3@example.com', name: 'a\0b' }, ['name']],
    ['everything wrong', { email: '', name: '' }, ['email', 'name']],
  ])('refuses %s, naming every bad field, and adds nobody', async (_case, input, fields) => {
    const before = (await ask({})).totalCount;
    const answer = await add(input);

    expect(answer.__typename).toBe('InvalidInput');
    expect(answer.problems.map(({ field }) => field)).toEqual(fields);
    expect((await ask({})).totalCount).toBe(before);
  });

  it('refuses an address that somebody has, however it is spelled', async () => {
    await add({ email: 'taken@example.com', name: 'First' });

    expect(await add({ email: 'TAKEN@example.com', name: 'Second' })).toMatchObject({
      __typename: 'InvalidInput',
      problems: [{ field: 'email', message: 'taken@example.com belongs to somebody already.' }],
    });
  });

  it('gives an address to exactly one of many who ask at once', async () => {
    const spellings = Array.from({ length: 20 }, (_, index) => `${index % 2 ? 'RACE' : 'race'}@example.com`);
    const answers = await Promise.all(spellings.map((email, index) => add({ email, name: `Racer ${index}` })));

    expect(answers.filter((answer) => answer.__typename === 'User')).toHaveLength(1);
    expect(answers.filter((answer) => answer.__typename === 'InvalidInput')).toHaveLength(19);
    expect(await namesFor('race@example.com')).toHaveLength(1);
  });

  it('is for administrators', async () => {
    const user = await kit.newUser();
    expect(codesOf(await user.query(create, { input: { email: 'x@example.com', name: 'X' } }))).toEqual(['FORBIDDEN']);
    expect(codesOf(await user.query(list))).toEqual(['FORBIDDEN']);
  });
});

describe('searching', () => {
  beforeAll(async () => {
    const names = ['100% Wool', '100 Wool', 'under_score', 'underXscore', 'back\\slash', "O'Brien", 'Ünïcode 名前'];
    for (const [index, name] of names.entries()) await add({ email: `search-${index}@example.com`, name });
  });

  it.each([
    ['%', ['100% Wool']],
    ['100% w', ['100% Wool']],
    ['_', ['under_score']],
    ['\\', ['back\\slash']],
    ["o'b", ["O'Brien"]],
    ['名', ['Ünïcode 名前']],
    ['SEARCH-3@', ['underXscore']],
    ['nobody at all', []],
    ["'; drop table users; --", []],
  ])('takes %j literally, whatever the capitals', async (search, names) => {
    expect(await namesFor(search)).toEqual(names);
  });

  it.each(['', '   ', null])('for %j finds everybody', async (search) => {
    expect((await ask({ search })).totalCount).toBe((await ask({})).totalCount);
  });

  it('survives a NUL', async () => {
    expect(await namesFor('under\0_')).toEqual(['under_score']);
  });
});

describe('paging', () => {
  beforeAll(async () => {
    for (let index = 0; index < 23; index += 1) {
      await add({ email: `page-${index}@example.com`, name: index % 3 === 0 ? 'Same Name' : `person ${index % 7}` });
    }
  });

  const sorts = ['NAME', 'EMAIL', 'ROLE', 'CREATED_AT'].flatMap((sort) => [
    [sort, 'ASC'] as const,
    [sort, 'DESC'] as const,
  ]);

  it.each(sorts)('walks through everybody by %s %s without repeat or loss', async (sort, direction) => {
    const { edges: all, totalCount } = await ask({ first: 100, sort, direction });
    const walked: Person[] = [];
    let page = await ask({ first: 4, sort, direction });
    expect(page.pageInfo.hasPreviousPage).toBe(false);
    walked.push(...page.edges.map(({ node }) => node));
    while (page.pageInfo.hasNextPage) {
      page = await ask({ first: 4, sort, direction, after: page.pageInfo.endCursor });
      walked.push(...page.edges.map(({ node }) => node));
      expect(page.pageInfo.hasPreviousPage).toBe(true);
      expect(page.totalCount).toBe(totalCount);
    }

    expect(walked).toEqual(all.map(({ node }) => node));
    expect(new Set(walked.map(({ id }) => id)).size).toBe(totalCount);
  });

  it('lists by name without minding capitals, and the other way round', async () => {
    const names = (await ask({ first: 100 })).edges.map(({ node }) => node.name.toLowerCase());
    expect(names).toEqual(names.toSorted());
    const reversed = (await ask({ first: 100, direction: 'DESC' })).edges.map(({ node }) => node.name.toLowerCase());
    expect(reversed).toEqual(names.toReversed());
  });

  it.each([0, -1, 101, 2 ** 31 - 1])('refuses a page of %i', async (first) => {
    const answer = await kit.admin.query(list, { first });
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
    expect(answer.errors?.[0]?.message).toBe(`first must be between 1 and 100; you sent ${first}.`);
  });

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  it.each([
    ['no cursor', 'x'],
    ['a NUL', '\0'],
    ['no JSON', Buffer.from('not json').toString('base64url')],
    ['no list', encoded({ name: 'x' })],
    ['null', encoded(null)],
    ['an empty list', encoded([])],
    ['too few values', encoded(['a'])],
    ['too many values', encoded(['a', 'b', 'c', 'd'])],
    ['an id that is none', encoded(['a', 'b'])],
    ['numbers', encoded([1, 2])],
    ['a condition', encoded([{ $ne: 'a' }, { $ne: null }])],
    ['lists', encoded([['a'], ['b']])],
    ['nothing but null', encoded([null, null])],
    ['a NUL within', encoded(['a\0b', '00000000-0000-0000-0000-000000000000'])],
  ])('refuses a cursor that holds %s', async (_case, after) => {
    for (const sort of ['NAME', 'CREATED_AT']) {
      expect(codesOf(await kit.admin.query(list, { after, sort })), sort).toEqual(['BAD_USER_INPUT']);
    }
  });
});
