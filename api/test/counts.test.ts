import { afterAll, beforeAll, expect, it } from 'vitest';
import { alwaysCounted } from '../src/store/counts.ts';
import { type Kit, startKit } from './kit/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.stop());

const add = (count: number, from: number) =>
  kit.database.query(
    `insert into users (id, email, name)
     select gen_random_uuid(), 'n' || n || '@example.com', 'N' from generate_series(${from}, ${from + count - 1}) as n`,
  );
const people = async () => (await kit.admin.ask<{ users: { totalCount: number } }>('{ users { totalCount } }')).users;

it('a list is counted each time, and a very long one once in a while', async () => {
  const { totalCount: few } = await people();
  await add(1, 0);
  expect(await people()).toEqual({ totalCount: few + 1 });

  await add(alwaysCounted, 1);
  const { totalCount: many } = await people();
  await add(1, alwaysCounted + 1);
  expect([many, await people()]).toEqual([few + 1 + alwaysCounted, { totalCount: many }]);

  await kit.database.query(`delete from users where email like 'n%'`);
  const { users } = await kit.admin.ask<{ users: { totalCount: number } }>('{ users(search: "n1@") { totalCount } }');
  expect(users.totalCount).toBe(0); // another list, counted by itself
});
