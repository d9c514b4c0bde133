import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { WebSocket as NodeWebSocket } from 'ws';
import { type SeenSocket, startTestServer, type TestServer } from '../test/test-server.ts';
import { createOracleClient, type OracleClient, type OracleClientOptions } from './client.ts';
import type { OracleError, UserSettings } from './index.ts';

let server: TestServer;
let oracle: OracleClient;
let connections: unknown[];

beforeEach(async () => {
  server = await startTestServer();
  oracle = connect();
  connections = [];
});
afterEach(async () => {
  oracle.close();
  await server[Symbol.asyncDispose]();
});

function connect(options: Partial<OracleClientOptions> = {}) {
  return createOracleClient({ url: server.url, token: 'secret', ...options });
}

/** Acknowledges every connection and lets the test answer subscriptions. */
function serve(onSubscribe: (id: string, socket: SeenSocket, payload: unknown) => void) {
  server.onMessage(({ type, id = '', payload }, socket) => {
    if (type === 'connection_init') {
      connections.push(payload);
      socket.send({ type: 'connection_ack' });
    }
    if (type === 'subscribe') onSubscribe(id, socket, payload);
  });
}

function settings(id: string) {
  return { data: { settingsChanged: { __typename: 'User', id } } };
}

describe('a subscription', () => {
  it('yields what arrives and ends when the server completes it', async () => {
    serve((id, socket) => {
      for (const user of ['a', 'b']) socket.send({ type: 'next', id, payload: settings(user) });
      socket.send({ type: 'complete', id });
    });

    expect(await Array.fromAsync(oracle.settings.watch(), (user) => user.id)).toEqual(['a', 'b']);
    expectTypeOf(oracle.settings.watch).returns.toEqualTypeOf<AsyncGenerator<UserSettings, void>>();
  });

  it('connects only when read, with the token in the first message and not in the address', async () => {
    const paths: string[] = [];
    serve((id, socket, payload) => {
      paths.push(socket.path);
      socket.send({ type: 'next', id, payload: settings(JSON.stringify(payload)) });
    });
    const changes = oracle.settings.watch({ userId: 'u1' });
    expect(server.openSockets).toBe(0);

    const { value } = await changes.next();

    expect(value?.id).toContain('"variables":{"userId":"u1"}');
    expect(connections).toEqual([{ authorization: 'Bearer secret' }]);
    expect(paths).toEqual(['/graphql']);
  });

  it('stops listening when the loop is left, and closes the connection', async () => {
    serve((id, socket) => socket.send({ type: 'next', id, payload: settings('a') }));

    for await (const user of oracle.settings.watch()) {
      expect(user.id).toBe('a');
      break;
    }

    await expect.poll(() => server.openSockets).toBe(0);
  });

  it('ends quietly when the signal aborts', async () => {
    serve((id, socket) => socket.send({ type: 'next', id, payload: settings('a') }));
    const controller = new AbortController();
    const seen: string[] = [];

    for await (const user of oracle.settings.watch({ signal: controller.signal })) {
      seen.push(user.id);
      setTimeout(() => controller.abort(), 20);
    }

    expect(seen).toEqual(['a']);
    await expect.poll(() => server.openSockets).toBe(0);
  });

  it('ends when the client is closed', async () => {
    serve((id, socket) => socket.send({ type: 'next', id, payload: settings('a') }));
    const changes = oracle.settings.watch();
    await changes.next();

    oracle.close();

    expect((await changes.next()).done).toBe(true);
    await expect.poll(() => server.openSockets).toBe(0);
  });

  it('shares one connection among all who listen', async () => {
    serve((id, socket) => socket.send({ type: 'next', id, payload: settings(id) }));
    const [first, second] = [oracle.settings.watch(), oracle.settings.watch({ userId: 'u2' })];

    await Promise.all([first.next(), second.next()]);

    expect(connections).toHaveLength(1);
  });

  it.each(['global', 'ws'])(
    'reconnects after a lost connection and asks for a new token (%s WebSocket)',
    async (kind) => {
      serve((id, socket) => {
        socket.send({ type: 'next', id, payload: settings(`connection ${connections.length}`) });
        if (connections.length < 3) setTimeout(() => socket.cut(), 10);
      });
      let count = 0;
      oracle = connect({ token: () => `t${++count}`, ...(kind === 'ws' && { WebSocket: NodeWebSocket }) });
      const seen: string[] = [];

      for await (const { id } of oracle.settings.watch()) if (seen.push(id) === 3) break;

      expect(seen).toEqual(['connection 1', 'connection 2', 'connection 3']);
      expect(connections).toEqual(['t1', 't2', 't3'].map((token) => ({ authorization: `Bearer ${token}` })));
    },
  );

  it('throws the code of an error the server sends, without the token', async () => {
    const errors = [{ message: 'Not with secret.', extensions: { code: 'FORBIDDEN' } }];
    serve((id, socket) => socket.send({ type: 'error', id, payload: errors }));

    expect(await failureOf(oracle)).toMatchObject({ code: 'FORBIDDEN', message: 'Not with [token].' });
  });

  it('throws the errors of an event', async () => {
    const errors = [{ message: 'Gone.', extensions: { code: 'NOT_FOUND' } }];
    serve((id, socket) => socket.send({ type: 'next', id, payload: { data: null, errors } }));

    expect(await failureOf(oracle)).toMatchObject({ code: 'NOT_FOUND', messages: ['Gone.'] });
  });

  it('throws UNAUTHENTICATED at once when the token is refused', async () => {
    server.onMessage((_message, socket) => {
      connections.push('attempt');
      socket.close(4403, 'Forbidden');
    });

    expect(await failureOf(oracle)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(connections).toHaveLength(1);
  });

  it('replaces a token that ran out while connected, when it can ask for another', async () => {
    serve((id, socket) => {
      socket.send({ type: 'next', id, payload: settings(`connection ${connections.length}`) });
      if (connections.length === 1) socket.close(4403, 'Forbidden');
    });
    oracle = connect({ token: () => 'fresh' });
    const changes = oracle.settings.watch();

    expect((await changes.next()).value?.id).toBe('connection 1');
    expect((await changes.next()).value?.id).toBe('connection 2');
  });

  it('asks for another token once when one is refused at the door', async () => {
    server.onMessage((_message, socket) => socket.close(4403, 'Forbidden'));
    const token = vi.fn((_asked: { readonly refused: boolean }) => 'wrong');
    oracle = connect({ token });

    expect(await failureOf(oracle)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(token.mock.calls).toEqual([[{ refused: false }], [{ refused: true }]]);
  });

  it('throws at once when the token function fails, without its words', async () => {
    serve(() => {});
    const token = vi.fn(() => Promise.reject(new Error('cannot refresh secret')));
    oracle = connect({ token });

    expect(await failureOf(oracle)).toMatchObject({ code: 'UNAUTHENTICATED', message: 'The token function failed.' });
    expect(token).toHaveBeenCalledOnce();
  });

  it('never tires of reconnecting to a server that was there once', { timeout: 15_000 }, async () => {
    serve((id, socket) => {
      socket.send({ type: 'next', id, payload: settings('a') });
      setTimeout(() => socket.cut(), 5);
    });
    let seen = 0;

    for await (const _ of oracle.settings.watch()) if (++seen === 8) break;

    expect(connections).toHaveLength(8);
  });

  it('gives up with NETWORK when the server was never there', { timeout: 15_000 }, async () => {
    const { url } = server;
    await server[Symbol.asyncDispose]();
    oracle = connect({ url });

    expect(await failureOf(oracle)).toMatchObject({ code: 'NETWORK' });
  });

  it('can be stopped in the pause between two attempts, leaving no timer behind', async () => {
    const { url } = server;
    await server[Symbol.asyncDispose]();
    oracle = connect({ url });
    using started = vi.spyOn(globalThis, 'setTimeout');
    using cleared = vi.spyOn(globalThis, 'clearTimeout');

    expect(await Array.fromAsync(oracle.settings.watch({ signal: AbortSignal.timeout(100) }))).toEqual([]);
    const stopped = new Set(cleared.mock.calls.map(([timer]) => timer));
    expect(started).toHaveBeenCalled();
    for (const { value } of started.mock.results) expect(stopped).toContain(value);
  });
});

async function failureOf(client: OracleClient): Promise<OracleError> {
  const failure: unknown = await Array.fromAsync(client.settings.watch()).catch((reason: unknown) => reason);
  expect(failure).toMatchObject({ name: 'OracleError' });
  return failure as OracleError;
}
