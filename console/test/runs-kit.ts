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
