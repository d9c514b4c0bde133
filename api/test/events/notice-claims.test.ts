import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NoticeStore } from '../../src/notifications/notice-store.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { createTestDatabase, type TestDatabase } from '../kit/test-database.ts';

let place: TestDatabase;
let database: Database;
const statements: string[] = [];
beforeAll(async () => {
  place = await createTestDatabase();
  database = await openDatabase(place.url);
  await database.migrate(async () => undefined);
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

/** A person and a project of theirs, with a notice that waits. */
async function newPerson(message: string) {
  const [userId, projectId] = [randomUUID(), randomUUID()];
  await place.query(`insert into users (id, email, name) values ($1, $2, 'Ada')`, [userId, `${userId}@example.com`]);
  await place.query(`insert into projects (id, user_id, name) values ($1, $2, 'Notes')`, [projectId, userId]);
  await place.query(
    `insert into notices (id, user_id, project_id, kind, category, priority, message, expires_at)
     values (gen_random_uuid(), $1, $2, 'NOTICE', 'reminder', 'NORMAL', $3, now() + interval '1 hour')`,
    [userId, projectId, message],
  );
  return { userId, projectId };
}

it('runs that begin at the same time claim in one statement, each what waits for its own person, and once', async () => {
  const store = new NoticeStore({
    ...database,
    sql: {
      query: (name, text, values) => {
        statements.push(name);
        return database.sql.query(name, text, values);
      },
      close: () => database.sql.close(),
    },
  });
  const [ada, bob] = [await newPerson('For Ada.'), await newPerson('For Bob.')];
  const claimed = await Promise.all(
    [ada, bob, ada].map(({ userId, projectId }) => store.claim(userId, projectId, randomUUID())),
  );

  expect(claimed.map((notices) => notices.map(({ message }) => message))).toEqual([['For Ada.'], ['For Bob.'], []]);
  expect(statements).toEqual(['claim-notices']);
});
