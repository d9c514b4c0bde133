import type { EntityManager } from '@mikro-orm/postgresql';
import type { Notice } from '../agent/chunk.ts';
import type { Logger } from '../logger.ts';
import type { Database } from '../store/database.ts';
import type { McpServer } from '../store/entities/mcp-server.ts';
import { createToolRegistry, type ToolRegistry } from '../tools/registry.ts';
import type { RunTools } from '../tools/run-tools.ts';
import type { Tool } from '../tools/tool.ts';
import type { McpConnections } from './mcp-connections.ts';
import { type ApprovedTool, remoteTool } from './remote-tool.ts';
import type { ToolDefinition } from './tool-definition.ts';
import { toolNameOf } from './tool-name.ts';

/** A run that begins waits no longer for servers to connect. */
const patienceMs = 2_000;

export interface McpToolsDependencies {
  readonly database: Database;
  readonly connections: McpConnections;
  /** The tools that every run has. */
  readonly builtIn: ToolRegistry;
  readonly log: Logger;
}

/** Composes the tools of a run: the built-in ones, and approved ones of servers that its person may use. */
export class McpTools {
  constructor(private readonly dependencies: McpToolsDependencies) {}

  /** A server that is away costs a run its tools and, at most, a moment; never the run. */
  readonly toolsFor = async (userId: string, signal: AbortSignal): Promise<RunTools> => {
    const { builtIn, connections, log } = this.dependencies;
    try {
      const servers = await connections.enabled();
      if (servers.length === 0) return { tools: builtIn, notices: [] };
      return await this.#compose(userId, servers, signal);
    } catch (error) {
      log.error({ stack: String((error as Error).stack) }, 'the tools of MCP servers could not be found');
      return { tools: builtIn, notices: [notice('Tools of MCP servers are not available in this run.')] };
    }
  };

  async #compose(userId: string, servers: readonly McpServer[], signal: AbortSignal): Promise<RunTools> {
    const { builtIn, database } = this.dependencies;
    const approved = Map.groupBy(await approvedFor(database.fork(), userId), (tool) => tool.serverId);
    const parts = await Promise.all(
      servers.map((server) => this.#toolsOf(server, approved.get(server.id) ?? [], signal)),
    );
    const found = parts.flatMap(({ tools }) => tools).filter(({ name }) => !builtIn.find(name));
    if (found.length === 0) return { tools: builtIn, notices: parts.flatMap(({ notices }) => notices) };
    const own = builtIn.names.flatMap((name) => builtIn.find(name) ?? []);
    return { tools: createToolRegistry([...own, ...found]), notices: parts.flatMap(({ notices }) => notices) };
  }

  async #toolsOf(
    server: McpServer,
    approved: readonly ApprovedTool[],
    signal: AbortSignal,
  ): Promise<{ readonly tools: readonly Tool[]; readonly notices: readonly Notice[] }> {
    if (approved.length === 0) return { tools: [], notices: [] };
    const { connections, database } = this.dependencies;
    const state = await connections.to(server)?.ready(patienceMs, signal);
    if (state?.status !== 'CONNECTED') {
      const why = state?.status === 'FAILED' ? 'it cannot be reached' : 'it is still being connected';
      return { tools: [], notices: [notice(`The tools of ${server.name} are missing from this run: ${why}.`)] };
    }
    const present = new Map(state.tools.map((tool) => [tool.name, tool.fingerprint]));
    const changed = approved.filter(({ name, fingerprint }) => present.has(name) && present.get(name) !== fingerprint);
    const same = approved.filter(({ name, fingerprint }) => present.get(name) === fingerprint);
    const names = changed.map(({ localName }) => toolNameOf(server.name, localName)).join(', ');
    return {
      tools: same.map((tool) =>
        remoteTool(server, tool, {
          connect: () => connections.to(server),
          isAllowed: (userId) => isAllowed(database.fork(), userId, tool),
        }),
      ),
      notices: names ? [notice(`Left out until approved again, because they were changed: ${names}.`)] : [],
    };
  }
}

function notice(message: string): Notice {
  return { systemType: 'NOTIFICATION', severity: 'WARNING', message };
}

const mayUse = `s.enabled and (s.everyone or exists (
  select 1 from mcp_access a where a.server_id = s.id and a.user_id = ?))`;

async function approvedFor(em: EntityManager, userId: string): Promise<readonly ApprovedTool[]> {
  const rows: { server_id: string; name: string; local_name: string; fingerprint: string; definition: string }[] =
    await em.execute(
      `select t.server_id, t.name, t.local_name, t.fingerprint, t.definition
       from mcp_servers s join mcp_tools t on t.server_id = s.id where ${mayUse} order by t.local_name`,
      [userId],
    );
  return rows.map((row) => ({
    serverId: row.server_id,
    name: row.name,
    localName: row.local_name,
    fingerprint: row.fingerprint,
    definition: JSON.parse(row.definition) as ToolDefinition,
  }));
}

/** Asked again with every call: what was allowed when the run began may have been taken back. */
async function isAllowed(em: EntityManager, userId: string, tool: ApprovedTool): Promise<boolean> {
  const rows = await em.execute(
    `select 1 from mcp_servers s join mcp_tools t on t.server_id = s.id
     where s.id = ? and t.name = ? and t.fingerprint = ? and ${mayUse}`,
    [tool.serverId, tool.name, tool.fingerprint, userId],
  );
  return rows.length > 0;
}
