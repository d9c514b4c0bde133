import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, vi } from 'vitest';
import type { Client } from '../../kit/client.ts';
import type { TestUser } from '../../kit/kit.ts';

const everything = fileURLToPath(
  new URL('../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);
const odd = fileURLToPath(new URL('./odd-server.ts', import.meta.url));

export const serverFields = `id name transport command args environmentNames url headerNames timeoutSeconds enabled
  everyone users { id } version status statusReason warnings
  tools { name toolName state available approvedAt promptTokens
    present { description fingerprint inputSchema } approved { description fingerprint } }`;

export interface ShownTool {
  readonly name: string;
  readonly toolName: string;
  readonly state: string;
  readonly available: boolean;
  readonly promptTokens: number;
  readonly present: { readonly description: string; readonly fingerprint: string } | null;
  readonly approved: { readonly description: string; readonly fingerprint: string } | null;
}

export interface ShownServer {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly status: string;
  readonly statusReason: string | null;
  readonly enabled: boolean;
  readonly environmentNames: readonly string[];
  readonly headerNames: readonly string[];
  readonly users: readonly { readonly id: string }[];
  readonly everyone: boolean;
  readonly warnings: readonly string[];
  readonly tools: readonly ShownTool[];
}

export type Result = (ShownServer & { readonly __typename: string }) & {
  readonly problems?: readonly { readonly field: string; readonly message: string; readonly value: unknown }[];
  readonly current?: ShownServer;
};

const result = `__typename ... on McpServer { ${serverFields} } ... on InvalidInput { problems { field message value } }`;

export const stdioEverything = { transport: 'STDIO', command: process.execPath, args: [everything, 'stdio'] };

/** The fields that a refusal complains of. */
export const fieldsOf = ({ problems }: Pick<Result, 'problems'>) => problems?.map(({ field }) => field);

/** The odd server with a folder of its own. */
export function stdioOdd(environment: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(inject('scratchFolder'), 'odd-'));
  const given = { ODD_FOLDER: folder, ODD_SECRET: 'hush-hush-hush', ...environment };
  const notes = () => {
    const file = join(folder, 'notes');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  };
  return {
    folder,
    notes,
    /** The process that was started last. */
    pid: () =>
      Number(
        notes()
          .findLast((line) => line.startsWith('started '))
          ?.split(' ')[1],
      ),
    input: {
      transport: 'STDIO',
      command: process.execPath,
      args: [odd],
      environment: Object.entries(given).map(([name, value]) => ({ name, value })),
    },
  };
}

export async function add(admin: Client, input: object): Promise<Result> {
  const { answer } = await admin.ask<{ answer: Result }>(
    `mutation ($input: AddMcpServerInput!) { answer: addMcpServer(input: $input) { ${result} } }`,
    { input },
  );
  return connected(admin, answer);
}

export async function update(admin: Client, input: object): Promise<Result> {
  const { answer } = await admin.ask<{ answer: Result }>(
    `mutation ($input: UpdateMcpServerInput!) { answer: updateMcpServer(input: $input) {
      ${result} ... on McpServerConflict { message current { ${serverFields} } } } }`,
    { input },
  );
  return connected(admin, answer);
}

/** Where many tests run at once, a process may take longer to start than anybody is kept waiting. */
async function connected(admin: Client, answer: Result): Promise<Result> {
  let server = answer;
  while (server.status === 'CONNECTING') server = { ...answer, ...(await show(admin, answer.id)) };
  return server;
}

export async function approve(admin: Client, serverId: string, tools?: readonly object[]): Promise<Result> {
  const { answer } = await admin.ask<{ answer: Result }>(
    `mutation ($input: ApproveMcpToolsInput!) { answer: approveMcpTools(input: $input) { ${result} } }`,
    { input: { serverId, tools } },
  );
  return answer;
}

export async function setAccess(
  admin: Client,
  serverId: string,
  access: { everyone?: boolean; userIds?: readonly string[] },
): Promise<Result> {
  const { answer } = await admin.ask<{ answer: Result }>(
    `mutation ($input: SetMcpAccessInput!) { answer: setMcpAccess(input: $input) { ${result} } }`,
    { input: { serverId, ...access } },
  );
  return answer;
}

export async function show(admin: Client, id: string): Promise<ShownServer> {
  const { mcpServer } = await admin.ask<{ mcpServer: ShownServer }>(
    `query ($id: ID!) { mcpServer(id: $id) { ${serverFields} } }`,
    { id },
  );
  return mcpServer;
}

export async function remove(admin: Client, id: string): Promise<void> {
  await admin.ask('mutation ($id: ID!) { removeMcpServer(id: $id) }', { id });
}

export async function removeAll(admin: Client): Promise<void> {
  const { mcpServers } = await admin.ask<{ mcpServers: { edges: { node: { id: string } }[] } }>(
    '{ mcpServers { edges { node { id } } } }',
  );
  for (const { node } of mcpServers.edges) await remove(admin, node.id);
}

/** A server with all its tools approved for some people, connected. */
export async function addApproved(admin: Client, input: object, ...users: readonly TestUser[]): Promise<ShownServer> {
  const added = await add(admin, input);
  expect(added).toMatchObject({ __typename: 'McpServer' });
  expect(await approve(admin, added.id)).toMatchObject({ __typename: 'McpServer', status: 'CONNECTED' });
  return setAccess(admin, added.id, { userIds: users.map(({ id }) => id) });
}

export function toolOf(server: ShownServer, name: string): ShownTool {
  const tool = server.tools.find((one) => one.name === name);
  if (!tool) throw new Error(`${server.name} has no ${name}: ${server.tools.map((one) => one.name).join()}`);
  return tool;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // Dead, and not yet buried: only Linux tells.
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

export const gone = (pid: number) => vi.waitUntil(() => !isAlive(pid), { timeout: 15_000 });

/** The reference server over streamable HTTP, behind a door that notes what headers come. */
export async function startHttpEverything() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/mcp`;
  let child: ChildProcess | undefined;
  async function start(): Promise<void> {
    const next = spawn(process.execPath, [everything, 'streamableHttp'], {
      env: { PATH: process.env.PATH, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = next;
    await new Promise<void>((resolve, reject) => {
      next.stderr.setEncoding('utf8').on('data', (said: string) => said.includes('listening') && resolve());
      next.once('exit', (code) => reject(new Error(`The HTTP server ended with ${code}.`)));
    });
  }
  async function stop(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  await start();
  return { url, start, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
