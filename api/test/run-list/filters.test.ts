import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import type { TestUser } from '../kit/kit.ts';
import { type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';

const runs = `query ($filter: RunFilter, $first: Int, $after: String) {
  runs(filter: $filter, first: $first, after: $after) { totalCount edges { node { question user { id } } } pageInfo { hasNextPage endCursor } }
}`;

interface Runs {
  readonly runs: {
    readonly totalCount: number;
    readonly edges: readonly { readonly node: { readonly question: string; readonly user: { readonly id: string } } }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  };
}

let kit: OracleKit;
let ada: TestUser;
let bob: TestUser;
let between: string;
beforeAll(async () => {
  kit = await startOracleKit({ defaultModel: 'simulated/answer' });
  [ada, bob] = await Promise.all([kit.newUser({ name: 'Ada' }), kit.newUser({ name: 'Bob' })]);
  await kit.ask(ada, { question: 'How is caching done?' });
  await kit.ask(ada, { question: 'Why does it loop?', model: 'simulated/loop' });
  const [row] = await kit.database.query<{ at: Date }>(
    "select max(started_at) + interval '1 millisecond' as at from runs",
  );
  between = row?.at.toISOString() ?? '';
  await kit.ask(bob, { question: 'Is the cache warm?' });
  await kit.ask(ada, { question: 'What else is cached, and where?', model: 'simulated/long' });
});
afterAll(() => kit.stop());

async function found(who: TestUser, filter: object): Promise<readonly string[]> {
  const answer = await who.ask<Runs>(runs, { filter });
  expect(answer.runs.totalCount).toBe(answer.runs.edges.length);
  return answer.runs.edges.map(({ node }) => node.question);
}

describe('the list of runs', () => {
  it('is filtered by model, time and words of the question', async () => {
    expect(await found(ada, { model: ['simulated/loop', 'simulated/long'] })).toEqual([
      'What else is cached, and where?',
      'Why does it loop?',
    ]);
    expect(await found(ada, { model: [] })).toEqual([]);
    expect(await found(ada, { until: between })).toEqual(['Why does it loop?', 'How is caching done?']);
    expect(await found(ada, { since: between })).toEqual(['What else is cached, and where?']);
    expect(await found(ada, { search: 'cach' })).toEqual(['What else is cached, and where?', 'How is caching done?']);
    expect(await found(ada, { search: 'HOW cachi' })).toEqual(['How is caching done?']);
    expect(await found(ada, { search: 'warm' })).toEqual([]);
    expect(await found(ada, { search: "' | & ! \\ \0 ::" })).toEqual([]);
    expect(await found(ada, { search: '  ' })).toHaveLength(3);
  });

  it('is everybody’s for administrators who ask for it, and nobody else', async () => {
    expect(await found(kit.admin, {})).toEqual([]);
    expect(await found(kit.admin, { everyone: true, search: 'cache' })).toEqual([
      'What else is cached, and where?',
      'Is the cache warm?',
    ]);
    expect(await found(kit.admin, { everyone: true, userId: bob.id })).toEqual(['Is the cache warm?']);
    expect(codesOf(await ada.query(runs, { filter: { everyone: true } }))).toEqual(['FORBIDDEN']);
    expect(codesOf(await ada.query(runs, { filter: { everyone: true, userId: bob.id } }))).toEqual(['NOT_FOUND']);
    expect(await found(ada, { everyone: false })).toHaveLength(3);
  });

  it('goes on behind a cursor under every filter', async () => {
    const filter = { everyone: true, search: 'cach', since: '2020-01-01T00:00:00Z', status: 'ENDED' };
    const first = await kit.admin.ask<Runs>(runs, { filter, first: 2 });
    const second = await kit.admin.ask<Runs>(runs, { filter, first: 2, after: first.runs.pageInfo.endCursor });

    expect(first.runs).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    expect(second.runs.edges.map(({ node }) => node.question)).toEqual(['How is caching done?']);
    expect(second.runs.pageInfo.hasNextPage).toBe(false);
  });
});
