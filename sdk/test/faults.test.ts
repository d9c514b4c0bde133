import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket as NodeWebSocket } from 'ws';
import type {} from '../../api/test/kit/global-setup.ts';
import { type Kit, startKit, type TestUser } from '../../api/test/kit/kit.ts';
import {
  type ConnectionState,
  createOracleClient,
  type OracleChunk,
  type OracleClient,
  type OracleClientOptions,
} from '../src/index.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { expectSameRun } from './same-run.ts';

let kit: Kit;
let user: TestUser;
let proxy: FaultyProxy;
let direct: OracleClient;

beforeAll(async () => {
  kit = await startKit();
  user = await kit.newUser();
  proxy = await startFaultyProxy(kit.url);
  direct = createOracleClient({ url: kit.url, token: user.token });
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await kit.stop();
});

function connect(options: Partial<OracleClientOptions> = {}): OracleClient {
  return createOracleClient({ url: proxy.url, token: user.token, retryDelay: () => 1, ...options });
}

const faults: fc.Arbitrary<readonly Fault[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Fault>('pass') },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Fault>('drop', 'duplicate', 'delay', 'cut', 'cut-after', 'restart'),
    },
  ),
  { maxLength: 60, size: 'max' },
);

describe.each(['ws', 'sse'] as const)('over %s, whatever the network does', (transport) => {
  it.each(['simulated/think', 'simulated/fan-out', 'simulated/long'])(
    'the loop sees each chunk of %s exactly once, in order',
    async (model) => {
      await fc.assert(
        fc.asyncProperty(faults, fc.boolean(), async (planned, slow) => {
          proxy.plan(planned);
          const oracle = connect({ transport, ...(transport === 'ws' && { WebSocket: NodeWebSocket }) });
          const run = oracle.ask({ question: 'What did we decide about caching?', model });
          const seen: OracleChunk[] = [];
          for await (const chunk of run) {
            seen.push(chunk);
            if (slow) await new Promise((resolve) => setImmediate(resolve));
          }
          oracle.close();
          const truth = await Array.fromAsync(direct.follow(await run.id));

          expectSameRun(seen, truth);
          expect(seen.at(-1)?.__typename).toBe('DoneChunk');
        }),
        { numRuns: model === 'simulated/long' ? 5 : 12, endOnFailure: true },
      );
    },
  );

  it('a question is asked once, however often its connection breaks before the first chunk', async () => {
    const before = (await direct.runs.list()).totalCount;
    proxy.plan(['cut', 'restart', 'drop', 'cut', 'cut']);
    const oracle = connect({ transport });

    const { ending } = await oracle.ask({ question: 'Once.', model: 'simulated/answer' }).result();

    expect(ending.reason).toBe('COMPLETED');
    expect((await direct.runs.list()).totalCount).toBe(before + 1);
    oracle.close();
  });
});

describe('auto', () => {
  it('falls back to server-sent events where WebSockets are blocked, and stays there', async () => {
    proxy.plan([]);
    proxy.blockSockets = true;
    const states: ConnectionState[] = [];
    const oracle = connect({ transport: 'auto', onConnection: (state) => states.push(state) });

    const first = await oracle.ask({ question: 'Anyway.', model: 'simulated/answer' }).result();
    const second = await oracle.ask({ question: 'Again.', model: 'simulated/answer' }).result();

    proxy.blockSockets = false;
    expect([first.ending.reason, second.ending.reason]).toEqual(['COMPLETED', 'COMPLETED']);
    const told = states.map((state) => ('transport' in state ? `${state.status} ${state.transport}` : state.status));
    expect(told.filter((state) => state !== 'idle').slice(0, 3)).toEqual([
      'connecting ws',
      'connecting sse',
      'connected sse',
    ]);
    expect(told.filter((state) => state.endsWith(' ws'))).toHaveLength(1);
  });
});
