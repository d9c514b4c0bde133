import type { EntityManager } from '@mikro-orm/postgresql';
import DataLoader from 'dataloader';
import type { FieldProblem } from '../agent/settings.ts';
import { announce } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import type { McpServer } from '../store/entities/mcp-server.ts';
import { McpTool } from '../store/entities/mcp-tool.ts';
import type { ConnectionState } from './mcp-connection.ts';
import type { McpConnections } from './mcp-connections.ts';
import { recordOne } from './record-changes.ts';
import type { ToolDefinition } from './tool-definition.ts';
import { localNameFor, toolNameOf } from './tool-name.ts';

/** A tool of a server, as it was approved and as the server describes it now. At least one of them is there. */
export interface ToolStanding {
  readonly name: string;
  readonly toolName: string;
  readonly state: 'PENDING' | 'APPROVED' | 'CHANGED';
  readonly approved: ToolDefinition | undefined;
  readonly approvedAt: Date | undefined;
  readonly present: ToolDefinition | undefined;
}

export type ServerStatus = ConnectionState | { readonly status: 'DISABLED' };

export interface ApprovedName {
  readonly name: string;
  /** What was looked at; when the tool is another by now, it is not approved. */
  readonly fingerprint?: string | null | undefined;
}

export type ApprovalOutcome =
  | { readonly type: 'saved'; readonly server: McpServer }
  | { readonly type: 'invalid'; readonly problems: readonly FieldProblem[] };

/** How long somebody who looks at a server is kept waiting for it to connect. */
const patienceMs = 2_000;
const patienceOfApproval = 10_000;

/** Which tools administrators have approved, word for word. Nothing else is ever offered to a model. */
export class McpApprovals {
  readonly #approved: DataLoader<string, readonly McpTool[]>;

  constructor(
    private readonly database: Database,
    private readonly connections: McpConnections,
  ) {
    this.#approved = new DataLoader(
      async (serverIds) => {
        const found = await database
          .fork()
          .find(McpTool, { serverId: { $in: [...serverIds] } }, { orderBy: { name: 'asc' } });
        const byServer = Map.groupBy(found, (tool) => tool.serverId);
        return serverIds.map((id) => byServer.get(id) ?? []);
      },
      { cache: false },
    );
  }

  async statusOf(server: McpServer, patience = patienceMs): Promise<ServerStatus> {
    if (!server.enabled) return { status: 'DISABLED' };
    const connection = this.connections.to(server);
    return connection ? connection.ready(patience) : { status: 'FAILED', reason: 'This server is stopping.' };
  }

  async toolsOf(server: McpServer): Promise<readonly ToolStanding[]> {
    const [status, approved] = await Promise.all([this.statusOf(server), this.#approved.load(server.id)]);
    return standings(server, approved, status.status === 'CONNECTED' ? status.tools : []);
  }

  /** Approves tools as the server describes them at this moment: those named, or all. */
  async approve(
    actorId: string,
    server: McpServer,
    names: readonly ApprovedName[] | undefined,
  ): Promise<ApprovalOutcome> {
    const status = await this.statusOf(server, patienceOfApproval);
    if (status.status !== 'CONNECTED') {
      const why = 'reason' in status ? status.reason : `It is ${status.status.toLowerCase()}.`;
      return { type: 'invalid', problems: [problem('serverId', `The server's tools cannot be seen. ${why}`)] };
    }
    const present = new Map(status.tools.map((tool) => [tool.name, tool]));
    const problems = (names ?? []).flatMap((named, index) => problemsWith(named, index, present));
    if (problems.length > 0) return { type: 'invalid', problems };
    const chosen = names ? names.flatMap(({ name }) => present.get(name) ?? []) : status.tools;
    await this.database.fork().transactional(async (em) => {
      await em.execute('select 1 from mcp_servers where id = ? for update', [server.id]);
      await save(em, actorId, server, chosen);
      await announce(em, { type: 'mcp-changed', serverId: server.id });
    });
    return { type: 'saved', server };
  }

  /** Takes approvals back; names that have none are passed over. */
  async withdraw(actorId: string, server: McpServer, names: readonly string[]): Promise<void> {
    await this.database.fork().transactional(async (em) => {
      const tools = await em.find(McpTool, { serverId: server.id, name: { $in: [...names] } });
      for (const tool of tools) {
        recordOne(em, actorId, server, `tools.${tool.localName}`, shown(tool.definition as ToolDefinition), null);
        em.remove(tool);
      }
      await em.flush();
      await announce(em, { type: 'mcp-changed', serverId: server.id });
    });
  }
}

async function save(em: EntityManager, actorId: string, server: McpServer, chosen: readonly ToolDefinition[]) {
  const known = await em.find(McpTool, { serverId: server.id });
  const byName = new Map(known.map((tool) => [tool.name, tool]));
  const taken = new Set(known.map((tool) => tool.localName));
  for (const definition of chosen) {
    const before = byName.get(definition.name);
    if (before?.fingerprint === definition.fingerprint) continue;
    const { name, fingerprint } = definition;
    const localName = before?.localName ?? localNameFor(name, taken);
    taken.add(localName);
    const old = before ? shown(before.definition as ToolDefinition) : null;
    const approval = { fingerprint, definition, approvedBy: actorId, approvedAt: new Date() };
    if (before) Object.assign(before, approval);
    else byName.set(name, em.create(McpTool, { serverId: server.id, name, localName, ...approval }));
    recordOne(em, actorId, server, `tools.${localName}`, old, shown(definition));
  }
  await em.flush();
}

const longestShown = 1_000;

/** Short enough for the audit log; the fingerprint stands for the rest. */
function shown({ description, fingerprint }: ToolDefinition) {
  return { description: description.slice(0, longestShown).toWellFormed().replaceAll('\0', ''), fingerprint };
}

export function standings(
  server: Pick<McpServer, 'name'>,
  approved: readonly McpTool[],
  present: readonly ToolDefinition[],
): readonly ToolStanding[] {
  const approvals = new Map(approved.map((tool) => [tool.name, tool]));
  const live = new Map(present.map((tool) => [tool.name, tool]));
  const taken = new Set(approved.map((tool) => tool.localName));
  const names = [...new Set([...approvals.keys(), ...live.keys()])].toSorted();
  return names.map((name) => {
    const [approval, now] = [approvals.get(name), live.get(name)];
    const localName = approval?.localName ?? localNameFor(name, taken);
    taken.add(localName);
    const changed = now !== undefined && now.fingerprint !== approval?.fingerprint;
    return {
      name,
      toolName: toolNameOf(server.name, localName),
      state: approval ? (changed ? 'CHANGED' : 'APPROVED') : 'PENDING',
      approved: approval?.definition as ToolDefinition | undefined,
      approvedAt: approval?.approvedAt,
      present: now,
    };
  });
}

function problemsWith(
  { name, fingerprint }: ApprovedName,
  index: number,
  present: ReadonlyMap<string, ToolDefinition>,
): readonly FieldProblem[] {
  const tool = present.get(name);
  if (!tool) return [problem(`tools.${index}.name`, `The server has no tool called "${name}".`, name)];
  if (fingerprint == null || fingerprint === tool.fingerprint) return [];
  return [
    problem(`tools.${index}.fingerprint`, `${name} has changed since you looked at it: look again.`, fingerprint),
  ];
}

function problem(field: string, message: string, value?: unknown): FieldProblem {
  return { field, message, value, min: undefined, max: undefined };
}
