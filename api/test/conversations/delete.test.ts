import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { reply, step } from '../kit/model-replies.ts';
import { createTestDatabase, type TestDatabase } from '../kit/test-database.ts';
import type { Chunk } from '../oracle/kit/chunks.ts';
import { type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import { asks, type ConversationView, does } from './conversation-kit.ts';

let database: TestDatabase;
let one: OracleKit;
let other: OracleKit;
let user: TestUser;
beforeEach(async () => {
  database = await createTestDatabase();
  one = await startOracleKit({ database });
  other = await startOracleKit({ database });
  user = await one.newUser();
});
afterEach(async () => {
  await one.stop();
  await other.stop();
  await database.drop();
});

const isContent = (chunk: Chunk) => chunk.__typename === 'ContentChunk';
const there = (): TestUser => ({ ...user, ...other.as(user.token) });
const conversationOf = async (runId: string) =>
  (
    await user.ask<{ run: { conversationId: string } }>('query ($runId: ID!) { run(id: $runId) { conversationId } }', {
      runId,
    })
  ).run.conversationId;

interface Deleted {
  readonly id: string;
  readonly exchangeCount: number;
  readonly cancelledRunId: string | null;
}

describe('deleting a conversation', () => {
  it('takes exchanges, runs and logs along, and it is missing from then on', async () => {
    const { conversationId, runId, nodeId } = await asks(one, user, 'one');
    const deleted = await does<Deleted>(user, 'delete', { id: conversationId });
    const again = await user.query('mutation ($id: ID!) { deleteConversation(conversationId: $id) { id } }', {
      id: conversationId,
    });
    const [left] = await database.query(
      `select (select count(*) from run_chunks)::int as chunks, (select count(*) from runs)::int as runs,
        (select count(*) from exchanges)::int as exchanges, (select count(*) from conversations)::int as conversations`,
    );

    expect(deleted).toEqual({ id: conversationId, exchangeCount: 1, cancelledRunId: null });
    expect(again.errors?.[0]?.extensions?.['code']).toBe('NOT_FOUND');
    expect(left).toEqual({ chunks: 0, runs: 0, exchanges: 0, conversations: 0 });
    expect(await does(user, 'find', { id: conversationId })).toBeNull();
    expect(await does(user, 'exchange', { id: nodeId })).toBeNull();
    await expect(one.ask(user, { conversationId })).rejects.toThrow('NOT_FOUND');
    await expect(one.follow(user, runId).next()).rejects.toThrow('NOT_FOUND');
  });

  it('cancels the run under way, on whichever server, and its readers see its end', async () => {
    one.script(reply.stream([step.text('On and on. '), step.hang()]));
    const asked = one.open(user);
    const { runId } = await asked.until(isContent);
    const follower = other.follow(there(), runId);
    await follower.until(isContent);
    const id = await conversationOf(runId);
    const running = await does<ConversationView>(user, 'find', { id });
    const [deleted, ...ends] = await Promise.all([
      does<Deleted>(there(), 'delete', { id }),
      asked.toEnd(),
      follower.toEnd(),
    ]);

    expect(running.activeRunId).toBe(runId);
    expect(deleted).toEqual({ id, exchangeCount: 1, cancelledRunId: runId });
    for (const chunks of ends) {
      expect(chunks.at(-1)).toMatchObject({ __typename: 'DoneChunk', terminationReason: 'CANCELLED' });
    }
    expect(await database.query('select 1 from runs')).toEqual([]);
  });

  it('keeps nobody waiting for a run whose server is dead', async () => {
    const { conversationId: id, nodeId } = await asks(one, user, 'one');
    // A run of a server that stopped answering a moment ago: nobody will end it in time.
    const [run] = await database.query<{ id: string }>(
      `with exchange as (
        insert into exchanges (id, conversation_id, parent_id, run_id, question)
        values (gen_random_uuid(), $1, $2, gen_random_uuid(), 'lost') returning *
      ), server as (insert into servers (id, heartbeat_at) values (gen_random_uuid(), now() + interval '1 hour') returning id)
      insert into runs (id, user_id, conversation_id, node_id, question, model, decision_tree, config, owner)
      select e.run_id, $3, $1, e.id, 'lost', 'offline', 'default', '{}', server.id from exchange e, server returning id`,
      [id, nodeId, user.id],
    );
    const runId = run?.id ?? '';
    const readers = [one.follow(user, runId), other.follow(there(), runId)];
    const reading = readers.map((reader) => reader.next());
    const deleted = await does<Deleted>(user, 'delete', { id });

    expect(deleted).toEqual({ id, exchangeCount: 2, cancelledRunId: runId });
    expect(await Promise.all(reading)).toEqual([undefined, undefined]);
  });
});
