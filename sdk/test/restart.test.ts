import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {} from '../../api/test/kit/global-setup.ts';
import { createServerPair, type RunningServer, type ServerPair } from '../../api/test/kit/server-pair.ts';
import { type ConnectionState, createOracleClient, type OracleChunk } from '../src/index.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { expectSameRun } from './same-run.ts';

let pair: ServerPair;
let server: RunningServer;
let proxy: FaultyProxy;

beforeAll(async () => {
  pair = await createServerPair();
  server = await pair.start();
  proxy = await startFaultyProxy(server.url);
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await pair.dispose();
});

describe.each(['ws', 'sse'] as const)('over %s, a server that restarts in mid-run', (transport) => {
  it.each(['SIGTERM', 'SIGKILL'] as const)('is not seen by the loop, which ends with the run (%s)', async (signal) => {
    const states: ConnectionState['status'][] = [];
    const oracle = createOracleClient({
      url: proxy.url,
      token: server.user.token,
      transport,
      retryDelay: () => 50,
      onConnection: ({ status }) => states.push(status),
    });
    const run = oracle.ask({ question: 'Slowly, please.', model: 'simulated/slow' });
    const seen: OracleChunk[] = [];
    let restarted: Promise<void> | undefined;

    for await (const chunk of run) {
      seen.push(chunk);
      restarted ??= restart(signal);
    }

    await restarted;
    const { ending } = await run.result();
    expect(ending.reason).toBe('INTERRUPTED');
    expectSameRun(seen, await Array.fromAsync(oracle.follow(await run.id)));
    if (signal === 'SIGKILL') expect(states).toContain('waiting');
    oracle.close();
  });
});

async function restart(signal: NodeJS.Signals): Promise<void> {
  await server.end(signal);
  server = await pair.start();
  proxy.target = server.url;
}
