import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codesOf } from './kit/client.ts';
import { type Kit, startKit, type TestUser } from './kit/kit.ts';
import { overWebSocket } from './kit/live.ts';

const issue = `mutation ($input: IssueTokenInput!) { issueToken(input: $input) {
  __typename ... on IssuedToken { id token name expiresAt } ... on InvalidInput { message problems { field message value } }
} }`;
const revoke = 'mutation ($id: ID!) { revokeToken(id: $id) }';
const list =
  '{ viewer { tokens { id name status current createdAt expiresAt lastUsedAt revokedAt } } settingChanges { totalCount } }';

interface Issued {
  readonly issueToken: { readonly id: string; readonly token: string; readonly expiresAt: string };
}
interface Listed {
  readonly viewer: { readonly tokens: readonly (Record<string, unknown> & { readonly id: string })[] };
}
const day = 24 * 60 * 60 * 1_000;

let kit: Kit;
let user: TestUser;
beforeAll(async () => {
  kit = await startKit();
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

async function newToken(input: object = {}) {
  return (await user.ask<Issued>(issue, { input: { name: 'a script', ...input } })).issueToken;
}

async function listed(id: string) {
  const { viewer } = await user.ask<Listed>(list);
  return viewer.tokens.find((token) => token.id === id);
}

describe('issuing a token', () => {
  it('gives one that opens the door, for 90 days unless told otherwise', async () => {
    const { token, expiresAt } = await newToken();

    expect(await kit.as(token).ask('{ viewer { id } }')).toEqual({ viewer: { id: user.id } });
    const lifetime = Date.parse(expiresAt) - Date.now();
    expect(lifetime).toBeGreaterThan(90 * day - 60_000);
    expect(lifetime).toBeLessThanOrEqual(90 * day);
  });

  it('keeps only a hash: no column of any table holds the token', async () => {
    const { token } = await newToken();
    const tables = await kit.database.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    );

    expect(tables.length).toBeGreaterThanOrEqual(5);
    for (const { name } of tables) {
      const rows = await kit.database.query(`select 1 from ${name} row where strpos(row::text, $1) > 0`, [token]);
      expect(rows, name).toEqual([]);
    }
  });

  it('shows it this once: no later answer and no line of the log has it', async () => {
    const { token, id } = await newToken();
    await kit.as(token).ask(list);
    await kit.as(`${token}x`).query(list);
    await kit.as(token).ask(revoke, { id });
    await kit.as(token).query('{ viewer { id } nonsense }');

    const everything = '{ users(first: 100) { edges { node { id name tokens { id name status } } } } }';
    expect(JSON.stringify([await user.ask(list), await kit.admin.ask(everything)])).not.toContain(token);
    expect(kit.logs.join('\n')).not.toContain(token);
  });

  it.each([
    ['an empty name', { name: ' ' }, ['name']],
    ['a name too long', { name: 'x'.repeat(101) }, ['name']],
    ['a NUL in the name', { name: 'a\0b' }, ['name']],
    ['a line break in the name', { name: 'a\nb' }, ['name']],
    ['no lifetime', { name: 'x', expiresInSeconds: 0 }, ['expiresInSeconds']],
    ['a negative lifetime', { name: 'x', expiresInSeconds: -5 }, ['expiresInSeconds']],
    ['a lifetime beyond ten years', { name: 'x', expiresInSeconds: 2 ** 31 - 1 }, ['expiresInSeconds']],
    ['two problems', { name: '', expiresInSeconds: 0 }, ['name', 'expiresInSeconds']],
  ])('refuses %s, naming the field, and makes none', async (_case, input, fields) => {
    const { issueToken } = await user.ask<{ issueToken: { __typename: string; problems: { field: string }[] } }>(
      issue,
      { input },
    );

    expect(issueToken.__typename).toBe('InvalidInput');
    expect(issueToken.problems.map((problem) => problem.field)).toEqual(fields);
    expect((await user.ask<Listed>(list)).viewer.tokens).toHaveLength(1);
  });

  it.each(['naïve 名前 🚀', "Robert'); drop table tokens;--", 'x'.repeat(100)])('takes %j as a name', async (name) => {
    expect(await newToken({ name })).toMatchObject({ name });
  });

  it('for another person is for administrators; for others that person does not exist', async () => {
    const other = await kit.newUser();

    const foreign = await user.query(issue, { input: { name: 'x', userId: other.id } });
    const missing = await user.query(issue, { input: { name: 'x', userId: randomUUID() } });
    expect(codesOf(foreign)).toEqual(['NOT_FOUND']);
    expect(foreign).toEqual(missing);
    const { issueToken } = await kit.admin.ask<Issued>(issue, { input: { name: 'x', userId: other.id } });
    expect(await kit.as(issueToken.token).ask('{ viewer { id } }')).toEqual({ viewer: { id: other.id } });
  });
});

describe('the list of tokens', () => {
  it('tells which is in use, which was used when, and which one is asking', async () => {
    const { id, token } = await newToken();
    expect(await listed(id)).toMatchObject({ status: 'ACTIVE', current: false, lastUsedAt: null, revokedAt: null });
    expect(await listed(user.tokenId)).toMatchObject({ status: 'ACTIVE', current: true });

    const before = Date.now();
    await kit.as(token).ask('{ viewer { id } }');
    const lastUsed = Date.parse(String((await listed(id))?.['lastUsedAt']));
    expect(lastUsed).toBeGreaterThanOrEqual(before);
    expect(lastUsed).toBeLessThanOrEqual(Date.now());
  });

  it('has the newest first, and ended ones too', async () => {
    const { id } = await newToken();
    await user.ask(revoke, { id });

    const { viewer } = await user.ask<Listed>(list);
    expect(viewer.tokens.map((token) => token.id)).toEqual([id, user.tokenId]);
    expect(viewer.tokens[0]).toMatchObject({ status: 'REVOKED', revokedAt: expect.any(String) });
  });
});

describe('the end of a token', () => {
  it('comes at once when it is revoked: true, then false', async () => {
    const { id, token } = await newToken();

    expect(await user.ask(revoke, { id })).toEqual({ revokeToken: true });
    expect(await user.ask(revoke, { id })).toEqual({ revokeToken: false });
    expect(codesOf(await kit.as(token).query('{ viewer { id } }'))).toEqual(['UNAUTHENTICATED']);
  });

  it('is told to exactly one of many who revoke it together', async () => {
    const { id } = await newToken();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => user.ask<{ revokeToken: boolean }>(revoke, { id })),
    );

    expect(answers.filter(({ revokeToken }) => revokeToken)).toHaveLength(1);
  });

  it('may be that of the token in hand', async () => {
    const { id, token } = await newToken();
    expect(await kit.as(token).ask(revoke, { id })).toEqual({ revokeToken: true });
    expect(codesOf(await kit.as(token).query(revoke, { id }))).toEqual(['UNAUTHENTICATED']);
  });

  it('comes by itself when its time is up', async () => {
    const { id, token } = await newToken({ expiresInSeconds: 1 });
    const live = overWebSocket({ url: kit.url, token }, 'subscription { settingsChanged { id } }');
    let answer = await live.next();
    while (answer?.data) answer = await live.next(); // ends with the token
    await live.stop();

    expect(codesOf(answer ?? {})).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await kit.as(token).query('{ viewer { id } }'))).toEqual(['UNAUTHENTICATED']);
    expect(await listed(id)).toMatchObject({ status: 'EXPIRED', revokedAt: null });
  });
});
