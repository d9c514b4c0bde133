import { randomUUID } from 'node:crypto';
import { askQuery, benchToken, followQuery } from './contenders.ts';
import { type MeasuredProcess, startMeasured } from './measured-process.ts';
import type { Section } from './report.ts';
import { connect, type SocketConnection } from './streams.ts';
import { brief, endless } from './workload.ts';

const subscriptions = 1_000;
/** So many are there already: the areas that objects are made in have grown by then, whoever made them grow. */
const warmUp = 1_000;

/** Runs one after the other, on as many connections as a person may have at work. */
const endedRuns = 500;
const atOnce = 4;

/** What somebody costs who waits: a connection with nothing on it, against one that follows a run that is silent. */
export async function benchMemory(databaseUrl: string): Promise<Section> {
  const raw = await startMeasured('raw-server', 'single');
  const oracle = await startMeasured('oracle-server', databaseUrl, benchToken);
  try {
    const runId = await startSilentRun(oracle.url);
    const follow = () =>
      JSON.stringify({ id: randomUUID(), type: 'subscribe', payload: { query: followQuery, variables: { runId } } });
    const bare = await costOf(raw, undefined, undefined);
    const ours = await costOf(oracle, benchToken, follow);
    const left = await leftByRuns(oracle);
    return {
      title: `Memory: bytes for each of ${subscriptions} subscriptions that wait`,
      rows: {
        'raw ws, an idle connection': bare,
        'Oracle Agent, following a silent run': ours,
        ratio: { heap: ours.heap / bare.heap, resident: ours.resident / bare.resident },
        'Oracle Agent, a run that has ended': { heap: left },
      },
      goals: [
        { what: 'Heap of a waiting subscription, against raw ws', measured: ours.heap / bare.heap, atMost: 3 },
        {
          what: 'A run that has ended, until a full collection of garbage',
          measured: left / 1_000,
          atMost: 10,
          unit: 'kB',
        },
      ],
    };
  } finally {
    await Promise.all([raw.stop(), oracle.stop()]);
  }
}

async function startSilentRun(url: string): Promise<string> {
  const query = `subscription { oracleQuery(input: { question: "${endless}" }) { ... on StreamChunk { runId } } }`;
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${benchToken}` },
    body: JSON.stringify({ query }),
  });
  let text = '';
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString('utf8');
    const [, runId] = /"runId":"([^"]+)"/.exec(text) ?? [];
    if (runId) return runId;
  }
  throw new Error('The silent run did not begin.');
}

/** What is still held of each run when quick collections of garbage have done what they can. */
async function leftByRuns(server: MeasuredProcess): Promise<number> {
  const connections = await Promise.all(Array.from({ length: atOnce }, () => connect(server.url, benchToken)));
  const ask = async (runs: number) => {
    const payload = { query: askQuery, variables: { input: { question: brief } } };
    const several = async (connection: SocketConnection) => {
      for (let run = 0; run < runs / atOnce; run += 1)
        await connection.stream(JSON.stringify({ id: randomUUID(), type: 'subscribe', payload }));
    };
    await Promise.all(connections.map(several));
  };
  await ask(endedRuns);
  await server.memory(); // nothing is left of what came before
  const before = await server.old();
  await ask(endedRuns);
  const after = await server.old();
  for (const connection of connections) connection.close();
  return (after - before) / endedRuns;
}

async function costOf(server: MeasuredProcess, token: string | undefined, request: (() => string) | undefined) {
  const open = async (count: number) => {
    const connections = await Promise.all(Array.from({ length: count }, () => connect(server.url, token)));
    if (request) await Promise.all(connections.map((connection) => connection.begin(request())));
    return connections;
  };
  const first = await open(warmUp);
  const before = await server.memory();
  const connections = await open(subscriptions);
  const after = await server.memory();
  for (const connection of [...first, ...connections]) connection.close();
  return {
    heap: (after.heap - before.heap) / subscriptions,
    resident: (after.resident - before.resident) / subscriptions,
  };
}
