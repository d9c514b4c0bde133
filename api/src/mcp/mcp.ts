import type { Logger } from '../logger.ts';
import type { ChangeFeed } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { ToolsFor } from '../tools/run-tools.ts';
import { McpApprovals } from './mcp-approvals.ts';
import { McpConnections } from './mcp-connections.ts';
import { McpServers } from './mcp-servers.ts';
import { McpTools } from './mcp-tools.ts';

/** Everything about MCP servers that the rest of the server uses. */
export interface Mcp {
  readonly servers: McpServers;
  readonly approvals: McpApprovals;
  readonly toolsFor: ToolsFor;
  /** Ends all connections and the processes behind them. */
  close(): Promise<void>;
}

export function createMcp(dependencies: {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly builtIn: ToolRegistry;
  readonly log: Logger;
}): Mcp {
  const { database, changes, builtIn, log } = dependencies;
  const connections = new McpConnections(database, changes, log);
  const reservedNames = new Set(builtIn.names.map((name) => name.split('_', 1)[0] ?? name));
  return {
    servers: new McpServers(database, connections, reservedNames),
    approvals: new McpApprovals(database, connections),
    toolsFor: new McpTools({ database, connections, builtIn, log }).toolsFor,
    close: () => connections.close(),
  };
}
