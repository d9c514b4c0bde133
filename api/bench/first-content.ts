import { randomUUID } from 'node:crypto';
import { askQuery, benchToken } from './contenders.ts';
import { startMeasured } from './measured-process.ts';
import { median, quantile } from './median.ts';
import { createPeople } from './people.ts';
import type { Section } from './report.ts';
import { connect, type SocketConnection } from './streams.ts';
import { askMoment, moment } from './workload.ts';

const starts = 100;
const runsPerPerson = 5;
/** Of each kind, until what a run takes is compiled: the first runs take ten times as long as those after 1 500. */
const warmUps = 16;
/** Many, because whole stretches of rounds take two or three times as long as others. */
const rounds = 15;
/** A model of our own in the same process, and one that takes the time that real ones take at least. */
const thinking = [0, 300];

/** What one round of questions at the same moment came to. The median of the rounds counts. */
interface Round {
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly cpuMs: number;
}

/** How long after the model said its first word a client has it, when many questions are asked at the same moment. */
export async function benchFirstContent(databaseUrl: string): Promise<Section> {
  const server = await startMeasured('oracle-server', databaseUrl, benchToken);
  try {
    const people = await createPeople(server.url, benchToken, starts / runsPerPerson, randomUUID());
    const connections = await Promise.all(
      Array.from({ length: starts }, (_, index) => connect(server.url, people[index % people.length])),
    );
    const measured = new Map<number, Round[]>(thinking.map((afterMs) => [afterMs, []]));
    for (let round = 0; round < warmUps + rounds; round += 1) {
      for (const [afterMs, rounds] of measured) {
        const before = await server.cpu();
        const waited = await Promise.all(connections.map((connection) => ask(connection, afterMs)));
        const cpuMs = ((await server.cpu()) - before) / 1_000 / starts;
        if (round >= warmUps) rounds.push({ medianMs: median(waited), p95Ms: quantile(waited, 0.95), cpuMs });
      }
    }
    for (const connection of connections) connection.close();
    return {
      title: `First content: from the model's first token to the client, stored on the way, ${starts} questions at once`,
      rows: Object.fromEntries(
        [...measured].map(([afterMs, rounds]) => [
          `a model that takes ${afterMs} ms`,
          {
            'median ms': median(rounds.map(({ medianMs }) => medianMs)),
            'p95 ms': median(rounds.map(({ p95Ms }) => p95Ms)),
            'p95 ms, best round': Math.min(...rounds.map(({ p95Ms }) => p95Ms)),
            'server CPU ms per run': median(rounds.map(({ cpuMs }) => cpuMs)),
          },
        ]),
      ),
      goals: [...measured].map(([afterMs, rounds]) => ({
        what: `First content after the first token, p95, ${starts} starts, a model that takes ${afterMs} ms`,
        measured: median(rounds.map(({ p95Ms }) => p95Ms)),
        atMost: 10,
        unit: 'ms',
      })),
    };
  } finally {
    await server.stop();
  }
}

async function ask(connection: SocketConnection, afterMs: number): Promise<number> {
  const variables = { input: { question: askMoment(afterMs) } };
  const request = { id: randomUUID(), type: 'subscribe', payload: { query: askQuery, variables } };
  let delay = Number.NaN;
  await connection.stream(JSON.stringify(request), (frame) => {
    const now = moment();
    // Reading every frame would take the machine, which all share, longer than delivering it.
    if (!Number.isNaN(delay) || !frame.includes('"ContentChunk"')) return;
    delay = now - Number(JSON.parse(frame.toString('utf8')).payload.data.oracleQuery.text);
  });
  return delay;
}
