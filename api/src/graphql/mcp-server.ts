import { estimateTokenCount } from 'tokenx';
import { notFound } from '../access/access-error.ts';
import type { ServerStatus, ToolStanding } from '../mcp/mcp-approvals.ts';
import { declarationOf } from '../mcp/remote-tool.ts';
import type { ToolDefinition } from '../mcp/tool-definition.ts';
import type { McpServer as McpServerRow } from '../store/entities/mcp-server.ts';
import { builder } from './builder.ts';
import type { OracleContext } from './context.ts';
import { answerPage, definePage, pageArgs } from './page.ts';
import { User } from './user.ts';

export const McpTransport = builder.enumType('McpTransport', {
  description: 'How an MCP server is reached.',
  values: {
    STDIO: { description: 'A program that is started here and spoken to over its standard input and output.' },
    HTTP: { description: 'A server somewhere, spoken to over streamable HTTP.' },
  },
});

const McpServerStatus = builder.enumType('McpServerStatus', {
  description: 'How the connection to an MCP server stands. Each of several API servers has its own.',
  values: {
    CONNECTED: { description: 'Its tools can be used.' },
    CONNECTING: { description: 'It is being reached for the first time.' },
    FAILED: { description: 'It cannot be reached, or was lost; it is tried again by itself.' },
    DISABLED: { description: 'It is switched off.' },
  } satisfies Record<ServerStatus['status'], { description: string }>,
});

const McpToolState = builder.enumType('McpToolState', {
  description: 'Whether models may be offered a tool.',
  values: {
    PENDING: { description: 'Nobody has approved it: no model sees it.' },
    APPROVED: { description: 'Approved as it is.' },
    CHANGED: { description: 'It was changed after it was approved: no model sees it until it is approved again.' },
  } satisfies Record<ToolStanding['state'], { description: string }>,
});

const McpToolDefinition = builder.objectRef<ToolDefinition>('McpToolDefinition').implement({
  description: 'What a server says about one of its tools. Written by the server, not by us.',
  fields: (t) => ({
    title: t.string({ nullable: true, description: 'A name for people.', resolve: ({ title }) => title ?? null }),
    description: t.exposeString('description', { description: 'What it is said to do.' }),
    inputSchema: t.field({
      type: 'JSON',
      description: 'JSON schema of its arguments.',
      resolve: ({ inputSchema }) => inputSchema,
    }),
    annotations: t.field({
      type: 'JSON',
      description: 'Hints about what it does, such as readOnlyHint.',
      resolve: ({ annotations }) => annotations,
    }),
    fingerprint: t.exposeString('fingerprint', {
      description: 'SHA-256 of name, title, description, schema and hints: send it back to approve just this.',
    }),
  }),
});

const McpTool = builder.objectRef<ToolStanding>('McpTool').implement({
  description: 'A tool of an MCP server.',
  fields: (t) => ({
    name: t.exposeString('name', { description: "The server's own name for it." }),
    toolName: t.exposeString('toolName', { description: 'What models call it: the name of the server, _, its own.' }),
    state: t.field({
      type: McpToolState,
      description: 'Whether models may be offered it.',
      resolve: ({ state }) => state,
    }),
    available: t.boolean({
      description: 'Whether the server offers it at this moment.',
      resolve: ({ present }) => present !== undefined,
    }),
    present: t.field({
      type: McpToolDefinition,
      nullable: true,
      description: 'What the server says now; null when it does not offer it, or is not connected.',
      resolve: ({ present }) => present ?? null,
    }),
    approved: t.field({
      type: McpToolDefinition,
      nullable: true,
      description: 'What was approved; null when it was not.',
      resolve: ({ approved }) => approved ?? null,
    }),
    approvedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was last approved.',
      resolve: ({ approvedAt }) => approvedAt ?? null,
    }),
    promptTokens: t.int({
      description: 'About how many tokens it takes up in every request to a model.',
      resolve: ({ toolName, present, approved }) => {
        const definition = present ?? approved;
        return definition ? estimateTokenCount(JSON.stringify(declarationOf(toolName, definition))) : 0;
      },
    }),
  }),
});

const nameList = (secrets: Readonly<Record<string, string>>) => Object.keys(secrets).toSorted();

export const McpServer = builder.objectRef<McpServerRow>('McpServer').implement({
  description: 'A server whose tools runs may use, by the Model Context Protocol.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the server.' }),
    name: t.exposeString('name', { description: 'Its name; those of its tools begin with it.' }),
    transport: t.field({
      type: McpTransport,
      description: 'How it is reached.',
      resolve: ({ transport }) => transport,
    }),
    command: t.string({
      nullable: true,
      description: 'The program, for STDIO.',
      resolve: ({ command }) => command ?? null,
    }),
    args: t.stringList({ description: "The program's arguments.", resolve: ({ args }) => [...args] }),
    environmentNames: t.stringList({
      description: 'The variables that the program is given. Their values are never shown.',
      resolve: ({ environment }) => nameList(environment),
    }),
    url: t.string({ nullable: true, description: 'The address, for HTTP.', resolve: ({ url }) => url ?? null }),
    headerNames: t.stringList({
      description: 'The headers that are sent along. Their values are never shown.',
      resolve: ({ headers }) => nameList(headers),
    }),
    timeoutSeconds: t.exposeInt('timeoutSeconds', { description: 'How long one call may take.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether it is switched on.' }),
    everyone: t.exposeBoolean('everyone', { description: 'Whether everybody may use it.' }),
    users: t.field({
      type: [User],
      description: 'Those who may use it, when not everybody may.',
      resolve: async ({ id }, _args, { mcpServers, people }) => {
        const found = await Promise.all((await mcpServers.peopleOf(id)).map((userId) => people.find(userId)));
        return found.filter((user) => user !== undefined);
      },
    }),
    version: t.exposeInt('version', { description: 'Grows by one with every change; send it back with an update.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    status: t.field({
      type: McpServerStatus,
      description: 'How the connection stands, after waiting for it a moment.',
      resolve: async (server, _args, { mcpApprovals }) => (await mcpApprovals.statusOf(server)).status,
    }),
    statusReason: t.string({
      nullable: true,
      description: 'Why it failed.',
      resolve: async (server, _args, { mcpApprovals }) => {
        const status = await mcpApprovals.statusOf(server);
        return status.status === 'FAILED' ? status.reason : null;
      },
    }),
    warnings: t.stringList({
      description: 'What of its list of tools cannot be used.',
      resolve: async (server, _args, { mcpApprovals }) => {
        const status = await mcpApprovals.statusOf(server);
        return status.status === 'CONNECTED' ? [...status.warnings] : [];
      },
    }),
    tools: t.field({
      type: [McpTool],
      description: 'Its tools by name: those that it offers, and those that were approved.',
      resolve: async (server, _args, { mcpApprovals }) => [...(await mcpApprovals.toolsOf(server))],
    }),
  }),
});

const McpServerConnection = definePage('McpServer', McpServer);

/** Answers as for a missing one when the id is nobody's. */
export async function existingMcpServer({ mcpServers }: OracleContext, id: string): Promise<McpServerRow> {
  const server = await mcpServers.find(id);
  if (!server) throw notFound('MCP server');
  return server;
}

builder.queryFields((t) => ({
  mcpServers: t.field({
    type: McpServerConnection,
    description: 'The MCP servers by name, in pages. Administrators only.',
    authScopes: { admin: true },
    args: pageArgs,
    resolve: (_root, args, { mcpServers }) => answerPage(mcpServers.page(args)),
  }),
  mcpServer: t.field({
    type: McpServer,
    nullable: true,
    description: 'An MCP server by id; null when there is none. Administrators only.',
    authScopes: { admin: true },
    args: { id: t.arg.id({ required: true, description: 'The id of the server.' }) },
    resolve: async (_root, { id }, { mcpServers }) => (await mcpServers.find(id)) ?? null,
  }),
}));
