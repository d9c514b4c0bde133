import {
  ApproveMcpToolsDocument,
  type McpServerFragment,
  McpServersDocument,
  type McpServersQuery,
  RemoveMcpServerDocument,
  RevokeMcpToolsDocument,
  SetMcpAccessDocument,
  UpdateMcpServerDocument,
} from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createSignal, onCleanup } from 'solid-js';
import { words } from '../words.ts';
import { type Answer, mutate, query } from './graphql-client.ts';
import type { LoadState } from './load.ts';
import { toasts } from './toasts.ts';

export type McpServer = McpServerFragment;
export type McpTool = McpServer['tools'][number];

export interface Access {
  readonly everyone: boolean;
  readonly userIds: readonly string[];
}

const said = words.mcpServers;
const pageSize = 100;
/** While a server is being reached, it is looked at again by itself. */
const lookAgainMs = 2_000;

/** All servers by name; what is done to one shows at once, and can be taken back. */
export function createMcpServers(client: Client) {
  const [state, setState] = createSignal<LoadState<readonly McpServer[]>>({ type: 'loading' });
  const [loading, setLoading] = createSignal(false);
  const [busy, setBusy] = createSignal<ReadonlySet<string>>(new Set());
  let latest = 0;
  let again: ReturnType<typeof setTimeout> | undefined;
  let left = false;

  async function reload(): Promise<void> {
    const mine = ++latest;
    setLoading(true);
    const read = await readAll(client);
    if (mine !== latest || left) return;
    setLoading(false);
    if (read.type === 'ready' || state().type !== 'ready') setState(read);
    lookAgain();
  }

  function lookAgain() {
    clearTimeout(again);
    const now = state();
    if (now.type === 'ready' && now.data.some(({ status }) => status === 'CONNECTING'))
      again = setTimeout(() => void reload(), lookAgainMs);
  }

  onCleanup(() => {
    left = true;
    clearTimeout(again);
  });

  /** What a change answered with counts more than a list that was asked for before. */
  function put(server: McpServer | undefined, id = server?.id) {
    latest++;
    setLoading(false);
    const now = state();
    if (now.type !== 'ready') return void reload();
    const others = now.data.filter((known) => known.id !== id);
    setState({ type: 'ready', data: byName(server ? [...others, server] : others) });
    lookAgain();
  }

  /** One change of a server at a time. Answers why it was not possible, or with nothing. */
  async function change(id: string, send: () => Promise<Answer<Outcome>>): Promise<string | undefined> {
    if (busy().has(id)) return said.stillWorking;
    setBusy((now) => new Set(now).add(id));
    const answer = await send();
    setBusy((now) => new Set([...now].filter((one) => one !== id)));
    if (answer.type === 'failed') return answer.message;
    if (answer.data.__typename === 'McpServer') return put(answer.data);
    // Whatever was shown is out of date, or it would not have been refused.
    void reload();
    return answer.data.__typename === 'InvalidInput' ? answer.data.problems[0]?.message : answer.data.message;
  }

  const sendEnabled = (id: string, enabled: boolean) =>
    change(id, async () =>
      pick(await mutate(client, UpdateMcpServerDocument, { input: { id, enabled } }), (data) => data.updateMcpServer),
    );
  const sendApproval = (serverId: string, tools: readonly Approval[]) =>
    change(serverId, async () =>
      pick(
        await mutate(client, ApproveMcpToolsDocument, { input: { serverId, tools: [...tools] } }),
        (data) => data.approveMcpTools,
      ),
    );
  const sendRevocation = (serverId: string, names: readonly string[]) =>
    change(serverId, async () =>
      pick(
        await mutate(client, RevokeMcpToolsDocument, { serverId, names: [...names] }),
        (data) => data.revokeMcpTools,
      ),
    );
  const sendAccess = (serverId: string, { everyone, userIds }: Access) =>
    change(serverId, async () =>
      pick(
        await mutate(client, SetMcpAccessDocument, { input: { serverId, everyone, userIds: [...userIds] } }),
        (data) => data.setMcpAccess,
      ),
    );

  async function setEnabled({ id, name }: McpServer, enabled: boolean): Promise<void> {
    tell(await sendEnabled(id, enabled), said.switched(name, enabled), () => sendEnabled(id, !enabled));
  }

  async function approve({ id }: McpServer, tools: readonly McpTool[]): Promise<void> {
    const names = tools.map(({ name }) => name);
    const unapproved = tools.every(({ state: standing }) => standing === 'PENDING');
    const text = said.tools.approvedNow(tools[0]?.toolName ?? '', tools.length);
    // An earlier approval that this one replaces cannot be had back: the tool is no longer what it was.
    tell(await sendApproval(id, approvalsOf(tools)), text, unapproved ? () => sendRevocation(id, names) : undefined);
  }

  async function revoke({ id }: McpServer, tool: McpTool): Promise<void> {
    const again = tool.state === 'APPROVED' && tool.present ? approvalsOf([tool]) : undefined;
    const undo = again && (() => sendApproval(id, again));
    tell(await sendRevocation(id, [tool.name]), said.tools.revokedNow(tool.toolName), undo);
  }

  async function setAccess(server: McpServer, access: Access): Promise<void> {
    const before = accessOf(server);
    const text = said.access.changed(server.name);
    tell(await sendAccess(server.id, access), text, () => sendAccess(server.id, before));
  }

  async function remove({ id, name }: McpServer): Promise<Answer<unknown>> {
    const answer = await mutate(client, RemoveMcpServerDocument, { id });
    if (answer.type === 'data') {
      put(undefined, id);
      toasts.show({ text: said.remove.done(name) });
    }
    return answer;
  }

  void reload();
  return {
    state,
    loading,
    reload,
    put,
    setEnabled,
    approve,
    revoke,
    setAccess,
    remove,
    isBusy: (id: string) => busy().has(id),
  };
}

export type McpServers = ReturnType<typeof createMcpServers>;

type Outcome =
  | (McpServer & { readonly __typename: 'McpServer' })
  | { readonly __typename: 'InvalidInput'; readonly problems: readonly { readonly message: string }[] }
  | { readonly __typename: 'McpServerConflict'; readonly message: string };

interface Approval {
  readonly name: string;
  readonly fingerprint: string | null;
}

function pick<Data, Part>(answer: Answer<Data>, part: (data: Data) => Part): Answer<Part> {
  return answer.type === 'failed' ? answer : { type: 'data', data: part(answer.data) };
}

function tell(problem: string | undefined, done: string, undo: (() => Promise<string | undefined>) | undefined) {
  if (problem !== undefined) toasts.show({ text: problem, tone: 'failure' });
  else toasts.show({ text: done, ...(undo && { undo }) });
}

async function readAll(client: Client): Promise<LoadState<readonly McpServer[]>> {
  const servers: McpServer[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const answer: Answer<McpServersQuery> = await query(client, McpServersDocument, { first: pageSize, after });
    if (answer.type === 'failed') return answer;
    const { edges, pageInfo }: McpServersQuery['mcpServers'] = answer.data.mcpServers;
    servers.push(...edges.map(({ node }) => node));
    after = pageInfo.endCursor;
    more = pageInfo.hasNextPage;
  }
  return { type: 'ready', data: byName(servers) };
}

export function byName<Named extends { readonly name: string }>(list: readonly Named[]): readonly Named[] {
  return list.toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
}

/** What is approved is what was looked at: a tool that changed since is refused. */
export function approvalsOf(tools: readonly Pick<McpTool, 'name' | 'present'>[]): readonly Approval[] {
  return tools.map(({ name, present }) => ({ name, fingerprint: present?.fingerprint ?? null }));
}

/** Those that can be approved now: not approved as they are, and offered at this moment. */
export function approvable(tools: readonly McpTool[]): readonly McpTool[] {
  return tools.filter(({ state, available }) => state !== 'APPROVED' && available);
}

export function countOf(tools: readonly Pick<McpTool, 'state'>[]) {
  const having = (state: McpTool['state']) => tools.filter((tool) => tool.state === state).length;
  return { all: tools.length, approved: having('APPROVED'), changed: having('CHANGED') };
}

export function accessOf({ everyone, users }: Pick<McpServer, 'everyone' | 'users'>): Access {
  return { everyone, userIds: users.map(({ id }) => id) };
}

/** Where it is reached, in a line. */
export function placeOf({ transport, url, command, args }: McpServer): string {
  return transport === 'HTTP' ? (url ?? '') : [command ?? '', ...args].join(' ');
}

export const statusTones = {
  CONNECTED: 'good',
  CONNECTING: 'accent',
  FAILED: 'failure',
  DISABLED: 'neutral',
} as const satisfies Record<McpServer['status'], string>;

export const toolTones = {
  APPROVED: 'good',
  PENDING: 'neutral',
  CHANGED: 'warning',
} as const satisfies Record<McpTool['state'], string>;
