import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { askQuery, benchToken, type Contender } from './contenders.ts';
import { type DeliveryCost, measureDeliveries } from './delivery.ts';
import { type MeasuredProcess, startMeasured } from './measured-process.ts';
import { askServer, createPeople } from './people.ts';
import { connect } from './streams.ts';
import { ruleTexts } from './twenty-rules.ts';
import { turns } from './workload.ts';

const runsPerPerson = 5;
const warmUpMs = 4_000;
/** One run at a time has some four thousand events a second. */
const loads = [
  { what: 'one run at a time', streams: 1, rounds: 80 },
  { what: '100 runs at once', streams: 100, rounds: 8 },
];
const mostStreams = Math.max(...loads.map(({ streams }) => streams));

/** Microseconds of a server's processor time for each turn of its runs. */
export interface ServerRulesCost {
  readonly what: string;
  readonly without: number;
  readonly with: number;
}

/**
 * Two servers: one with twenty rules of the organisation's and all subscribers, and one where everything that can be
 * switched off is.
 */
export async function measureServerRules(databaseUrl: string): Promise<readonly ServerRulesCost[]> {
  const quiet = await startOn(databaseUrl);
  const watched = await startOn(databaseUrl);
  try {
    const contenders = { without: await contender(quiet), with: await contender(watched) };
    await switchOff(quiet.url, contenders.without.people);
    for (const text of ruleTexts) await askServer(watched.url, benchToken, saveRule, { text });
    const costs: ServerRulesCost[] = [];
    for (const { what, streams, rounds } of loads.toReversed()) {
      const measured = await measureDeliveries(contenders, { streams, warmUpMs, rounds });
      costs.unshift({ what, without: perTurn(measured.without), with: perTurn(measured.with) });
    }
    return costs;
  } finally {
    await Promise.all([quiet.stop(), watched.stop()]);
  }
}

function perTurn({ perStream }: DeliveryCost): number {
  return perStream / turns;
}

/** On a database of its own: rules are the organisation's. */
async function startOn(databaseUrl: string): Promise<MeasuredProcess> {
  const name = `rules_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return startMeasured('oracle-server', url.href, benchToken);
}

async function contender(server: MeasuredProcess): Promise<Contender & { readonly people: readonly string[] }> {
  const people = await createPeople(server.url, benchToken, mostStreams / runsPerPerson);
  const payload = { query: askQuery, variables: { input: { question: 'Why?' } } };
  return {
    server,
    people,
    connect: (stream) => connect(server.url, people[stream % people.length]),
    request: (round, stream) => JSON.stringify({ id: `${round}-${stream}`, type: 'subscribe', payload }),
  };
}

const saveRule = `mutation ($text: String!) {
  saveRule(input: { text: $text }) { __typename ... on InvalidRule { message } } }`;

/** Whatever is not the core's. */
async function switchOff(url: string, people: readonly string[]): Promise<void> {
  await switchRulesOff(url);
  for (const token of people) await switchSubscribersOff(url, token);
}

async function switchSubscribersOff(url: string, token: string): Promise<void> {
  const { notificationSubscribers } = await askServer<{ notificationSubscribers: { id: string; core: boolean }[] }>(
    url,
    token,
    '{ notificationSubscribers { id core } }',
  );
  for (const { id, core } of notificationSubscribers)
    if (!core)
      await askServer(url, token, 'mutation ($id: String!) { setNotification(id: $id, enabled: false) { id } }', {
        id,
      });
}

async function switchRulesOff(url: string): Promise<void> {
  const { rules } = await askServer<{ rules: { edges: { node: { id: string } }[] } }>(
    url,
    benchToken,
    '{ rules(first: 100) { edges { node { id } } } }',
  );
  for (const { node } of rules.edges)
    await askServer(
      url,
      benchToken,
      'mutation ($id: String!) { setRuleEnabled(ruleId: $id, enabled: false, forEverybody: true) { __typename } }',
      { id: node.id },
    );
}
