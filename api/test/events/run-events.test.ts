import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { reply, step } from '../kit/model-replies.ts';
import { calling, type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
  user = await kit.newUser();
});
afterAll(() => kit.stop());

interface Events {
  readonly edges: readonly {
    readonly cursor: string;
    readonly node: {
      readonly number: number;
      readonly turn: number;
      readonly name: string;
      readonly severity: string;
      readonly payload: object;
    };
  }[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

async function eventsOf(runId: string, which: object = {}): Promise<Events> {
  const { run } = await user.ask<{ run: { events: Events } }>(
    `query ($id: ID!, $first: Int, $after: String, $name: String, $severity: EventSeverity) { run(id: $id) {
      events(first: $first, after: $after, name: $name, severity: $severity) {
        edges { cursor node { number turn name severity payload } } totalCount pageInfo { hasNextPage endCursor } } } }`,
    { id: runId, ...which },
  );
  return run.events;
}

const names = ({ edges }: Events) => edges.map(({ node }) => node.name);

describe('the events of a run', () => {
  it('are all in its log, in order, each with its turn', async () => {
    kit.script(
      calling([
        { name: 'vault_search', arguments: { query: 'x' } },
        { name: 'vault_read', arguments: { path: 'none' } },
      ]),
      reply.text('Done.'),
    );
    const { runId } = await kit.ask(user);
    const { edges } = await eventsOf(runId, { first: 100 });

    expect(names({ edges } as Events).filter((name) => !name.startsWith('rule.'))).toEqual([
      'query.start',
      'agent.turn.start',
      'model.call.start',
      'model.call.end',
      'tool.call.pending',
      'tool.call.pending',
      'tool.call.success',
      'tool.call.failure',
      'agent.turn.end',
      'agent.turn.start',
      'model.call.start',
      'model.call.end',
      'agent.turn.end',
      'session.end',
    ]);
    expect(edges.map(({ node }) => node.number)).toEqual(edges.map((_edge, index) => index + 1));
    expect(edges.find(({ node }) => node.name === 'tool.call.failure')?.node).toMatchObject({
      turn: 1,
      severity: 'ERROR',
      payload: { tool: 'vault_read', error: expect.any(String) },
    });
    expect(JSON.stringify(edges.find(({ node }) => node.name === 'tool.call.success'))).not.toContain('"result"');
  });

  it('tell of every turn that it began and ended, also when something broke it off', async () => {
    const turns = async (runId: string) =>
      (await eventsOf(runId, { first: 100, name: 'agent.turn.*' })).edges.map(
        ({ node: { name, turn, payload } }) => `${name} ${turn} ${'complete' in payload ? payload.complete : ''}`,
      );
    const hanging = reply.stream([step.text('On and on. '), step.hang()]);
    kit.script(calling('one'), hanging);
    const stream = kit.open(user);
    const { runId: cancelled } = await stream.until((chunk) => chunk.__typename === 'ContentChunk');
    await kit.cancel(user, cancelled);
    await kit.settle(user, stream);
    kit.script(calling('one'), reply.error(400, { message: 'No.' }));
    const { runId: failed } = await kit.ask(user);
    const overspent = 'word '.repeat(6_000);
    kit.script(calling('one'), reply.stream([step.text(overspent), step.hang()]));
    const { runId: spent, done } = await kit.ask(user, { config: { tokenBudget: 5_000 } });

    expect(done.terminationReason).toBe('TOKEN_BUDGET');
    for (const runId of [cancelled, failed, spent]) {
      expect(await turns(runId)).toEqual([
        'agent.turn.start 1 ',
        'agent.turn.end 1 true',
        'agent.turn.start 2 ',
        'agent.turn.end 2 false',
      ]);
      expect((await eventsOf(runId, { first: 100 })).edges.at(-1)?.node.name).toBe('session.end');
    }
  });

  it('come in pages, and can be narrowed by name, prefix and severity', async () => {
    kit.script(calling([{ name: 'vault_read', arguments: { path: 'none' } }]), reply.text('Done.'));
    const { runId } = await kit.ask(user);
    const first = await eventsOf(runId, { first: 2 });
    const second = await eventsOf(runId, { first: 2, after: first.pageInfo.endCursor });

    expect(names(first)).toEqual(['query.start', 'agent.turn.start']);
    expect(second.edges.map(({ node }) => node.number)).toEqual([3, 4]);
    expect(names(await eventsOf(runId, { name: 'tool.*' }))).toEqual(['tool.call.pending', 'tool.call.failure']);
    expect(names(await eventsOf(runId, { name: 'session.end' }))).toEqual(['session.end']);
    expect(names(await eventsOf(runId, { severity: 'ERROR' }))).toEqual(['tool.call.failure']);
    expect(names(await eventsOf(runId, { severity: 'INFO' }))).toEqual([
      'query.start',
      'tool.call.failure',
      'session.end',
    ]);
    expect((await eventsOf(runId, { name: 'tool.*' })).totalCount).toBe(2);
    expect((await eventsOf(runId, { name: 'session\0.end' })).totalCount).toBe(0);
  });

  it('go with the run', async () => {
    kit.script(reply.text('Done.'));
    const { runId, conversationId } = await kit.ask(user);
    const count = async () =>
      (
        await kit.database.query<{ count: number }>('select count(*)::int as count from run_events where run_id = $1', [
          runId,
        ])
      )[0]?.count;

    expect(await count()).toBeGreaterThan(3);
    await user.ask('mutation ($id: ID!) { deleteConversation(conversationId: $id) { __typename } }', {
      id: conversationId,
    });
    expect(await count()).toBe(0);
  });
});
