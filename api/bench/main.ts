/**
 * `npm run bench`: what delivery and the loop cost, as multiples of the least that would do. Only ratios within one run
 * mean anything. Ends with 1 when a bound is broken. `--profile` leaves profiles of the servers in the
 * folder for temporary files.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../src/logger.ts';
import { startEmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';
import { connectAll, type DeliveryCost, measureDeliveries, streams } from './delivery.ts';
import { benchHistory } from './history.ts';
import { measureLogDelay } from './log-delay.ts';
import { measureLoop } from './loop.ts';
import { startMeasured } from './measured-process.ts';
import { createPeople } from './people.ts';
import { benchSearch } from './search.ts';

const bounds = { perChunk: 8, growth: 2, logDelayMs: 10 };
/** Each prints what it measured, and answers with a sentence for each bound that it found broken. */
const sections: readonly ((databaseUrl: string) => Promise<readonly string[]>)[] = [benchHistory, benchSearch];
const pacedStreams = [10, 50];
const runsPerPerson = 5;
const token = 'the-token-of-the-benchmark';
const query = `subscription ($input: OracleQueryInput!) { oracleQuery(input: $input) {
  __typename ... on StreamChunk { runId seq fromSeq at } ... on ContentChunk { text } ... on ThinkingChunk { text }
  ... on ToolCallChunk { callId name arguments turn status } ... on ToolResultChunk { callId name ok result error }
  ... on DoneChunk { terminationReason conversationId nodeId ending { message turns durationMs } }
} }`;

async function measureServers(
  databaseUrl: string,
): Promise<{ readonly oracle: DeliveryCost; readonly raw: DeliveryCost }> {
  const oracle = await startMeasured('oracle-server', databaseUrl, token);
  const raw = await startMeasured('raw-server');
  try {
    const people = await createPeople(oracle.url, token, Math.ceil(streams / runsPerPerson));
    const connections = await connectAll(oracle.url, people);
    const request = (round: number, stream: number) =>
      JSON.stringify({
        id: `${round}-${stream}`,
        type: 'subscribe',
        payload: { query, variables: { input: { question: 'Why?' } } },
      });
    const frames: string[] = [];
    await connections[0]?.stream(request(-1, 0), frames);
    raw.send({ frames });
    const rawConnections = await connectAll(raw.url, [undefined]);
    const costs = await measureDeliveries({
      raw: { server: raw, connections: rawConnections, request: () => 'go' },
      oracle: { server: oracle, connections, request },
    });
    for (const connection of [...connections, ...rawConnections]) connection.close();
    return costs;
  } finally {
    await Promise.all([oracle.stop(), raw.stop()]);
  }
}

async function main(): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'oracle-bench-'));
  await chmod(scratch, 0o755); // root's PostgreSQL runs as somebody else
  const postgres = await startEmbeddedPostgres({ dataDir: join(scratch, 'data'), log: createLogger('error') });
  try {
    const { oracle, raw } = await measureServers(postgres.url);
    const delays = await measureLogDelay(postgres.url, pacedStreams);
    const loop = await measureLoop([5, 15, 50, 200]);
    const at = (turns: number) => loop.find((cost) => cost.turns === turns)?.runner ?? Number.NaN;
    const perChunk = oracle.perChunk / raw.perChunk;
    const growth = at(200) / at(15);

    console.log(`\nDelivery: ${streams} streams at once, ${Math.round(oracle.chunks)} chunks each, no delay`);
    console.table({
      'raw ws, one send per chunk': row(raw),
      'Oracle Agent, stored before delivered': row(oracle),
      ratio: { 'server CPU µs per chunk': round(perChunk) },
    });
    console.log('Stored before delivered: from append to reader, one chunk each 20 ms');
    console.table(
      Object.fromEntries(
        delays.map(({ streams, medianMs, p95Ms }) => [
          `${streams} streams`,
          { 'median ms': round(medianMs), 'p95 ms': round(p95Ms) },
        ]),
      ),
    );
    console.log('The loop alone: CPU per turn');
    console.table(
      Object.fromEntries(
        loop.map(({ turns, bare, runner }) => [
          `${turns} turns`,
          { 'bare loop µs': round(bare), 'runner µs': round(runner), ratio: round(runner / bare) },
        ]),
      ),
    );
    const broken = [
      ...(perChunk <= bounds.perChunk
        ? []
        : [`A chunk costs ${round(perChunk)} × raw; at most ${bounds.perChunk} is allowed.`]),
      ...(growth <= bounds.growth
        ? []
        : [`A turn of 200 costs ${round(growth)} × a turn of 15; at most ${bounds.growth} is allowed.`]),
      ...delays
        .filter(({ p95Ms }) => p95Ms > bounds.logDelayMs)
        .map(
          ({ streams, p95Ms }) =>
            `The log adds ${round(p95Ms)} ms (p95) at ${streams} streams; at most ${bounds.logDelayMs} is allowed.`,
        ),
    ];
    console.log(`A turn of 200 costs ${round(growth)} × a turn of 15.\n`);
    for (const section of sections) broken.push(...(await section(postgres.url)));
    for (const sentence of broken) console.error(sentence);
    process.exitCode = broken.length === 0 ? 0 : 1;
  } finally {
    await postgres.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

function row({ perChunk, firstMs }: DeliveryCost) {
  return {
    'server CPU µs per chunk': round(perChunk),
    'first chunk ms': round(firstMs.median),
    'first chunk ms, p99': round(firstMs.p99),
  };
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}

await main();
