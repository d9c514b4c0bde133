import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { benchToken, followQuery } from './contenders.ts';
import { startMeasured } from './measured-process.ts';
import { median, quantile } from './median.ts';
import { createPeople } from './people.ts';
import { connect } from './streams.ts';

const streams = 200;
const chunks = 10_000;
/** They are cut off then: all of it would take too long. */
const measuredMs = 6_000;

/** How long somebody waits for their settings while long runs are replayed to others. */
export async function measureDuringReplays(databaseUrl: string) {
  const server = await startMeasured('oracle-server', databaseUrl, benchToken);
  try {
    const [person = ''] = await createPeople(server.url, benchToken, 1, randomUUID());
    const runId = await plantRun(databaseUrl);
    const connections = await Promise.all(Array.from({ length: streams }, () => connect(server.url, benchToken)));
    const request = (stream: number) =>
      JSON.stringify({ id: `${stream}`, type: 'subscribe', payload: { query: followQuery, variables: { runId } } });
    const times = askingFor(server.url, person, measuredMs);
    for (const [index, connection] of connections.entries()) connection.stream(request(index)).catch(() => undefined);
    const measured = await times;
    for (const connection of connections) connection.close();
    return { streams, chunks, medianMs: median(measured), p99Ms: quantile(measured, 0.99) };
  } finally {
    await server.stop();
  }
}

/** On a thread of its own: this one is busy with what is replayed to it. */
async function askingFor(url: string, token: string, forMs: number): Promise<readonly number[]> {
  const worker = new Worker(asking, { eval: true, workerData: { url, token, forMs } });
  const [times] = (await once(worker, 'message')) as [readonly number[]];
  return times;
}

const asking = `
  const { parentPort, workerData: { url, token, forMs } } = require('node:worker_threads');
  const body = JSON.stringify({ query: '{ agentConfig { maxIterations version } }' });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + token };
  const times = [];
  const end = performance.now() + forMs;
  (async () => {
    while (performance.now() < end) {
      const start = performance.now();
      await (await fetch(url + '/graphql', { method: 'POST', headers, body })).text();
      times.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    parentPort.postMessage(times.slice(5));
  })();`;

/** A long run that has ended, as its log would have it. */
async function plantRun(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const [runId, nodeId, conversationId] = [randomUUID(), randomUUID(), randomUUID()];
  try {
    await client.query(`insert into conversations (id, user_id, title) select $1, id, 'Long' from users limit 1`, [
      conversationId,
    ]);
    await client.query(`insert into exchanges (id, conversation_id, run_id, question) values ($1, $2, $3, 'Why?')`, [
      nodeId,
      conversationId,
      runId,
    ]);
    await client.query(
      `insert into runs (id, user_id, conversation_id, node_id, question, model, decision_tree, config, status, reason, last_seq)
       select $1, id, $2, $3, 'Why?', 'bench', 'default', '{}', 'ENDED', 'COMPLETED', $4 from users limit 1`,
      [runId, conversationId, nodeId, chunks],
    );
    await client.query(
      `insert into run_chunks (run_id, seq, at, type, body)
       select $1, n, now(), 'ContentChunk', '{"type":"ContentChunk","text":"a word or two "}'
       from generate_series(1, $2::int) as n`,
      [runId, chunks],
    );
    return runId;
  } finally {
    await client.end();
  }
}
