import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { activityStatement } from '../../src/access/person-activity.ts';
import { type Kit, startKit, type TestUser } from '../kit/kit.ts';

const list = `query ($first: Int, $after: String, $last: Int, $before: String, $search: String) {
  users(first: $first, after: $after, last: $last, before: $before, search: $search) {
    totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    edges { node { id name activity { running lastDay { runs tokens } lastWeek { runs tokens } lastRunAt lastSeenAt } } }
  }
}`;

interface Listed {
  readonly users: {
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly startCursor: string;
      readonly endCursor: string;
    };
    readonly edges: readonly {
      readonly node: { readonly id: string; readonly name: string; readonly activity: Activity };
    }[];
  };
}
interface Activity {
  readonly running: number;
  readonly lastDay: object;
  readonly lastWeek: object;
  readonly lastRunAt: string | null;
  readonly lastSeenAt: string | null;
}

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.stop());

const ask = async (variables: Record<string, unknown>) => (await kit.admin.ask<Listed>(list, variables)).users;

/** Puts runs of other days into the database, past the product. */
async function plantRun(user: TestUser, ago: string, tokens: number | null): Promise<void> {
  const [conversation, node, run] = [randomUUID(), randomUUID(), randomUUID()];
  await kit.database.query('insert into conversations (id, user_id, title) values ($1, $2, $3)', [
    conversation,
    user.id,
    't',
  ]);
  await kit.database.query('insert into exchanges (id, conversation_id, run_id, question) values ($1, $2, $3, $4)', [
    node,
    conversation,
    run,
    'q',
  ]);
  await kit.database.query(
    `insert into runs (id, user_id, conversation_id, node_id, question, model, decision_tree, config, status, reason, tokens, started_at, owner)
     values ($1, $2, $3, $4, 'q', 'm', 'default', '{}', $5, $6, $7, now() - $8::interval, gen_random_uuid())`,
    [
      run,
      user.id,
      conversation,
      node,
      tokens === null ? 'RUNNING' : 'ENDED',
      tokens === null ? null : 'COMPLETED',
      tokens,
      ago,
    ],
  );
}

describe('what people have been doing of late', () => {
  it('is told for everybody on a page: running now, the last day, the last week, last run and last seen', async () => {
    const mark = randomUUID();
    const [busy, idle] = [await kit.newUser({ name: `A ${mark}` }), await kit.newUser({ name: `B ${mark}` })];
    await busy.ask('{ viewer { id } }');
    await kit.database.query('insert into servers (id, heartbeat_at) select gen_random_uuid(), now()');
    await plantRun(busy, '1 minute', 100);
    await plantRun(busy, '23 hours', 30);
    await plantRun(busy, '6 days', 5_000);
    await plantRun(busy, '8 days', 77_000);
    await plantRun(busy, '10 seconds', null);

    const { edges } = await ask({ search: mark });

    const [first, second] = edges.map(({ node }) => node.activity);
    expect(first).toMatchObject({
      running: 1,
      lastDay: { runs: 3, tokens: 130 },
      lastWeek: { runs: 4, tokens: 5_130 },
    });
    expect(Date.now() - Date.parse(first?.lastRunAt ?? '')).toBeLessThan(60_000);
    expect(first?.lastSeenAt).not.toBeNull();
    expect(second).toEqual({
      running: 0,
      lastDay: { runs: 0, tokens: 0 },
      lastWeek: { runs: 0, tokens: 0 },
      lastRunAt: null,
      lastSeenAt: null,
    });
    expect(idle.id).toBe(edges[1]?.node.id);
  });

  it('is counted from indexes, however many runs there are', async () => {
    const user = await kit.newUser();
    await kit.database.query('alter table runs disable trigger all');
    await kit.database.query(
      `insert into runs (id, user_id, conversation_id, node_id, question, model, decision_tree, config, status, reason, tokens, started_at)
       select gen_random_uuid(), case when n % 20 = 0 then $1::uuid else md5((n % 20)::text)::uuid end, gen_random_uuid(), gen_random_uuid(),
         'q', 'm', 'default', '{}', 'ENDED', 'COMPLETED', 10, now() - n * interval '1 minute' from generate_series(1, 20000) n`,
      [user.id],
    );
    await kit.database.query('alter table runs enable trigger all');
    await kit.database.query('vacuum analyze runs');

    const plan = await kit.database.query<{ 'QUERY PLAN': string }>(`explain ${activityStatement.replace('?', '$1')}`, [
      JSON.stringify([user.id]),
    ]);

    const steps = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(steps).not.toContain('Seq Scan on runs');
    expect(steps).toMatch(/Index Only Scan( Backward)? using runs_user_id on runs/);
  });
});

describe('pages of people', () => {
  it('lead back the way they came, and from the end', async () => {
    const mark = randomUUID();
    for (const letter of 'ABCDE') await kit.newUser({ name: `${letter} ${mark}` });
    const names = ({ edges }: Listed['users']) => edges.map(({ node }) => node.name[0]).join('');

    const first = await ask({ search: mark, first: 2 });
    const second = await ask({ search: mark, first: 2, after: first.pageInfo.endCursor });
    const third = await ask({ search: mark, first: 2, after: second.pageInfo.endCursor });
    const back = await ask({ search: mark, last: 2, before: third.pageInfo.startCursor });
    const start = await ask({ search: mark, last: 2, before: back.pageInfo.startCursor });
    const end = await ask({ search: mark, last: 2 });

    expect([first, second, third, back, start, end].map(names)).toEqual(['AB', 'CD', 'E', 'CD', 'AB', 'DE']);
    expect(back.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: true });
    expect(start.pageInfo).toMatchObject({ hasPreviousPage: false, hasNextPage: true });
    expect(back.pageInfo.startCursor).toBe(second.pageInfo.startCursor);
  });

  it.each([
    [{ first: 2, last: 2 }, 'not both'],
    [{ after: 'x', before: 'y' }, 'not both'],
    [{ last: 0 }, 'last must be between 1 and 100'],
    [{ before: 'nonsense' }, 'before must be a cursor'],
  ])('refuse %j', async (variables, message) => {
    const answer = await kit.admin.query(list, variables);
    expect(answer.errors?.[0]?.message).toContain(message);
    expect(answer.errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT');
  });
});
