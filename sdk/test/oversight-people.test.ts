import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OversightKit, startOversightKit } from './oversight-kit.ts';

let kit: OversightKit;
beforeAll(async () => {
  kit = await startOversightKit();
});
afterAll(() => kit.stop());

describe('people', () => {
  it('are listed with what they do, changed together, compared and put back', async () => {
    const person = await kit.newUser({ name: 'Overseen Person' });
    const search = 'Overseen';

    const page = await kit.oversight.people.list({ search, first: 5 });
    expect(page.edges[0]?.node.activity).toMatchObject({ running: 0, lastWeek: { runs: 0, tokens: 0 } });
    const names: string[] = [];
    for await (const { name } of kit.oversight.people.all({ search, first: 1 })) names.push(name);
    expect(names).toEqual(['Overseen Person']);

    const done = await kit.oversight.people.updateLimits({ search, changes: { maxIterations: 33 } });
    expect(done).toMatchObject({ __typename: 'AgentConfigsUpdate', applied: true, changed: 1 });
    const compared = await kit.oversight.people.differences({
      userId: person.id,
      group: 'AGENT_CONFIG',
      from: 1,
      to: 2,
    });
    expect(compared?.settingDifferences).toMatchObject([{ field: 'maxIterations', from: null, to: 33 }]);
    expect(await kit.oversight.people.revert({ userId: person.id, group: 'AGENT_CONFIG', to: 1 })).toMatchObject({
      applied: true,
      version: 3,
    });
    expect(await kit.oversight.people.revertOrganisation({ to: 1, dryRun: true })).toMatchObject({ applied: false });
  });
});

describe('runs', () => {
  it('are stopped together', async () => {
    const missing = '00000000-0000-4000-8000-000000000000';
    expect(await kit.oversight.runs.cancelMany([missing as never])).toMatchObject([
      { runId: missing, outcome: 'MISSING' },
    ]);
  });
});
