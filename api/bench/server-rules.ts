import { randomUUID } from 'node:crypto';
import { askQuery, benchToken, type Contender } from './contenders.ts';
import { type DeliveryCost, measureDeliveries } from './delivery.ts';
import { type MeasuredProcess, startMeasured } from './measured-process.ts';
import { meanRatio, median } from './median.ts';
import { askServer, createPeople } from './people.ts';
import { connect } from './streams.ts';
import { ruleTexts } from './twenty-rules.ts';
import { turns } from './workload.ts';

const runsPerPerson = 5;
const warmUpMs = 3_000;
/** One run, as fast as it can, has thousands of events a second. */
const loads = [
  { what: 'one run at a time', streams: 1, rounds: 500 },
  { what: '100 runs at once', streams: 100, rounds: 60 },
];
const mostStreams = Math.max(...loads.map(({ streams }) => streams));

/** Microseconds of a server's processor time for each turn of its runs. */
export interface ServerRulesCost {
  readonly what: string;
  readonly without: number;
  readonly with: number;
}

/**
 * People of the same server: some with twenty rules of the organisation's and all subscribers, and some who have switched
 * off whatever can be. Two servers would differ by more than what is looked for.
 */
export async function measureServerRules(databaseUrl: string): Promise<readonly ServerRulesCost[]> {
  const server = await startMeasured('oracle-server', databaseUrl, benchToken);
  try {
    for (const text of ruleTexts) await writeRule(server.url, text);
    const contenders = { without: await contender(server, switchAllOff), with: await contender(server) };
    const costs: ServerRulesCost[] = [];
    for (const { what, streams, rounds } of loads) {
      const measured = await measureDeliveries(contenders, { streams, warmUpMs, rounds });
      costs.push({ what, ...perTurn(measured.without, measured.with) });
    }
    return costs;
  } finally {
    await server.stop();
  }
}

/** Rounds of either are right beside each other: single ones differ by more than what is looked for. */
function perTurn({ perStreamOf: one }: DeliveryCost, { perStreamOf: other }: DeliveryCost) {
  const without = median(one) / turns;
  const pairs = one.map((cost, round) => [cost, other[round] ?? Number.NaN] as const);
  return { without, with: without * meanRatio(pairs) };
}

async function contender(
  server: MeasuredProcess,
  prepare: (url: string, token: string) => Promise<void> = async () => undefined,
): Promise<Contender> {
  const people = await createPeople(server.url, benchToken, mostStreams / runsPerPerson, randomUUID());
  for (const token of people) await prepare(server.url, token);
  const payload = { query: askQuery, variables: { input: { question: 'Why?' } } };
  return {
    server,
    connect: (stream) => connect(server.url, people[stream % people.length]),
    request: (round, stream) => JSON.stringify({ id: `${round}-${stream}`, type: 'subscribe', payload }),
  };
}

async function writeRule(url: string, text: string): Promise<void> {
  const { saveRule: saved } = await askServer<{ saveRule: { __typename: string } }>(url, benchToken, saveRule, {
    text,
  });
  if (saved.__typename !== 'Rule') throw new Error(`The rule was not saved: ${JSON.stringify(saved)}`);
}

/** Whatever is not the core's. */
async function switchAllOff(url: string, token: string): Promise<void> {
  const { rules, notificationSubscribers } = await askServer<Switchable>(url, token, switchable);
  for (const { node } of rules.edges) if (!node.core) await askServer(url, token, switchRule, { id: node.id });
  for (const { id, core } of notificationSubscribers) if (!core) await askServer(url, token, switchSubscriber, { id });
}

interface Switchable {
  readonly rules: { readonly edges: readonly { readonly node: { readonly id: string; readonly core: boolean } }[] };
  readonly notificationSubscribers: readonly { readonly id: string; readonly core: boolean }[];
}

const switchable = '{ rules(first: 100) { edges { node { id core } } } notificationSubscribers { id core } }';
const switchRule = 'mutation ($id: String!) { setRuleEnabled(ruleId: $id, enabled: false) { __typename } }';
const switchSubscriber = 'mutation ($id: String!) { setNotification(id: $id, enabled: false) { __typename } }';
const saveRule = 'mutation ($text: String!) { saveRule(input: { text: $text }) { __typename } }';
