import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {} from '../../api/test/kit/global-setup.ts';
import { type Kit, startKit } from '../../api/test/kit/kit.ts';
import { createOracleClient, type OracleClient } from '../src/index.ts';
import { makeOversight, type Oversight } from '../src/oversight.ts';

let kit: Kit;
let client: OracleClient;
let oversight: Oversight;

beforeAll(async () => {
  kit = await startKit();
  client = createOracleClient({ url: kit.url, token: kit.admin.token });
  oversight = makeOversight(client);
});
afterAll(async () => {
  client.close();
  await kit.stop();
});

describe('people', () => {
  it('are listed with what they do, changed together, compared and put back', async () => {
    const person = await kit.newUser({ name: 'Overseen Person' });
    const search = 'Overseen';

    const page = await oversight.people.list({ search, first: 5 });
    expect(page.edges[0]?.node.activity).toMatchObject({ running: 0, lastWeek: { runs: 0, tokens: 0 } });
    const names: string[] = [];
    for await (const { name } of oversight.people.all({ search, first: 1 })) names.push(name);
    expect(names).toEqual(['Overseen Person']);

    const done = await oversight.people.updateLimits({ search, changes: { maxIterations: 33 } });
    expect(done).toMatchObject({ __typename: 'AgentConfigsUpdate', applied: true, changed: 1 });
    const compared = await oversight.people.differences({ userId: person.id, group: 'AGENT_CONFIG', from: 1, to: 2 });
    expect(compared?.settingDifferences).toMatchObject([{ field: 'maxIterations', from: null, to: 33 }]);
    expect(await oversight.people.revert({ userId: person.id, group: 'AGENT_CONFIG', to: 1 })).toMatchObject({
      applied: true,
      version: 3,
    });
    expect(await oversight.people.revertOrganisation({ to: 1, dryRun: true })).toMatchObject({ applied: false });
  });
});

describe('runs', () => {
  it('are stopped together', async () => {
    const missing = '00000000-0000-4000-8000-000000000000';
    expect(await oversight.runs.cancelMany([missing as never])).toMatchObject([{ runId: missing, outcome: 'MISSING' }]);
  });
});
