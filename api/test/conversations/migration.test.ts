import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { expect, it } from 'vitest';
import { ConversationService } from '../../src/conversations/conversation-service.ts';
import { openDatabase } from '../../src/store/database.ts';
import { User } from '../../src/store/entities/user.ts';
import { PeopleAndSettings } from '../../src/store/migrations/0001-people-and-settings.ts';
import { Runs } from '../../src/store/migrations/0002-runs.ts';
import { VaultOfNotes } from '../../src/store/migrations/0003-vault.ts';
import { createTestDatabase } from '../kit/test-database.ts';

it('takes exchanges that were there before for questions, and finds them', async () => {
  const database = await createTestDatabase({ empty: true });
  const before = await MikroORM.init({
    clientUrl: database.url,
    entities: [User],
    extensions: [Migrator],
    migrations: {
      migrationsList: [
        { name: '0001-people-and-settings', class: PeopleAndSettings },
        { name: '0002-runs', class: Runs },
        { name: '0003-vault', class: VaultOfNotes },
      ],
      snapshot: false,
    },
    logger: () => undefined,
  });
  await before.migrator.up();
  await before.close(true);
  const [row] = await database.query<{ id: string; user_id: string }>(
    `with person as (insert into users (id, email, name) values (gen_random_uuid(), 'a@example.com', 'Ada') returning id),
    talk as (insert into conversations (id, user_id, title) select gen_random_uuid(), id, 'Old times' from person returning *),
    exchange as (insert into exchanges (id, conversation_id, run_id, question)
      select gen_random_uuid(), id, gen_random_uuid(), 'Where is the anchor?' from talk)
    select id, user_id from talk`,
  );
  const now = await openDatabase(database.url);
  await now.migrate(async () => undefined);
  const service = new ConversationService(now, { cancel: async () => false });
  const found = (search: string) => service.list({ userId: row?.user_id ?? '', search });
  const [byQuestion, byTitle, none] = [await found('anchor'), await found('old'), await found('sail')];
  const kinds = await database.query('select kind from exchanges');
  await now.close();
  await database.drop();

  expect([byQuestion, byTitle].map(({ edges }) => edges.map(({ node }) => node.id))).toEqual([[row?.id], [row?.id]]);
  expect(none.edges).toEqual([]);
  expect(kinds).toEqual([{ kind: 'ASK' }]);
});
