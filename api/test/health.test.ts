import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from './kit/client.ts';
import { createProxiedDatabase, type ProxiedDatabase } from './kit/database-proxy.ts';
import { type Kit, startKit, type TestUser } from './kit/kit.ts';
import { overWebSocket, transports } from './kit/live.ts';
import { openRawSocket } from './kit/raw-socket.ts';

const update = 'mutation { updateAgentConfig(input: { maxIterations: 9 }) { __typename } }';

let kit: Kit;
let database: ProxiedDatabase;
let user: TestUser;
beforeAll(async () => {
  database = await createProxiedDatabase();
  kit = await startKit({ database });
  user = await kit.newUser();
});
afterAll(async () => {
  await database.heal();
  await kit.stop();
  await database.drop();
});

async function health(part: string): Promise<unknown> {
  const response = await fetch(`${kit.url}/health/${part}`);
  return [response.status, await response.json()];
}
const recovered = () => expect.poll(() => health('ready'), { timeout: 20_000 }).toEqual([200, { status: 'ready' }]);

describe('health', () => {
  it('is live and ready, without a token', async () => {
    expect(await health('live')).toEqual([200, { status: 'live' }]);
    expect(await health('ready')).toEqual([200, { status: 'ready' }]);
  });

  it('is not ready while the database refuses connections, and is again afterwards', async () => {
    await database.cut();
    expect(await health('ready')).toEqual([503, { status: 'database away' }]);
    expect(await health('live')).toEqual([200, { status: 'live' }]);

    await database.heal();
    await recovered();
  });

  it('is not ready while the database is silent, and is again afterwards', async () => {
    database.stall();
    expect(await health('ready')).toEqual([503, { status: 'database away' }]);

    await database.heal();
    await recovered();
  });
});

describe('while the database is away', () => {
  it('queries and changes are answered as unavailable, and work again afterwards', async () => {
    await database.cut();
    try {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => user.query(index % 2 ? update : '{ viewer { id } }')),
      );
      expect(new Set(answers.flatMap(codesOf))).toEqual(new Set(['SERVICE_UNAVAILABLE']));
      expect(JSON.stringify(answers)).not.toMatch(/ECONN|127\.0\.0\.1|stack|select/i);
    } finally {
      await database.heal();
    }

    await recovered();
    expect(await user.ask('{ viewer { id } }')).toEqual({ viewer: { id: user.id } });
    expect(await user.ask(update)).toEqual({ updateAgentConfig: { __typename: 'AgentConfig' } });
  });

  it('the log tells once what fails, however often, and that it is over', async () => {
    const told = () => kit.logs.slice(before).map((line) => (JSON.parse(line) as { msg: string }).msg);
    let before = 0;
    const feed = () => told().findLast((line) => line.startsWith('change feed'));
    await expect.poll(feed, { timeout: 20_000 }).not.toBe('change feed lost, reconnecting'); // by the tests before
    before = kit.logs.length;
    await database.cut();
    for (let asked = 0; asked < 20; asked += 1) await user.query('{ viewer { id } }');
    await database.heal();
    await expect.poll(feed, { timeout: 20_000 }).toBe('change feed is back');
    await recovered();

    expect(told().length, told().join('\n')).toBe(new Set(told()).size);
    expect(told()).toContain('change feed lost, reconnecting');
  });

  it('a WebSocket is answered as unavailable too, stays open, and works again afterwards', async () => {
    const socket = await openRawSocket(kit.url, { params: { authorization: `Bearer ${user.token}` } });
    await database.cut();
    try {
      const answer = await socket.answer('{ viewer { id } }');
      expect(JSON.stringify(answer?.payload)).toContain('SERVICE_UNAVAILABLE');
    } finally {
      await database.heal();
    }

    await recovered();
    expect(await socket.answer('{ viewer { id } }')).toMatchObject({ payload: { data: { viewer: { id: user.id } } } });
    await socket.close();
  });

  it('signing in fails without blaming the token', async () => {
    await database.cut();
    const response = await fetch(`${kit.url}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: user.token }),
    });
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect(kit.logs.join('\n')).not.toContain(user.token);

    await database.heal();
    await recovered();
  });
});

describe('after the database came back', () => {
  it.each(transports)('a subscription from before still learns of changes, over %s', async (_name, follow) => {
    const live = follow<{ settingsChanged: { agentConfig: { version: number } } }>(
      { url: kit.url, token: user.token },
      'subscription { settingsChanged { agentConfig { version } } }',
    );
    await live.next();
    await database.cut();
    await database.heal();
    await recovered();

    await user.ask(update);
    const { agentConfig } = await user.ask<{ agentConfig: { version: number } }>('{ agentConfig { version } }');
    await live.until(({ settingsChanged }) => settingsChanged.agentConfig.version === agentConfig.version);
    await live.stop();
  });

  it('a token revoked meanwhile on another server still ends its subscription', async () => {
    const other = await kit.newUser();
    const live = overWebSocket({ url: kit.url, token: other.token }, 'subscription { settingsChanged { id } }');
    await live.next();
    await database.cut();
    await database.query('update tokens set revoked_at = now() where id = $1', [other.tokenId]);
    await database.heal();

    let answer = await live.next();
    while (answer?.data) answer = await live.next();
    expect(codesOf(answer ?? {})).toEqual(['UNAUTHENTICATED']);
    await live.stop();
  });
});
