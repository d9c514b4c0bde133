import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './kit/client.ts';
import { countdown } from './kit/countdown.ts';
import { randomNumbers } from './kit/random-numbers.ts';
import { buildServer, ServerFolder } from './kit/server-process.ts';

const updates = 1_000;
const kills = 6;
const inFlight = 8;
const seed = 20_261_116;
const token = 'the-token-of-the-kill-test';
const update = `mutation ($value: Int!) { updateAgentConfig(input: { tokenBudget: $value }) {
  ... on AgentConfig { tokenBudget version }
} }`;

interface Acknowledged {
  readonly value: number;
  readonly version: number;
}
interface Change {
  readonly version: number;
  readonly newValue: number;
}

let folder: ServerFolder;
beforeAll(async () => {
  await buildServer();
  folder = new ServerFolder();
});
afterAll(() => folder.dispose());

/** Sends updates until enough are acknowledged or the server is gone; every acknowledgement is remembered. */
async function sendUpdates(
  url: string,
  acknowledged: Acknowledged[],
  enough: number,
  next: () => number,
  onAcknowledged: () => void = () => undefined,
) {
  const client = createClient(url, token);
  const sender = async () => {
    while (acknowledged.length < enough) {
      const answer = await client
        .query<{ updateAgentConfig: { tokenBudget: number; version: number } }>(update, { value: next() })
        .catch(() => undefined);
      if (!answer?.data) return; // killed, or being killed
      const { tokenBudget, version } = answer.data.updateAgentConfig;
      acknowledged.push({ value: tokenBudget, version });
      onAcknowledged();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, sender));
}

interface LogPage {
  readonly settingChanges: {
    readonly edges: readonly { readonly node: Change }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  };
}

/** The value that each version set, from the audit log. */
async function readLog(url: string): Promise<ReadonlyMap<number, number>> {
  const page = `query ($after: String) { settingChanges(first: 100, after: $after) {
    edges { node { version newValue } } pageInfo { hasNextPage endCursor } } }`;
  const log = new Map<number, number>();
  for (let after: string | null | undefined; after !== null; ) {
    const { settingChanges }: LogPage = await createClient(url, token).ask<LogPage>(page, { after });
    for (const { node } of settingChanges.edges) log.set(node.version, node.newValue);
    after = settingChanges.pageInfo.hasNextPage ? settingChanges.pageInfo.endCursor : null;
  }
  return log;
}

async function expectNothingLost(url: string, acknowledged: readonly Acknowledged[]): Promise<void> {
  const { agentConfig } = await createClient(url, token).ask<{
    agentConfig: { tokenBudget: number; version: number };
  }>('{ agentConfig { tokenBudget version } }');
  const log = await readLog(url);
  expect(agentConfig.version).toBe(log.size + 1);
  if (log.size > 0) expect(agentConfig.tokenBudget).toBe(log.get(agentConfig.version));
  expect(acknowledged.filter(({ value, version }) => log.get(version) !== value)).toEqual([]);
  expect([...log.keys()].toSorted((a, b) => a - b)).toEqual(Array.from(log, (_, index) => index + 2));
}

describe('a server that is killed', () => {
  it(`${kills} times during ${updates} updates loses none that it acknowledged`, { timeout: 300_000 }, async () => {
    const random = randomNumbers(seed);
    const moments = Array.from({ length: kills }, () => Math.ceil(random() * (updates - inFlight)));
    const acknowledged: Acknowledged[] = [];
    let value = 1_000;
    const nextValue = () => ++value;
    const start = () => folder.start({ ORACLE_ADMIN_TOKEN: token, ORACLE_LOG_LEVEL: 'error' });

    for (const moment of moments.toSorted((a, b) => a - b)) {
      const server = start();
      const url = await server.ready;
      await expectNothingLost(url, acknowledged);
      const left = countdown(moment - acknowledged.length);
      const sending = sendUpdates(url, acknowledged, Number.POSITIVE_INFINITY, nextValue, left.count);
      await Promise.race([left.reached, sending]);
      expect(await server.end('SIGKILL')).toBe('SIGKILL');
      await sending;
    }
    const server = start();
    const url = await server.ready;
    await sendUpdates(url, acknowledged, updates, nextValue);

    await expectNothingLost(url, acknowledged);
    expect(acknowledged.length).toBeGreaterThanOrEqual(updates);
    expect(await server.end('SIGTERM')).toBe(0);
    expect(folder.processes()).toEqual([]);
  });
});
