import { randomUUID } from 'node:crypto';
import { askQuery, benchToken } from './contenders.ts';
import { startMeasured } from './measured-process.ts';
import { createPeople } from './people.ts';
import type { Section } from './report.ts';
import { connect } from './streams.ts';
import { brief } from './workload.ts';

const runs = 10_000;
/** Memory is looked at each time so many have ended. */
const stage = 2_000;
const people = 10;
const runsPerPerson = 5;

/** Whether anything is left of runs that have ended: ten thousand of them, one after the other on some connections. */
export async function benchSoak(databaseUrl: string): Promise<Section> {
  const server = await startMeasured('oracle-server', databaseUrl, benchToken);
  try {
    const tokens = await createPeople(server.url, benchToken, people, randomUUID());
    const connections = await Promise.all(
      Array.from({ length: people * runsPerPerson }, (_, index) => connect(server.url, tokens[index % people])),
    );
    const rows: Record<string, { 'heap MB': number; 'resident MB': number }> = {};
    for (let ended = stage; ended <= runs; ended += stage) {
      await Promise.all(
        connections.map(async (connection) => {
          for (let count = 0; count < stage / connections.length; count += 1) await connection.stream(question());
        }),
      );
      const { heap, resident } = await server.memory();
      rows[`after ${ended} runs`] = { 'heap MB': heap / 1e6, 'resident MB': resident / 1e6 };
    }
    for (const connection of connections) connection.close();
    const first = rows[`after ${stage} runs`]?.['heap MB'] ?? Number.NaN;
    const last = rows[`after ${runs} runs`]?.['heap MB'] ?? Number.NaN;
    return {
      title: `Soak: what the server holds after up to ${runs} runs`,
      rows,
      goals: [{ what: `Heap after ${runs} runs, against after ${stage}`, measured: last / first, atMost: 1.1 }],
    };
  } finally {
    await server.stop();
  }
}

function question(): string {
  const variables = { input: { question: brief } };
  return JSON.stringify({ id: randomUUID(), type: 'subscribe', payload: { query: askQuery, variables } });
}
