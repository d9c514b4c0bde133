import { afterAll, describe, expect, it } from 'vitest';
import { deafen } from '../kit/deafen.ts';
import { type Kit, startKit, type TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { calling, noticesOf, type OracleKit, searching } from '../oracle/kit/oracle-kit.ts';
import type { Told } from '../oracle/kit/told.ts';
import { useSubscribers } from './kit/subscribers-kit.ts';

let kit: OracleKit;
let other: Kit;
let user: TestUser;
const { folder, declare } = useSubscribers(async (started) => {
  ({ kit, user } = started);
  other = await startKit({ database: kit.database, dataDir: folder.dataDir });
});
afterAll(() => other.stop());

const steps = 'events = ["agent.turn.end"]\ninject = "TURN_END"\ntemplate = "A step."';
const set = `mutation ($id: String!, $enabled: Boolean!) { setNotification(id: $id, enabled: $enabled) { __typename
  ... on NotificationSubscriber { id enabled core lastFiredAt } ... on InvalidInput { problems { field message } } } }`;

interface Standing {
  readonly id: string;
  readonly enabled: boolean;
  readonly core: boolean;
  readonly lastFiredAt: string | null;
}

async function standing(id: string): Promise<Standing | undefined> {
  const { notificationSubscribers } = await user.ask<{ notificationSubscribers: Standing[] }>(
    '{ notificationSubscribers { id enabled core lastFiredAt } }',
  );
  return notificationSubscribers.find((one) => one.id === id);
}

/** In which turns something was said: as many tool calls had been made by then, one in each. */
function turnsOf(told: Told, message: string): readonly number[] {
  const calls = told.of('ToolCallChunk').filter(({ status }) => status === 'PENDING');
  const texts = told.of('ContentChunk');
  return told.chunks
    .filter((chunk) => chunk.__typename === 'SystemChunk' && chunk.message === message)
    .map(({ seq }) => [...calls, ...texts].filter((before) => before.seq < seq).length);
}

describe('switching off', () => {
  it('works from the next turn on, also in a run under way, and for nobody else', async () => {
    await declare({ steps });
    const neighbour = await kit.newUser();
    const during = (enabled: boolean, topic: string) => async () => {
      await deafen(kit);
      await user.ask(set, { id: 'steps', enabled });
      return calling(topic);
    };
    kit.script(calling('one'), during(false, 'two'), calling('three'), during(true, 'four'), reply.text('Done.'));
    const told = await kit.ask(user);
    const turns = turnsOf(told, 'A step.');
    await user.ask(set, { id: 'steps', enabled: false });
    kit.script(calling('one'), reply.text('Done.'), calling('one'), reply.text('Done.'));
    const [own, others] = [await kit.ask(user), await kit.ask(neighbour)];

    expect(turns).toEqual([1, 2, 5]);
    expect(own.of('SystemChunk')).toEqual([]);
    expect(others.system('NOTIFICATION')).toHaveLength(2);
    await user.ask(set, { id: 'steps', enabled: true });
  });

  it('reaches a run under way on another server', async () => {
    await declare({ steps });
    kit
      .script(async () => {
        await other.as(user.token).ask(set, { id: 'steps', enabled: false });
        return calling('first');
      })
      .always((request) =>
        noticesOf(request).length > 0 ? calling(`topic ${request.number}`) : reply.text('It is quiet.'),
      );
    const told = await kit.ask(user, { config: { maxIterations: 50, tokenBudget: 200_000 } });
    await user.ask(set, { id: 'steps', enabled: true });

    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'It is quiet.' });
  });

  it('is not for the core, nor for what there is none of', async () => {
    expect(await user.ask(set, { id: 'budget-warning', enabled: false })).toEqual({
      setNotification: {
        __typename: 'InvalidInput',
        problems: [
          { field: 'enabled', message: '“Limits that come near” is part of the limits, and cannot be switched off.' },
        ],
      },
    });
    expect(await standing('budget-warning')).toMatchObject({ core: true, enabled: true });
    expect((await user.query(set, { id: 'nothing', enabled: false })).errors?.[0]?.extensions).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('leaves on whatever speaks of limits, of the workflow and of rules, and switches off all else', async () => {
    const person = await kit.newUser();
    const all = '{ notificationSubscribers { id enabled } }';
    interface All {
      readonly notificationSubscribers: readonly Pick<Standing, 'id' | 'enabled'>[];
    }
    for (const { id } of (await person.ask<All>(all)).notificationSubscribers)
      await person.ask(set, { id, enabled: false });
    const { notificationSubscribers } = await person.ask<All>(all);
    kit.script().always(searching);
    const told = await kit.ask(person, { config: { maxIterations: 3 } });

    expect(notificationSubscribers.filter(({ enabled }) => enabled).map(({ id }) => id)).toEqual([
      ...['agent-hint', 'agent-notice', 'budget-exceeded', 'budget-warning', 'context-limit', 'context-reduced'],
      ...['loop-detected', 'rule-hint', 'rule-limit', 'rule-notice', 'tool-limit', 'tool-unavailable'],
    ]);
    expect(told.of('SystemChunk').map(({ systemType }) => systemType)).toEqual(['LIMIT_WARNING', 'LIMIT_REACHED']);
  });

  it('is of no account for one that is made core, and was never noted for one that was', async () => {
    const core = `core = true\n${steps}`;
    await declare({ grown: steps, released: core.replace('step', 'leap') });
    await user.ask(set, { id: 'grown', enabled: false });
    await user.ask(set, { id: 'released', enabled: false });
    const before = await standing('grown');
    folder.declare('grown', core);
    folder.declare('released', steps.replace('step', 'leap'));
    await expect.poll(async () => (await standing('grown'))?.core).toBe(true);
    await expect.poll(async () => (await standing('released'))?.core).toBe(false);
    kit.script(reply.text('Done.'));
    const told = await kit.ask(user);

    expect(before).toMatchObject({ core: false, enabled: false });
    expect(await standing('grown')).toMatchObject({ core: true, enabled: true });
    expect(await standing('released')).toMatchObject({ core: false, enabled: true });
    expect(told.system('NOTIFICATION').map(({ message }) => message)).toEqual(['A step.', 'A leap.']);
  });

  it('shows when each was last heard', async () => {
    const missing = (path: string) => calling([{ name: 'vault_read', arguments: { path } }]);
    kit.script(missing('x1'), missing('x2'), reply.text('Done.'));
    await kit.ask(user);

    await expect.poll(async () => (await standing('tool-failure'))?.lastFiredAt).toEqual(expect.any(String));
  });
});
