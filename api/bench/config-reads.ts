import { Agent, request } from 'node:http';
import { type MeasuredProcess, startMeasured } from './measured-process.ts';
import { median } from './median.ts';

const query =
  '{ agentConfig { maxIterations tokenBudget timeoutSeconds maxToolCallsPerTurn maxParallelTools version } }';
const atOnce = 10;
const requests = 400;
const rounds = 6;
const warmUps = 3;

/** Microseconds of the server's processor time for one authenticated read of one's settings. */
export async function measureConfigReads(
  databaseUrl: string,
  token: string,
): Promise<{ readonly stock: number; readonly product: number }> {
  const product = await startMeasured('oracle-server', databaseUrl, token);
  const stock = await startMeasured('stock-settings-server', databaseUrl);
  const costs = { stock: [] as number[], product: [] as number[] };
  try {
    for (let round = 0; round < warmUps + rounds; round += 1) {
      costs.stock.push(await costOf(stock, token));
      costs.product.push(await costOf(product, token));
    }
  } finally {
    await Promise.all([product.stop(), stock.stop()]);
  }
  return { stock: median(costs.stock.slice(warmUps)), product: median(costs.product.slice(warmUps)) };
}

async function costOf(server: MeasuredProcess, token: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const before = await server.cpu();
  const ask = async () => {
    for (let asked = 0; asked < requests / atOnce; asked += 1) await read(server.url, token, agent);
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  const cost = ((await server.cpu()) - before) / requests;
  agent.destroy();
  return cost;
}

function read(url: string, token: string, agent: Agent): Promise<void> {
  const body = JSON.stringify({ query });
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    authorization: `Bearer ${token}`,
  };
  return new Promise((resolve, reject) => {
    request(`${url}/graphql`, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => {
        if (text.includes('"maxIterations":15')) resolve();
        else reject(new Error(`The settings could not be read: ${text}`));
      });
    })
      .on('error', reject)
      .end(body);
  });
}
