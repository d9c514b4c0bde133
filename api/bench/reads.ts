import pg from 'pg';
import { measureConfigReads } from './config-reads.ts';
import { benchToken } from './contenders.ts';
import { type MeasuredProcess, startMeasured } from './measured-process.ts';
import { plantRows } from './plant-rows.ts';
import type { Section } from './report.ts';

const few = 1_000;
const rounds = 40;
const warmUps = 10;

interface List {
  readonly query: string;
  /** The values of the cursor's columns, for a row in the middle of the list. */
  readonly middle: string;
}

const page = 'edges { cursor node { id } } pageInfo { hasNextPage endCursor }';
const lists: Readonly<Record<string, List>> = {
  users: {
    query: `query ($after: String) { it: users(first: 20, after: $after) { ${page} } }`,
    middle: 'select sort_name as a, id as b from users order by sort_name, id',
  },
  runs: {
    query: `query ($after: String) { it: runs(filter: { everyone: true }, first: 20, after: $after) { ${page} } }`,
    middle: 'select started_at as a, id as b from runs order by started_at desc, id desc',
  },
  conversations: {
    query: `query ($after: String, $userId: ID) { it: conversations(userId: $userId, first: 20, after: $after) { ${page} } }`,
    middle: `select updated_at as a, id as b from conversations where title like 'Conv%' order by updated_at desc, id desc`,
  },
  settingChanges: {
    query: `query ($after: String) { it: settingChanges(first: 20, after: $after) { ${page} } }`,
    middle: 'select id::text as a from setting_changes order by id desc',
  },
};

/** Pages of long lists against pages of short ones, and what reading one's settings costs. */
export async function benchReads(databaseUrl: string): Promise<Section> {
  const many = process.argv.includes('--reads') ? 1_000_000 : 100_000;
  const sizes = [few, many];
  const sides = await Promise.all(sizes.map((size) => open(databaseUrl, size)));
  try {
    const rows: Record<string, Record<string, number>> = {};
    const growths: [string, number][] = [];
    for (const [name, { query, middle }] of Object.entries(lists)) {
      for (const [place, deep] of [
        ['first page', false],
        ['a page in the middle', true],
      ] as const) {
        const cursors = await Promise.all(
          sides.map((side, index) => (deep ? cursorOf(side.url, middle, sizes[index] ?? 0) : undefined)),
        );
        const costs = await measurePages(sides, query, cursors);
        const growth = (costs[1] ?? Number.NaN) / (costs[0] ?? Number.NaN);
        rows[`${name}, ${place}`] = {
          [`${few} rows, ms`]: costs[0] ?? Number.NaN,
          [`${many} rows, ms`]: costs[1] ?? Number.NaN,
          ratio: growth,
        };
        growths.push([`${name}, ${place}`, growth]);
      }
    }
    const config = await measureConfigReads(databaseUrl, benchToken);
    rows['agentConfig over HTTP: CPU µs of a stock server, of the product, ratio'] = {
      stock: config.stock,
      product: config.product,
      ratio: config.stock / config.product,
    };
    return {
      title: `Reading: milliseconds for a page of 20, of ${few} and of ${many} rows, and one's own settings`,
      rows,
      goals: [
        ...growths.map(([what, measured]) => ({
          what: `${what}: ${many} rows against ${few}`,
          measured,
          atMost: 1.2,
        })),
        {
          what: 'agentConfig over HTTP, against Yoga with MikroORM',
          measured: config.stock / config.product,
          atLeast: 2,
        },
      ],
    };
  } finally {
    await Promise.all(sides.map(({ server }) => server.stop()));
  }
}

interface Side {
  readonly url: string;
  readonly server: MeasuredProcess;
  readonly userId: string;
}

/** A database and a server of its own for each size. */
async function open(databaseUrl: string, size: number): Promise<Side> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`create database reads_${size}`);
  await client.end();
  const url = Object.assign(new URL(databaseUrl), { pathname: `/reads_${size}` }).href;
  const server = await startMeasured('oracle-server', url, benchToken);
  const { userId } = await plantRows(url, size);
  return { url, server, userId };
}

async function cursorOf(url: string, middle: string, size: number): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ a: Date | string; b?: string }>(`${middle} offset $1 limit 1`, [size / 2]);
  await client.end();
  const values = Object.values(rows[0] ?? {});
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** By turns, so that whatever else the machine does falls on both; the best of each counts. */
async function measurePages(
  sides: readonly Side[],
  query: string,
  cursors: readonly (string | undefined)[],
): Promise<readonly number[]> {
  const best = sides.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < warmUps + rounds; round += 1) {
    for (const [index, { server, userId }] of sides.entries()) {
      const start = performance.now();
      await ask(server.url, query, { after: cursors[index], userId });
      if (round >= warmUps) best[index] = Math.min(best[index] ?? Number.NaN, performance.now() - start);
    }
  }
  return best;
}

async function ask(url: string, query: string, variables: object): Promise<void> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${benchToken}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data?: { it: { edges: unknown[] } }; errors?: unknown };
  if (data?.it.edges.length !== 20) throw new Error(`A page could not be read: ${JSON.stringify(errors)}`);
}
