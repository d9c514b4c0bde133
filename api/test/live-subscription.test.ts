import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codesOf } from './kit/client.ts';
import { type Kit, startKit, type TestUser } from './kit/kit.ts';
import { type Live, overSse, overWebSocket, transports } from './kit/live.ts';

const settingsChanged = `subscription ($userId: ID) { settingsChanged(userId: $userId) {
  id agentConfig { maxIterations version } effectiveConfig { fields { field value layer } }
} }`;
const update = `mutation ($input: UpdateAgentConfigInput!) {
  updateAgentConfig(input: $input) { ... on AgentConfig { version } ... on InvalidAgentConfig { message } }
}`;
const updateOrganisation = `mutation ($input: UpdateOrganisationConfigInput!) {
  updateOrganisationConfig(input: $input) { ... on OrganisationConfig { version } }
}`;

interface Event {
  readonly settingsChanged: {
    readonly id: string;
    readonly agentConfig: { readonly maxIterations: number; readonly version: number };
    readonly effectiveConfig: { readonly fields: readonly { field: string; value: number; layer: string }[] };
  };
}

let kit: Kit;
let user: TestUser;
beforeAll(async () => {
  kit = await startKit();
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

function turns(answer: Awaited<ReturnType<Live<Event>['next']>>) {
  const event = answer?.data?.settingsChanged;
  const field = event?.effectiveConfig.fields.find(({ field }) => field === 'maxIterations');
  return { ...event?.agentConfig, layer: field?.layer };
}

describe('a live subscription', () => {
  it('delivers the present state and every change, the same over WebSocket and server-sent events', async () => {
    const readers = [overWebSocket, overSse].map((follow) => follow<Event>({ ...user, url: kit.url }, settingsChanged));
    const nextOfBoth = async () => (await Promise.all(readers.map((reader) => reader.next()))).map(turns);
    const both = (state: object) => [state, state];

    expect(await nextOfBoth()).toEqual(both({ maxIterations: 15, version: 1, layer: 'BUILT_IN' }));
    await user.ask(update, { input: { maxIterations: 30 } });
    expect(await nextOfBoth()).toEqual(both({ maxIterations: 30, version: 2, layer: 'USER' }));
    await kit.admin.ask(update, { input: { userId: user.id, maxIterations: 40 } });
    expect(await nextOfBoth()).toEqual(both({ maxIterations: 40, version: 3, layer: 'USER' }));
    await kit.admin.ask(updateOrganisation, { input: { ceilings: { maxIterations: 20 } } });
    expect(await nextOfBoth()).toEqual(both({ maxIterations: 20, version: 3, layer: 'CEILING' }));
    await kit.admin.ask(updateOrganisation, { input: { ceilings: { maxIterations: null } } });
    expect(await nextOfBoth()).toEqual(both({ maxIterations: 40, version: 3, layer: 'USER' }));
    await Promise.all(readers.map((reader) => reader.stop()));
  });

  it.each(transports)('tells nobody of another’s changes, over %s', async (_name, follow) => {
    const live = follow<Event>({ ...user, url: kit.url }, settingsChanged);
    await live.next();

    const other = await kit.newUser();
    await other.ask(update, { input: { maxIterations: 3 } });
    await user.ask(update, { input: { maxIterations: 4 } });
    expect(turns(await live.next())).toMatchObject({ maxIterations: 4, version: 2 });
    await live.stop();
  });

  it.each(transports)('lets an administrator follow another person, over %s', async (_name, follow) => {
    const live = follow<Event>({ ...kit.admin, url: kit.url }, settingsChanged, { userId: user.id });
    await live.next();

    await user.ask(update, { input: { maxIterations: 6 } });
    expect((await live.next())?.data?.settingsChanged).toMatchObject({
      id: user.id,
      agentConfig: { maxIterations: 6 },
    });
    await live.stop();
  });

  it.each(transports)('is over for the server too once the reader stops, over %s', async (_name, follow) => {
    const before = kit.listeners();
    const live = follow<Event>({ ...user, url: kit.url }, settingsChanged);
    await live.next();
    expect(kit.listeners()).toBe(before + 1);

    await live.stop();
    await expect.poll(() => kit.listeners()).toBe(before);
  });
});

describe('a live subscription whose token ends', () => {
  it.each(transports)('is ended, saying why, when the token is revoked, over %s', async (_name, follow) => {
    const before = kit.listeners();
    const live = follow<Event>({ ...user, url: kit.url }, settingsChanged);
    await live.next();

    await kit.admin.ask('mutation ($id: ID!) { revokeToken(id: $id) }', { id: user.tokenId });
    expect(codesOf((await live.next()) ?? {})).toEqual(['UNAUTHENTICATED']);
    expect(await live.next()).toBeUndefined();
    await expect.poll(() => kit.listeners()).toBe(before);
    await live.stop();
  });

  it.each(transports)('is ended, saying why, when the token expires, over %s', async (_name, follow) => {
    const { issueToken } = await user.ask<{ issueToken: { token: string } }>(
      'mutation { issueToken(input: { name: "brief", expiresInSeconds: 3 }) { ... on IssuedToken { token } } }',
    );
    const live = follow<Event>({ url: kit.url, token: issueToken.token }, settingsChanged);
    expect(turns(await live.next())).toMatchObject({ version: 1 });

    expect(codesOf((await live.next()) ?? {})).toEqual(['UNAUTHENTICATED']);
    expect(await live.next()).toBeUndefined();
    expect(codesOf(await kit.as(issueToken.token).query('{ viewer { id } }'))).toEqual(['UNAUTHENTICATED']);
    await live.stop();
  });

  it.each(transports)('leaves the person’s other subscriptions alone, over %s', async (_name, follow) => {
    const { issueToken } = await user.ask<{ issueToken: { id: string; token: string } }>(
      'mutation { issueToken(input: { name: "other" }) { ... on IssuedToken { id token } } }',
    );
    const live = follow<Event>({ ...user, url: kit.url }, settingsChanged);
    const ended = follow<Event>({ url: kit.url, token: issueToken.token }, settingsChanged);
    await Promise.all([live.next(), ended.next()]);

    await user.ask('mutation ($id: ID!) { revokeToken(id: $id) }', { id: issueToken.id });
    expect(codesOf((await ended.next()) ?? {})).toEqual(['UNAUTHENTICATED']);
    await user.ask(update, { input: { maxIterations: 8 } });
    expect(turns(await live.next())).toMatchObject({ maxIterations: 8 });
    await Promise.all([live.stop(), ended.stop()]);
  });
});

describe('after the connection that carries changes was lost', () => {
  const cut = () =>
    kit.database.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'oracle-agent changes' and datname = current_database()`);

  it.each(transports)('a change made meanwhile and those after it still arrive, over %s', async (_name, follow) => {
    const live = follow<Event>({ ...user, url: kit.url }, settingsChanged);
    await live.next();

    expect(await cut()).toHaveLength(1);
    await user.ask(update, { input: { maxIterations: 11 } });
    await live.until((event) => event.settingsChanged.agentConfig.maxIterations === 11);
    await user.ask(update, { input: { maxIterations: 12 } });
    await live.until((event) => event.settingsChanged.agentConfig.maxIterations === 12);
    await live.stop();
  });

  it.each(transports)('a token revoked meanwhile still ends its subscription, over %s', async (_name, follow) => {
    const live = follow<Event>({ ...user, url: kit.url }, settingsChanged);
    await live.next();

    expect(await cut()).toHaveLength(1);
    await kit.admin.ask('mutation ($id: ID!) { revokeToken(id: $id) }', { id: user.tokenId });
    let answer = await live.next();
    while (answer?.data) answer = await live.next();
    expect(codesOf(answer ?? {})).toEqual(['UNAUTHENTICATED']);
    await live.stop();
  });
});
