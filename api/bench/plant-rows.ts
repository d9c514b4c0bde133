import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** Fills the lists that people page through: so many people, audit entries, and runs and conversations of one of them. */
export async function plantRows(databaseUrl: string, count: number): Promise<{ readonly userId: string }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const userId = randomUUID();
  const conversation = randomUUID();
  try {
    await client.query('set synchronous_commit = off');
    await client.query(`insert into users (id, email, name) values ($1::uuid, $1::text || '@example.com', 'Owner')`, [
      userId,
    ]);
    await client.query(
      `insert into users (id, email, name, created_at)
       select gen_random_uuid(), 'person-' || n || '@example.com', 'Person ' || n, now() - n * interval '1 second'
       from generate_series(1, $1::int) as n`,
      [count],
    );
    await client.query(
      `insert into setting_changes (at, actor_id, user_id, setting_group, layer, field, old_value, new_value, version)
       select now() - ($1::int - n) * interval '1 second', $2, $2, 'AGENT_CONFIG', 'USER', 'maxIterations', '10', '20', n
       from generate_series(1, $1::int) as n`,
      [count, userId],
    );
    await client.query('insert into conversations (id, user_id, title) values ($1, $2, $3)', [
      conversation,
      userId,
      'Of all runs',
    ]);
    await client.query(
      `insert into conversations (id, user_id, title, updated_at)
       select gen_random_uuid(), $2, 'Conversation ' || n, now() - n * interval '1 second'
       from generate_series(1, $1::int) as n`,
      [count, userId],
    );
    await client.query(
      `insert into exchanges (id, conversation_id, run_id, question)
       select md5('node' || n)::uuid, $2, md5('run' || n)::uuid, 'Why?' from generate_series(1, $1::int) as n`,
      [count, conversation],
    );
    await client.query(
      `insert into runs (id, user_id, conversation_id, node_id, question, model, decision_tree, config, status, reason,
         started_at, ended_at, turns, tokens)
       select md5('run' || n)::uuid, $2, $3, md5('node' || n)::uuid, 'Why?', 'bench', 'default', '{}', 'ENDED',
         'COMPLETED', now() - n * interval '1 second', now(), 1, 100
       from generate_series(1, $1::int) as n`,
      [count, userId, conversation],
    );
    await client.query('vacuum analyze');
    return { userId };
  } finally {
    await client.end();
  }
}
