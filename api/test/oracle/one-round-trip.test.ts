import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProxiedDatabase, type ProxiedDatabase } from '../kit/database-proxy.ts';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { type OracleKit, startOracleKit } from './kit/oracle-kit.ts';

let database: ProxiedDatabase;
let one: OracleKit;
let other: OracleKit;
let user: TestUser;
beforeEach(async () => {
  database = await createProxiedDatabase();
  one = await startOracleKit({ database });
  other = await startOracleKit({ database });
  user = await one.newUser();
  for (const kit of [one, other]) kit.script().always(reply.text('Yes.'));
});
afterEach(async () => {
  await one.stop();
  await other.stop();
  await database.drop();
});

/** What servers do at any moment, who it is that asks, and what readers of the run before leave behind. */
const besides: readonly RegExp[] = [
  ...[/^heartbeat$/, /^see-servers$/, /^take-over$/],
  /^find-tokens$/,
  ...[/^alive-tokens$/, /^update notices set seen_at/],
];

/** Everything that was executed for a question until its run was started. */
function untilStarted(): readonly string[] {
  const statements = database.statements();
  const started = statements.slice(0, statements.indexOf('start-run') + 1);
  return started.filter((statement) => !besides.some((beside) => beside.test(statement)));
}

const changeOwn = `mutation ($input: UpdateAgentConfigInput!) {
  updateAgentConfig(input: $input) { __typename } }`;
const changeAll = `mutation ($input: UpdateOrganisationConfigInput!) {
  updateOrganisationConfig(input: $input) { __typename } }`;

async function turnsAllowed(kit: OracleKit): Promise<number> {
  return (await kit.ask({ ...user, ...kit.as(user.token) })).run.config.maxIterations;
}

async function projectOf(owner: TestUser): Promise<string> {
  const { createProject } = await owner.ask<{ createProject: { id: string } }>(
    'mutation { createProject(name: "Elsewhere") { ... on Project { id } } }',
  );
  return createProject.id;
}

describe('starting a run', () => {
  it('takes one round trip to the database, once the person has asked before', async () => {
    await one.ask(user);
    database.statements();
    await one.ask(user);

    expect(untilStarted()).toEqual(['start-run']);
  });

  it('takes one round trip in a project that is named, too', async () => {
    const projectId = await projectOf(user);
    await one.ask(user);
    database.statements();
    await one.ask(user, { projectId });

    expect(untilStarted()).toEqual(['start-run']);
  });

  it('takes one round trip in a conversation that goes on, at its end or from an earlier exchange', async () => {
    const { conversationId, nodeId } = await one.ask(user);
    for (const place of [{ conversationId }, { conversationId, nodeId }, { nodeId }]) {
      database.statements();
      await one.ask(user, place);

      expect(untilStarted()).toEqual(['start-run']);
    }
  });

  it('reads what it takes to plan once for all that somebody asks at the same moment, and then never again', async () => {
    await user.ask('{ projects { id } }');
    database.statements();
    await Promise.all([1, 2, 3, 4, 5].map(() => one.ask(user)));
    const settings = database.statements().filter((statement) => statement === 'stored-settings');

    expect(settings).toHaveLength(1);
  });

  it('heeds what was changed since on any server: the person’s own limits, and everybody’s', async () => {
    const allowed = async () => [await turnsAllowed(one), await turnsAllowed(other)];

    expect(await allowed()).toEqual([15, 15]);
    await other.as(user.token).ask(changeOwn, { input: { maxIterations: 9 } });
    expect(await allowed()).toEqual([9, 9]);
    await one.admin.ask(changeAll, { input: { ceilings: { maxIterations: 4 } } });
    expect(await allowed()).toEqual([4, 4]);
    await other.admin.ask(changeAll, { input: { ceilings: { maxIterations: null } } });
    expect(await allowed()).toEqual([9, 9]);
  });

  it('is refused in somebody else’s project, and in one that is gone, as in one that never was', async () => {
    const foreign = await projectOf(await one.newUser());
    await one.ask(user);

    for (const projectId of [foreign, '8b379a89-20b1-4205-abfa-60d7d889510d', 'nonsense']) {
      await expect(one.open(user, { projectId }).next()).rejects.toThrow('NOT_FOUND');
    }
  });
});
