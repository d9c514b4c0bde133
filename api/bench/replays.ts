import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { benchToken, followQuery } from './contenders.ts';
import { startMeasured } from './measured-process.ts';
import { median, quantile } from './median.ts';
import { createPeople } from './people.ts';
import { connect, type SocketConnection } from './streams.ts';

const streams = 200;
const chunks = 10_000;
/** They are cut off then. */
const measuredMs = 6_000;

/** How long somebody waits for their settings while long runs are replayed to others. */
export async function measureDuringReplays(databaseUrl: string) {
  const server = await startMeasured('oracle-server', databaseUrl, benchToken);
  try {
    const [person = ''] = await createPeople(server.url, benchToken, 1, randomUUID());
    const runIds = await plantRuns(databaseUrl);
    const connections = await Promise.all(runIds.map(() => connect(server.url, benchToken)));
    const asking = new Asking(server.url, person);
    await asking.ready;
    const replays = connections.map((connection, place) => new Replay(connection, runIds[place] ?? ''));
    const times = await asking.during(measuredMs);
    const untouched = replays.filter(({ frames }) => frames === 0).length;
    await Promise.all(replays.map((replay) => replay.end()));
    if (untouched > 0) throw new Error(`${untouched} of ${streams} replays had not begun when the time was over.`);
    const replayed = replays.reduce((sum, { frames }) => sum + frames, 0);
    return { streams, chunks, replayed, medianMs: median(times), p99Ms: quantile(times, 0.99) };
  } finally {
    await server.stop();
  }
}

/** One run, replayed again and again until it is ended. */
class Replay {
  frames = 0;
  #ended = false;
  readonly #connection: SocketConnection;
  readonly #going: Promise<void>;

  constructor(connection: SocketConnection, runId: string) {
    this.#connection = connection;
    this.#going = this.#go(runId);
  }

  /** Throws what went wrong before. */
  end(): Promise<void> {
    this.#ended = true;
    this.#connection.close();
    return this.#going;
  }

  async #go(runId: string): Promise<void> {
    const payload = { query: followQuery, variables: { runId } };
    while (!this.#ended) {
      const request = JSON.stringify({ id: randomUUID(), type: 'subscribe', payload });
      const count = () => {
        this.frames += 1;
      };
      await this.#connection.stream(request, count).catch((error: unknown) => {
        if (!this.#ended) throw error;
      });
    }
  }
}

/** Asks for settings on a thread of its own: this one is busy with what is replayed to it. */
class Asking {
  readonly #worker: Worker;
  readonly ready: Promise<unknown>;

  constructor(url: string, token: string) {
    this.#worker = new Worker(asking, { eval: true, workerData: { url, token } });
    this.ready = once(this.#worker, 'message');
  }

  async during(milliseconds: number): Promise<readonly number[]> {
    const answered = once(this.#worker, 'message');
    this.#worker.postMessage(milliseconds);
    const [times] = (await answered) as [readonly number[]];
    return times;
  }
}

const asking = `
  const { parentPort, workerData: { url, token } } = require('node:worker_threads');
  const body = JSON.stringify({ query: '{ agentConfig { maxIterations version } }' });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + token };
  async function ask() {
    const start = performance.now();
    const text = await (await fetch(url + '/graphql', { method: 'POST', headers, body })).text();
    if (!text.includes('maxIterations')) throw new Error(text);
    return performance.now() - start;
  }
  (async () => {
    for (let asked = 0; asked < 20; asked += 1) await ask();
    parentPort.postMessage('ready');
    parentPort.once('message', async (forMs) => {
      const times = [];
      for (const end = performance.now() + forMs; performance.now() < end; ) {
        times.push(await ask());
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      parentPort.postMessage(times);
    });
  })();`;

/** Long runs that have ended, as their logs would have them. */
async function plantRuns(databaseUrl: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const rows = Array.from({ length: streams }, () => [randomUUID(), randomUUID(), randomUUID()]);
  const columns = [0, 1, 2].map((column) => rows.map((row) => row[column]));
  const given = 'unnest($1::uuid[], $2::uuid[], $3::uuid[]) as given (run_id, node_id, conversation_id)';
  try {
    await client.query(
      `insert into conversations (id, user_id, title)
       select conversation_id, (select id from users limit 1), 'Long' from ${given}`,
      columns,
    );
    await client.query(
      `insert into exchanges (id, conversation_id, run_id, question)
       select node_id, conversation_id, run_id, 'Why?' from ${given}`,
      columns,
    );
    await client.query(
      `insert into runs (id, user_id, conversation_id, node_id, question, model, decision_tree, config, status, reason, last_seq)
       select run_id, (select id from users limit 1), conversation_id, node_id, 'Why?', 'bench', 'default', '{}', 'ENDED',
         'COMPLETED', $4 from ${given}`,
      [...columns, chunks],
    );
    await client.query(
      `insert into run_chunks (run_id, seq, at, type, body)
       select run_id, n, now(), 'ContentChunk', '{"type":"ContentChunk","text":"a word or two "}'
       from unnest($1::uuid[]) as run_id, generate_series(1, $2::int) as n`,
      [columns[0], chunks],
    );
    await client.query('analyze run_chunks');
    return rows.map(([runId = '']) => runId);
  } finally {
    await client.end();
  }
}
