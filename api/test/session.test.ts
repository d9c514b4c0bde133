import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from './kit/client.ts';
import { type Kit, startKit, type TestUser } from './kit/kit.ts';
import { openRawSocket } from './kit/raw-socket.ts';

let kit: Kit;
let user: TestUser;
beforeAll(async () => {
  kit = await startKit();
  user = await kit.newUser();
});
afterAll(() => kit.stop());

type Headers = Record<string, string>;

function signIn(token: string, headers: Headers = {}): Promise<Response> {
  return fetch(`${kit.url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ token }),
  });
}

async function viewerWith(headers: Headers): Promise<{ data?: unknown; errors?: [] }> {
  const response = await fetch(`${kit.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: '{ viewer { id } }' }),
  });
  return (await response.json()) as { data?: unknown; errors?: [] };
}

/** What the browser sends back. */
const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
const attributesOf = (response: Response) => response.headers.get('set-cookie')?.split('; ').slice(1) ?? [];
const me = () => ({ data: { viewer: { id: user.id } } });

describe('signing in', () => {
  it('moves the token into a cookie that no script can read and no other site can send', async () => {
    const response = await signIn(user.token, { origin: kit.url });

    expect(response.status).toBe(204);
    expect(attributesOf(response)).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/']));
    expect(attributesOf(response)).not.toContain('Secure');
    expect(await viewerWith({ cookie: cookieOf(response) })).toEqual(me());
    expect(await viewerWith({ cookie: `theme=dark; ${cookieOf(response)}; other=1`, origin: kit.url })).toEqual(me());
  });

  it('marks the cookie as Secure behind a proxy that speaks https', async () => {
    expect(attributesOf(await signIn(user.token, { 'x-forwarded-proto': 'https' }))).toContain('Secure');
  });

  it('lets the cookie end with the token', async () => {
    const { issueToken } = await user.ask<{ issueToken: { token: string } }>(
      'mutation { issueToken(input: { name: "hour", expiresInSeconds: 3600 }) { ... on IssuedToken { token } } }',
    );
    const maxAge = attributesOf(await signIn(issueToken.token)).find((attribute) => attribute.startsWith('Max-Age='));

    expect(Number(maxAge?.split('=')[1])).toBeGreaterThan(3_000);
    expect(Number(maxAge?.split('=')[1])).toBeLessThanOrEqual(3_600);
  });

  it('forgives blanks around a pasted token', async () => {
    expect((await signIn(`  ${user.token}\n`)).status).toBe(204);
  });

  it.each([
    ['a wrong token', 401, { body: JSON.stringify({ token: 'wrong' }) }],
    ['no token', 400, { body: '{}' }],
    ['an empty token', 400, { body: JSON.stringify({ token: '' }) }],
    ['no JSON', 400, { body: 'token=x' }],
    ['a huge body', 400, { body: JSON.stringify({ token: 'x'.repeat(10_000) }) }],
    ['a form', 415, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'token=x' }],
    ['plain text', 415, { headers: { 'content-type': 'text/plain' }, body: '{"token":"x"}' }],
    ['another site', 403, { headers: { 'content-type': 'application/json', origin: 'https://evil.example' } }],
    ['a page without an origin of its own', 403, { headers: { 'content-type': 'application/json', origin: 'null' } }],
  ])('refuses %s with %i and sets no cookie', async (_case, status, init) => {
    const response = await fetch(`${kit.url}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: user.token }),
      ...init,
    });

    expect(response.status).toBe(status);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await response.json()).toEqual({ message: expect.any(String) });
  });

  it('takes no other method', async () => {
    const response = await fetch(`${kit.url}/session`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, DELETE']);
  });
});

describe('the cookie', () => {
  it.each(['https://evil.example', 'null', 'http://127.0.0.1:1'])(
    'does not count for the origin %s',
    async (origin) => {
      const cookie = cookieOf(await signIn(user.token));

      expect(codesOf(await viewerWith({ cookie, origin }))).toEqual(['UNAUTHENTICATED']);
      const socket = await openRawSocket(kit.url, { headers: { cookie, origin } });
      expect(await socket.answer('{ viewer { id } }')).toMatchObject({
        payload: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
      });
      await socket.close();
    },
  );

  it('opens a WebSocket from the console itself', async () => {
    const cookie = cookieOf(await signIn(user.token));
    const socket = await openRawSocket(kit.url, { headers: { cookie, origin: kit.url } });

    expect(await socket.answer('{ viewer { id } }')).toMatchObject({ payload: me() });
    await socket.close();
  });

  it('gives way to a token in the header', async () => {
    const cookie = cookieOf(await signIn(kit.admin.token));
    expect(await viewerWith({ cookie, authorization: `Bearer ${user.token}` })).toEqual(me());
  });

  it.each(['oracle_session=%', 'oracle_session=%E0%A4%A', 'oracle_session=', 'oracle_session', ';;='])(
    'that is damaged (%s) is like none',
    async (cookie) => {
      expect(codesOf(await viewerWith({ cookie }))).toEqual(['UNAUTHENTICATED']);
    },
  );

  it('is taken away by signing out, from the console only', async () => {
    const response = await fetch(`${kit.url}/session`, { method: 'DELETE', headers: { origin: kit.url } });
    expect([response.status, response.headers.get('set-cookie')]).toEqual([
      204,
      'oracle_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    ]);

    const foreign = await fetch(`${kit.url}/session`, {
      method: 'DELETE',
      headers: { origin: 'https://evil.example' },
    });
    expect([foreign.status, foreign.headers.get('set-cookie')]).toEqual([403, null]);
  });
});

describe('the log', () => {
  it('never has a token', async () => {
    await signIn(user.token);
    await signIn('wrong-token-of-somebody');
    await viewerWith({ cookie: 'oracle_session=secret-in-a-cookie' });

    for (const secret of [user.token, 'wrong-token-of-somebody', 'secret-in-a-cookie']) {
      expect(kit.logs.join('\n')).not.toContain(secret);
    }
  });
});
