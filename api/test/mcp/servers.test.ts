import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import {
  add,
  approve,
  fieldsOf,
  gone,
  remove,
  removeAll,
  setAccess,
  show,
  stdioEverything,
  stdioOdd,
  toolOf,
  update,
} from './kit/mcp-kit.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
  user = await kit.newUser();
});
afterEach(() => removeAll(kit.admin));
afterAll(() => kit.stop());

async function offered(): Promise<readonly string[]> {
  const script = kit.script(reply.text('Nothing.'));
  await kit.ask(user);
  return script.requests()[0]?.body.tools?.map((tool) => tool.function.name) ?? [];
}

describe('adding a server', () => {
  it('connects to it and shows its tools, none of which a model sees before it is approved', async () => {
    const server = await add(kit.admin, { ...stdioOdd().input, name: 'odd', everyone: true });

    expect(server).toMatchObject({ name: 'odd', status: 'CONNECTED', statusReason: null, enabled: true, version: 1 });
    expect(new Set(server.tools.map(({ state }) => state))).toEqual(new Set(['PENDING']));
    expect(toolOf(server, 'read-thing')).toMatchObject({ toolName: 'odd_read_thing', available: true, approved: null });
    expect(toolOf(server, 'read_thing').toolName).toBe('odd_read_thing_2');
    expect(toolOf(server, 'moody').promptTokens).toBeGreaterThan(5);
    expect((await offered()).filter((name) => name.startsWith('odd_'))).toEqual([]);

    await approve(kit.admin, server.id, [{ name: 'moody', fingerprint: toolOf(server, 'moody').present?.fingerprint }]);
    expect((await offered()).filter((name) => name.startsWith('odd_'))).toEqual(['odd_moody']);
  });

  it('reports every bad field at once, and no secret with it', async () => {
    const refused = await add(kit.admin, {
      name: 'No Name',
      transport: 'STDIO',
      url: 'http://127.0.0.1/',
      args: ['fine', 'a\0b'],
      environment: [
        { name: 'GOOD', value: 'secret-one' },
        { name: 'GOOD', value: 'secret-two' },
        { name: 'BAD-NAME', value: 'secret-three' },
        { name: 'EMPTY' },
      ],
      headers: [{ name: 'authorization', value: 'secret-four' }],
      timeoutSeconds: 0,
    });

    expect(fieldsOf(refused)?.toSorted()).toEqual([
      'args.1',
      'command',
      'environment.1.name',
      'environment.2.name',
      'environment.3.value',
      'headers',
      'name',
      'timeoutSeconds',
      'url',
    ]);
    expect(JSON.stringify(refused)).not.toContain('secret-');
  });

  it.each([
    ['an address that is none', { url: 'nowhere' }, ['url']],
    ['an address of another kind', { url: 'file:///etc/passwd' }, ['url']],
    ['a password in the address', { url: 'https://me:hunter2@example.com/' }, ['url']],
    ['no address', {}, ['url']],
    ['a command', { url: 'http://127.0.0.1/', command: 'sh', args: ['-c'] }, ['command', 'args']],
    [
      'a header of the protocol',
      { url: 'http://127.0.0.1/', headers: [{ name: 'Mcp-Session-Id', value: 'x' }] },
      ['headers.0.name'],
    ],
    [
      'a header with a line break',
      { url: 'http://127.0.0.1/', headers: [{ name: 'x', value: 'a\r\nb' }] },
      ['headers.0.value'],
    ],
  ])('over HTTP refuses %s', async (_what, input, fields) => {
    expect(fieldsOf(await add(kit.admin, { name: 'web', transport: 'HTTP', ...input }))).toEqual(fields);
  });

  it('refuses a name that is taken, or that built-in tools begin with', async () => {
    await add(kit.admin, { ...stdioEverything, name: 'every', enabled: false });

    expect((await add(kit.admin, { ...stdioEverything, name: 'every' })).problems).toMatchObject([
      { field: 'name', message: 'There is a server called "every" already.' },
    ]);
    expect((await add(kit.admin, { ...stdioEverything, name: 'vault' })).problems).toMatchObject([
      { field: 'name', message: '"vault" is how built-in tools begin.' },
    ]);
  });

  it('says what is wrong when it cannot be reached', async () => {
    const missing = await add(kit.admin, { name: 'none', transport: 'STDIO', command: 'no-such-command-here' });
    const silent = await add(kit.admin, {
      name: 'silent',
      transport: 'STDIO',
      command: process.execPath,
      args: ['-e', '0'],
    });
    const nobody = await add(kit.admin, { name: 'nobody', transport: 'HTTP', url: 'http://127.0.0.1:9/mcp' });

    expect(missing).toMatchObject({
      status: 'FAILED',
      statusReason: 'There is no command "no-such-command-here" on this machine.',
      tools: [],
    });
    expect(silent).toMatchObject({ status: 'FAILED', statusReason: 'Its process ended with code 0.' });
    expect(nobody).toMatchObject({ status: 'FAILED', statusReason: 'The server cannot be reached: bad port.' });
    expect((await approve(kit.admin, missing.id)).problems).toMatchObject([{ field: 'serverId' }]);
  });
});

describe('changing a server', () => {
  it('is refused when somebody else was faster', async () => {
    const { id } = await add(kit.admin, { ...stdioEverything, name: 'every', enabled: false });
    await update(kit.admin, { id, timeoutSeconds: 60 });

    expect(await update(kit.admin, { id, timeoutSeconds: 90, expectedVersion: 1 })).toMatchObject({
      __typename: 'McpServerConflict',
      current: { version: 2, timeoutSeconds: 60 },
    });
    expect(await update(kit.admin, { id, timeoutSeconds: 90, expectedVersion: 2 })).toMatchObject({ version: 3 });
    expect(fieldsOf(await update(kit.admin, { id, timeoutSeconds: 601, command: ' ' }))?.toSorted()).toEqual([
      'command',
      'timeoutSeconds',
    ]);
  });

  it('leaves the connection alone unless it is reached another way; switching off and removing end it', async () => {
    const odd = stdioOdd();
    const { id } = await add(kit.admin, { ...odd.input, name: 'odd' });
    const first = odd.pid();
    await update(kit.admin, { id, timeoutSeconds: 60 });
    await setAccess(kit.admin, id, { everyone: true });
    expect(await show(kit.admin, id)).toMatchObject({ status: 'CONNECTED' });
    expect(odd.pid()).toBe(first);

    expect(await update(kit.admin, { id, enabled: false })).toMatchObject({ status: 'DISABLED', tools: [] });
    await gone(first);
    expect(await update(kit.admin, { id, enabled: true })).toMatchObject({ status: 'CONNECTED' });
    const second = odd.pid();
    expect(second).not.toBe(first);
    await remove(kit.admin, id);
    await gone(second);
  });

  it('keeps approvals when it is renamed', async () => {
    const { id } = await add(kit.admin, { ...stdioOdd().input, name: 'odd', everyone: true });
    await approve(kit.admin, id, [{ name: 'moody' }]);
    await update(kit.admin, { id, name: 'strange' });

    expect((await offered()).filter((name) => /odd|strange/.test(name))).toEqual(['strange_moody']);
  });
});

describe('approvals', () => {
  it('are for tools that exist, and can be taken back', async () => {
    const { id } = await add(kit.admin, { ...stdioOdd().input, name: 'odd', everyone: true });
    const refused = await approve(kit.admin, id, [{ name: 'moody' }, { name: 'nope' }, { name: 'neither' }]);
    expect(fieldsOf(refused)).toEqual(['tools.1.name', 'tools.2.name']);
    expect(toolOf(await show(kit.admin, id), 'moody').state).toBe('PENDING');

    const all = await approve(kit.admin, id);
    expect(new Set(all.tools.map(({ state }) => state))).toEqual(new Set(['APPROVED']));
    await kit.admin.ask(
      'mutation ($id: ID!) { revokeMcpTools(serverId: $id, names: ["crash", "never-approved"]) { id } }',
      { id },
    );
    expect(toolOf(await show(kit.admin, id), 'crash').state).toBe('PENDING');
    expect(await offered()).not.toContain('odd_crash');
    expect(await offered()).toContain('odd_moody');
  });
});

describe('access', () => {
  it('is for people who exist, and is shown', async () => {
    const { id } = await add(kit.admin, { ...stdioEverything, name: 'every', enabled: false });
    const nobody = '00000000-0000-4000-8000-000000000000';

    expect(fieldsOf(await setAccess(kit.admin, id, { userIds: [user.id, nobody, 'x'] }))).toEqual([
      'userIds.1',
      'userIds.2',
    ]);
    expect(await setAccess(kit.admin, id, { userIds: [user.id, user.id.toUpperCase()] })).toMatchObject({
      everyone: false,
      users: [{ id: user.id }],
    });
    expect(await setAccess(kit.admin, id, { everyone: true })).toMatchObject({ everyone: true, users: [] });
  });

  const operations = [
    ['mcpServers', '{ mcpServers { totalCount } }'],
    ['mcpServer', 'query ($id: ID!) { mcpServer(id: $id) { name } }'],
    ['addMcpServer', 'mutation { addMcpServer(input: { name: "x", transport: STDIO }) { __typename } }'],
    ['updateMcpServer', 'mutation ($id: ID!) { updateMcpServer(input: { id: $id }) { __typename } }'],
    ['removeMcpServer', 'mutation ($id: ID!) { removeMcpServer(id: $id) }'],
    ['approveMcpTools', 'mutation ($id: ID!) { approveMcpTools(input: { serverId: $id }) { __typename } }'],
    ['revokeMcpTools', 'mutation ($id: ID!) { revokeMcpTools(serverId: $id, names: []) { id } }'],
    ['setMcpAccess', 'mutation ($id: ID!) { setMcpAccess(input: { serverId: $id }) { __typename } }'],
  ] as const;

  it.each(operations)('%s is for administrators', async (_name, operation) => {
    const { id } = await add(kit.admin, { ...stdioEverything, name: 'every', enabled: false });
    const variables = operation.includes('$id') ? { id } : {};

    expect(codesOf(await user.query(operation, variables))).toEqual(['FORBIDDEN']);
    expect(codesOf(await kit.stranger.query(operation, variables))).toEqual(['UNAUTHENTICATED']);
  });

  it.each(operations.filter(([, operation]) => operation.startsWith('mutation ($id')))(
    '%s of a server that is not there says so',
    async (_name, operation) => {
      for (const id of ['00000000-0000-4000-8000-000000000000', 'x'])
        expect(codesOf(await kit.admin.query(operation, { id }))).toEqual(['NOT_FOUND']);
    },
  );
});
