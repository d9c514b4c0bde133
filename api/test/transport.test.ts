import { request as httpRequest } from 'node:http';
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { largestMessage } from '../src/http/websocket.ts';
import { type Answer, codesOf } from './kit/client.ts';
import { type Kit, startKit, type TestUser } from './kit/kit.ts';
import { overSse, overWebSocket } from './kit/live.ts';
import { openRawSocket } from './kit/raw-socket.ts';

let kit: Kit;
let user: TestUser;
beforeAll(async () => {
  kit = await startKit();
  user = await kit.newUser();
});
afterAll(() => kit.stop());

/** The first answer to a query, whichever way it was sent. */
type Ask = (query: string) => Promise<Answer<unknown>>;
const ways: readonly (readonly [string, Ask])[] = [
  ['HTTP', (query) => user.query(query)],
  ['server-sent events', (query) => firstAnswer(overSse, query)],
  ['WebSocket', (query) => firstAnswer(overWebSocket, query)],
];

async function firstAnswer(follow: typeof overSse, query: string): Promise<Answer<unknown>> {
  const live = follow({ url: kit.url, token: user.token }, query);
  const answer = await live.next();
  await live.stop();
  return answer ?? {};
}

function nested(depth: number): string {
  const below = 'user { settingChanges { edges { node { ';
  const levels = Math.ceil(depth / 4);
  return `{ viewer { settingChanges { edges { node { ${below.repeat(levels)} id ${'} } } } '.repeat(levels)} } } } } }`;
}

const tooMuch = [
  ['too deep', nested(40)],
  ['too deep to be read', `{ viewer(a: ${'['.repeat(3_900)}`],
  ['with too many aliases', `{ ${Array.from({ length: 31 }, (_, index) => `a${index}: viewer { id }`).join(' ')} }`],
  ['with too many directives', `{ viewer { id ${'@include(if: true) '.repeat(51)} } }`],
  ['too long', `{ viewer { ${'id '.repeat(4_001)} } }`],
  ['too costly', `{ ${Array.from({ length: 25 }, (_, index) => `a${index}: ${costly()}`).join(' ')} }`],
] as const;

function costly(): string {
  const fields =
    'id field title oldValue newValue version at layer group actor { id name } user { id name email role }';
  const page = `settingChanges(first: 100) { edges { cursor node { ${fields} } } }`;
  return `viewer { id email ${page} tokens { id name status current } }`;
}

describe('GraphQL over HTTP', () => {
  it('passes all 61 audits of graphql-http', async () => {
    const authorised: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${user.token}`);
      return fetch(input, { ...init, headers });
    };
    const audits = serverAudits({ url: `${kit.url}/graphql`, fetchFn: authorised });

    const results = await Promise.all(audits.map((audit) => audit.fn()));
    expect(results.filter(({ status }) => status !== 'ok').map(({ name }) => name)).toEqual([]);
    expect(results).toHaveLength(61);
  });

  it('refuses a body that is too large before reading it', async () => {
    expect(await post({ 'content-length': 5 * 1024 * 1024 + 1 })).toBe(413);
  });

  it('refuses a body of unknown length', async () => {
    expect(await post({ 'transfer-encoding': 'chunked' })).toBe(411);
  });

  it.each(['//', '/%', '/%00', '/../../etc/passwd'])('answers the path %s without failing', async (path) => {
    expect(await post({ 'content-length': 0 }, path)).toBeLessThan(500);
  });
});

describe('GraphiQL', () => {
  it('is served from here, the second time too, and may load nothing from elsewhere', async () => {
    for (const _time of [1, 2]) {
      const response = await fetch(`${kit.url}/graphiql`);

      expect(response.status).toBe(200);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
      expect(await response.text()).toContain('Oracle Agent GraphiQL');
    }
  });
});

describe('limits on queries', () => {
  it.each(ways)('let ordinary ones through over %s', async (_way, ask) => {
    expect(await ask('{ viewer { id } }')).toEqual({ data: { viewer: { id: user.id } } });
  });

  describe.each(tooMuch)('refuse one that is %s', (_case, query) => {
    it.each(ways)('over %s', async (_way, ask) => {
      const answer = await ask(query);

      expect(answer.data ?? null).toBeNull();
      expect(answer.errors?.[0]?.message).toMatch(/limit|max|exceed|too (deep|many|long)/i);
      expect(answer.errors?.[0]?.message).not.toContain('Something went wrong');
      expect(codesOf(answer)).not.toContain('INTERNAL_SERVER_ERROR');
    });
  });
});

describe('a failure of the server', () => {
  it.each(ways)('is answered without its insides, and logged, over %s', async (_way, ask) => {
    await kit.database.query('alter table user_settings rename to lost_settings');
    const logged = kit.logs.length;
    try {
      const answer = await ask('{ agentConfig { maxIterations } }');

      expect(codesOf(answer)).toEqual(['INTERNAL_SERVER_ERROR']);
      expect(JSON.stringify(answer)).not.toMatch(/user_settings|relation|select|stack|node_modules|\.ts\b|postgres/i);
      const lines = kit.logs.slice(logged).map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(lines).toMatchObject([{ level: 'error', stack: expect.stringContaining('user_settings') }]);
    } finally {
      await kit.database.query('alter table lost_settings rename to user_settings');
    }
  });

  it.each(ways.slice(1))('in the middle of a subscription is masked too, over %s', async (way) => {
    const follow = way === 'WebSocket' ? overWebSocket : overSse;
    const live = follow({ url: kit.url, token: user.token }, 'subscription { settingsChanged { tokens { id } } }');
    await live.next();
    await kit.database.query('alter table tokens rename column user_id to lost_id');
    try {
      await kit.database.query(`select pg_notify('oracle_changes', '{"type":"settings-changed","userId":null}')`);
      const answer = await live.next();

      expect(codesOf(answer ?? {})).toEqual(['INTERNAL_SERVER_ERROR']);
      expect(JSON.stringify(answer)).not.toMatch(/user_id|does not exist|select/);
    } finally {
      await kit.database.query('alter table tokens rename column lost_id to user_id');
      await live.stop();
    }
  });
});

describe('a WebSocket', () => {
  it('answers what does not parse, does not fit the schema or is not allowed, and stays open', async () => {
    const socket = await openRawSocket(kit.url, { params: { authorization: `Bearer ${user.token}` } });

    for (const query of ['{ viewer {', '', '{ nothing }', 'subscription { settingsChanged { nothing } }', nested(40)]) {
      expect(await socket.answer(query), query).toMatchObject({
        type: 'error',
        payload: [{ message: expect.any(String) }],
      });
    }
    expect(await socket.answer('{ users { totalCount } }')).toMatchObject({
      type: 'next',
      payload: { errors: [{ extensions: { code: 'FORBIDDEN' } }] },
    });
    expect(await socket.answer('{ viewer { id } }')).toMatchObject({ payload: { data: { viewer: { id: user.id } } } });
    await socket.close();
  });

  it('breaks off for what is no message, with one line in the log and nothing printed past it', async () => {
    const printed = vi.spyOn(console, 'error');
    const socket = await openRawSocket(kit.url, { params: { authorization: `Bearer ${user.token}` } });
    const logged = kit.logs.length;

    socket.socket.send('x'.repeat(largestMessage + 1));

    await vi.waitUntil(() => kit.logs.length > logged);
    expect(kit.logs.slice(logged).map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', code: 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' },
    ]);
    expect(printed).not.toHaveBeenCalled();
    await socket.close();
  });
});

/** Sends only the head of a request, and answers with the status. */
function post(headers: Record<string, string | number>, path = '/graphql'): Promise<number | undefined> {
  const { hostname, port } = new URL(kit.url);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, path, method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        resolve(response.statusCode);
        request.destroy();
      },
    );
    request.on('error', reject).flushHeaders();
  });
}
