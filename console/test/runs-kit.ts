import type { TestUser } from '../../api/test/kit/kit.ts';
import { overWebSocket } from '../../api/test/kit/live.ts';
import type { ConsoleKit } from './console-kit.ts';

const oracleQuery = `subscription ($input: OracleQueryInput!) {
  oracleQuery(input: $input) { __typename ... on StreamChunk { runId } }
}`;

interface Data {
  readonly oracleQuery: { readonly __typename: string; readonly runId: string };
}

interface Wish {
  readonly model: string;
  readonly question: string;
  readonly config?: Readonly<Record<string, number>>;
  /** The one to go on with; without it a new one is begun. */
  readonly conversationId?: string;
}

/** Asks a question and waits for its end. */
export async function ask(kit: ConsoleKit, who: TestUser, input: Wish): Promise<string> {
  const live = overWebSocket<Data>({ url: kit.url, token: who.token }, oracleQuery, { input });
  const { data } = await live.until(({ oracleQuery: chunk }) => chunk.__typename === 'DoneChunk');
  await live.stop();
  return data.oracleQuery.runId;
}

/** Asks a question that goes on for longer than any test. */
export async function begin(kit: ConsoleKit, who: TestUser, input: Wish): Promise<string> {
  const live = overWebSocket<Data>({ url: kit.url, token: who.token }, oracleQuery, { input });
  const { data } = await live.until(({ oracleQuery: chunk }) => chunk.__typename === 'ContentChunk');
  await live.stop();
  return data.oracleQuery.runId;
}

export async function cancel(who: Pick<TestUser, 'ask'>, runId: string): Promise<void> {
  await who.ask('mutation ($runId: ID!) { cancelRun(runId: $runId) }', { runId });
}

/** Ended runs called Question 1, Question 2 and so on, each a second younger than the one before, all younger than now. */
export async function plantRuns(kit: Pick<ConsoleKit, 'database'>, person: TestUser, count: number): Promise<void> {
  const { createConversation } = await person.ask<{ createConversation: { id: string } }>(
    'mutation { createConversation(input: {}) { ... on Conversation { id } } }',
  );
  await kit.database.query(
    `with numbered as (select n, gen_random_uuid() as run_id, gen_random_uuid() as node_id from generate_series(1, $3::int) n),
     asked as (insert into exchanges (id, conversation_id, run_id, question, partial)
       select node_id, $1, run_id, 'Question ' || n, false from numbered returning id)
     insert into runs (id, user_id, conversation_id, node_id, question, model, decision_tree, config, status, reason, turns, tokens, started_at, ended_at)
     select run_id, $2, $1, node_id, 'Question ' || n, 'offline', 'default', '{}', 'ENDED', 'COMPLETED', 1, 10,
       now() + n * interval '1 second', now() + n * interval '1 second' from numbered, (select count(*) from asked) done`,
    [createConversation.id, person.id, count],
  );
}
