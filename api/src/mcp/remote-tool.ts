import type { McpServer } from '../store/entities/mcp-server.ts';
import type { JsonSchema, Tool, ToolContext } from '../tools/tool.ts';
import { readCallResult } from './call-result.ts';
import type { McpConnection } from './mcp-connection.ts';
import type { ToolDefinition } from './tool-definition.ts';
import { toolNameOf } from './tool-name.ts';

export interface ApprovedTool {
  readonly serverId: string;
  readonly name: string;
  readonly localName: string;
  readonly fingerprint: string;
  readonly definition: ToolDefinition;
}

interface Reach {
  connect(): McpConnection | undefined;
  isAllowed(userId: string): Promise<boolean>;
}

/** Sent with every request, so it is short, whatever the server says. */
const longestDescription = 600;
const patienceMs = 2_000;

/** A tool of an MCP server as the runner sees it. */
export function remoteTool(server: McpServer, approved: ApprovedTool, reach: Reach): Tool {
  const { definition } = approved;
  const { readOnlyHint, idempotentHint } = definition.annotations;
  const name = toolNameOf(server.name, approved.localName);
  const timeoutMs = server.timeoutSeconds * 1_000;

  async function run(input: Readonly<Record<string, unknown>>, { userId, signal }: ToolContext) {
    if (!(await reach.isAllowed(userId))) throw new Error(`${name} is no longer available to you.`);
    const connection = reach.connect();
    const state = await connection?.ready(patienceMs, signal);
    if (state?.status === 'CONNECTED') {
      const present = state.tools.find((tool) => tool.name === approved.name);
      if (!present) throw new Error(`The MCP server ${server.name} has no such tool any more.`);
      if (present.fingerprint !== approved.fingerprint)
        throw new Error(`${name} was changed by its server, and is not available until it is approved again.`);
    }
    if (!connection) throw new Error(`The MCP server ${server.name} is not available.`);
    return readCallResult(await connection.call(approved.name, input, { signal, timeoutMs }));
  }

  return {
    ...declarationOf(name, definition),
    timeoutMs,
    repeatable: false,
    idempotent: idempotentHint === true || readOnlyHint === true,
    sideEffect: readOnlyHint !== true,
    check(input) {
      const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
      if (!isObject) return { type: 'refused', problems: ['The arguments must be a JSON object.'] };
      const missing = requiredOf(definition.inputSchema).filter((key) => !Object.hasOwn(input, key));
      if (missing.length > 0) return { type: 'refused', problems: missing.map((key) => `"${key}" is missing.`) };
      return { type: 'accepted', run: (context) => run(input as Readonly<Record<string, unknown>>, context) };
    },
  };
}

/** What models are told about it. */
export function declarationOf(name: string, { title, description, inputSchema }: ToolDefinition) {
  const said = description.trim() || title?.trim() || 'No description.';
  const short = said.length <= longestDescription ? said : `${said.slice(0, longestDescription - 1)}…`;
  const { $schema, ...schema } = inputSchema;
  return { name, description: short.toWellFormed(), inputSchema: schema as JsonSchema };
}

function requiredOf({ required }: JsonSchema): readonly string[] {
  return Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [];
}
