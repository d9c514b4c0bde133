import { randomUUID } from 'node:crypto';
import { openDatabase } from '../src/store/database.ts';
import { startMeasured } from './measured-process.ts';
import { median } from './median.ts';
import { createPeople } from './people.ts';
import type { Section } from './report.ts';
import { type Connection, connect } from './streams.ts';

/** What a conversation of this size costs. */
interface HistoryCost {
  readonly exchanges: number;
  /** The page that a client opens it with. */
  readonly openMs: number;
  /** From a question in it to the first chunk of the answer. */
  readonly askMs: number;
}

const sizes = [200, 10_000] as const;
const rounds = 14;
const warmUps = 3;
const bound = 2;
const token = 'the-token-of-the-benchmark';

const open = `query ($id: ID!) { conversation(id: $id) {
  title headId activeRunId path(last: 100) { id parentId question answer partial ending { reason message } } nodes(first: 100) { id parentId label checkpoint }
} }`;
const ask = `subscription ($input: OracleQueryInput!) { oracleQuery(input: $input) {
  __typename ... on StreamChunk { seq } ... on ContentChunk { text } } }`;

/** A conversation must cost as much to open and to ask in whether it is short or long. */
export async function benchHistory(databaseUrl: string): Promise<Section> {
  const [small, big] = await measureHistory(databaseUrl);
  if (!small || !big) throw new Error('A size was not measured.');
  const ratios = { openMs: big.openMs / small.openMs, askMs: big.askMs / small.askMs };
  const against = `a conversation of ${big.exchanges}, against one of ${small.exchanges}`;
  return {
    title: 'A long conversation: milliseconds to open it, and to the first chunk of an answer in it',
    rows: {
      [`${small.exchanges} exchanges`]: { open: small.openMs, ask: small.askMs },
      [`${big.exchanges} exchanges`]: { open: big.openMs, ask: big.askMs },
      ratio: { open: ratios.openMs, ask: ratios.askMs },
    },
    goals: [
      { what: `Opening ${against}`, measured: ratios.openMs, atMost: bound },
      { what: `Asking in ${against}`, measured: ratios.askMs, atMost: bound },
    ],
  };
}

async function measureHistory(databaseUrl: string): Promise<readonly HistoryCost[]> {
  const server = await startMeasured('oracle-server', databaseUrl, token);
  try {
    const [person = ''] = await createPeople(server.url, token, 1, 'history');
    const conversations = await Promise.all(sizes.map((size) => plant(databaseUrl, size)));
    const connection = await connect(server.url, person);
    const opened: number[][] = sizes.map(() => []);
    const asked: number[][] = sizes.map(() => []);
    for (let round = 0; round < warmUps + rounds; round += 1) {
      for (const [index, id] of conversations.entries()) {
        opened[index]?.push(await timeOf(() => openOver(server.url, person, id)));
        asked[index]?.push(await askOver(connection, id, round));
      }
    }
    connection.close();
    return sizes.map((exchanges, index) => ({
      exchanges,
      openMs: median((opened[index] ?? []).slice(warmUps)),
      askMs: median((asked[index] ?? []).slice(warmUps)),
    }));
  } finally {
    await server.stop();
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function openOver(url: string, person: string, id: string): Promise<void> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${person}` },
    body: JSON.stringify({ query: open, variables: { id } }),
  });
  const { data } = (await response.json()) as { data?: { conversation: { path: unknown[] } | null } };
  if (data?.conversation?.path.length !== 100) throw new Error('The conversation could not be opened.');
}

async function askOver(connection: Connection, conversationId: string, round: number): Promise<number> {
  const input = { question: 'And then?', conversationId, config: { maxIterations: 1 } };
  const request = {
    id: `${conversationId}-${round}`,
    type: 'subscribe',
    payload: { query: ask, variables: { input } },
  };
  return (await connection.stream(JSON.stringify(request))).firstMs;
}

/** A long path with a side branch at every tenth exchange, of the person that was made last. */
async function plant(databaseUrl: string, size: number): Promise<string> {
  const database = await openDatabase(databaseUrl);
  const id = randomUUID();
  try {
    await database.fork().transactional(async (em) => {
      const owner = `select ?, id, ? from users order by created_at desc limit 1`;
      await em.execute(`insert into conversations (id, user_id, title) ${owner}`, [id, 'Bench']);
      await em.execute(planted, [id, id, id, size]);
      await em.execute(`update conversations set head_id = md5(? || ':' || ?::int)::uuid where id = ?`, [
        id,
        size - 1,
        id,
      ]);
    });
  } finally {
    await database.close();
  }
  return id;
}

const ending = JSON.stringify({ reason: 'COMPLETED', message: 'Answered in 1 turn.' });
const planted = `
  insert into exchanges (id, conversation_id, parent_id, run_id, question, answer, partial, ending, created_at)
  select md5(? || ':' || n)::uuid, ?::uuid,
    case when n > 0 then md5(? || ':' || case when n % 10 = 5 then greatest(n - 2, 0) else n - 1 - (n % 10 = 6)::int end)::uuid end,
    gen_random_uuid(), 'Question number ' || n, repeat('A sentence of some length. ', 30), false, '${ending}',
    now() - (10000 - n) * interval '1 second'
  from generate_series(0, ?::int - 1) as n`;
