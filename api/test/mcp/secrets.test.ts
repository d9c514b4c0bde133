import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import { add, approve, fieldsOf, removeAll, show, stdioOdd, update } from './kit/mcp-kit.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
  user = await kit.newUser();
});
afterEach(() => removeAll(kit.admin));
afterAll(() => kit.stop());

describe('secrets', () => {
  it('reach the program and nobody else: not the API, not the log, not the audit log', async () => {
    const odd = stdioOdd({ ODD_TOKEN: 'very-secret-token' });
    const server = await add(kit.admin, { ...odd.input, name: 'odd' });
    expect(server.environmentNames).toEqual(['ODD_FOLDER', 'ODD_SECRET', 'ODD_TOKEN']);
    await expect.poll(() => kit.logs.join()).toContain('my secret is …');

    const changed = await update(kit.admin, {
      id: server.id,
      environment: [
        { name: 'ODD_FOLDER' },
        { name: 'ODD_SECRET', value: 'another-secret-value' },
        { name: 'ODD_NEW', value: 'a-new-one' },
      ],
    });
    expect(changed).toMatchObject({ version: 2, environmentNames: ['ODD_FOLDER', 'ODD_NEW', 'ODD_SECRET'] });
    await expect.poll(async () => (await show(kit.admin, server.id)).status).toBe('CONNECTED');
    const [row] = await kit.database.query('select environment from mcp_servers');
    expect(row).toEqual({
      environment: { ODD_FOLDER: odd.folder, ODD_SECRET: 'another-secret-value', ODD_NEW: 'a-new-one' },
    });

    const { settingChanges } = await kit.admin.ask<{ settingChanges: { edges: { node: object }[] } }>(
      '{ settingChanges(first: 100) { edges { node { group field oldValue newValue actor { id } user { id } } } } }',
    );
    expect(settingChanges.edges.map(({ node }) => node)).toContainEqual({
      group: 'MCP_SERVERS',
      field: 'odd.environment',
      oldValue: ['ODD_FOLDER', 'ODD_SECRET', 'ODD_TOKEN'],
      newValue: ['ODD_FOLDER', 'ODD_NEW', 'ODD_SECRET (another value)'],
      actor: { id: kit.admin.id },
      user: null,
    });
    const everywhere = JSON.stringify([server, changed, await show(kit.admin, server.id), settingChanges, kit.logs]);
    for (const secret of ['very-secret-token', 'hush-hush-hush', 'another-secret-value', 'a-new-one'])
      expect(everywhere).not.toContain(secret);
  });

  it('of other programs stay ours: a child has only its own and what every program needs', async () => {
    const odd = stdioOdd();
    const server = await add(kit.admin, { ...odd.input, name: 'odd', everyone: true });
    await approve(kit.admin, server.id);
    kit.script(reply.toolCalls([{ id: 'it', name: 'odd_environment', arguments: {} }]), reply.text('I see.'));
    const [result] = (await kit.ask(user)).of('ToolResultChunk');

    const allowed = ['HOME', 'LOGNAME', 'ODD_FOLDER', 'ODD_SECRET', 'PATH', 'SHELL', 'TERM', 'USER'];
    expect(
      String(result?.result)
        .split(' ')
        .filter((name) => !allowed.includes(name)),
    ).toEqual([]);
    expect(result?.result).toContain('ODD_SECRET');
  });

  it('in headers go to the address they were given for, and have to be given again for another', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const closedDoor = createServer((request, response) => {
      seen.push(request.headers);
      response.writeHead(401).end(`not with ${request.headers.authorization}`);
    });
    await new Promise<void>((resolve) => closedDoor.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(closedDoor.address() as AddressInfo).port}/mcp`;
    const headers = [{ name: 'Authorization', value: 'Bearer top-secret-header' }];
    const server = await add(kit.admin, { name: 'web', transport: 'HTTP', url, headers });

    expect(server).toMatchObject({ headerNames: ['Authorization'], status: 'FAILED' });
    expect(server.statusReason).toBe('The server refused us (HTTP 401): check the headers.');
    expect(seen[0]?.authorization).toBe('Bearer top-secret-header');

    const moved = { id: server.id, url: 'http://127.0.0.1:9/elsewhere' };
    expect(fieldsOf(await update(kit.admin, moved))).toEqual(['headers']);
    expect(fieldsOf(await update(kit.admin, { ...moved, headers: [{ name: 'Authorization' }] }))).toEqual(['headers']);
    expect(await update(kit.admin, { ...moved, headers })).toMatchObject({ __typename: 'McpServer', version: 2 });
    expect(await update(kit.admin, { id: server.id, url: 'http://127.0.0.1:9/', headers: [] })).toMatchObject({
      headerNames: [],
    });
    expect(kit.logs.join()).not.toContain('top-secret-header');
    closedDoor.close();
  });
});
