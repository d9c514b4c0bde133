import type { McpServer as McpServerRow } from '../store/entities/mcp-server.ts';
import { builder } from './builder.ts';
import { viewerOf } from './context.ts';
import { existingMcpServer, McpServer, McpTransport } from './mcp-server.ts';
import { answerOutcome } from './outcome.ts';
import { invalid, invalidTypes } from './problem.ts';

const McpSecretInput = builder.inputType('McpSecretInput', {
  description: 'A secret by its name. It is stored and never shown again.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name of the variable or header.' }),
    value: t.string({ description: 'Its value; without it, the stored one stays.' }),
  }),
});

const environmentDescription = 'Variables for the program, for STDIO. All of them: those not listed are forgotten.';
const headersDescription = 'Headers to send along, for HTTP. All of them: those not listed are forgotten.';

const AddMcpServerInput = builder.inputType('AddMcpServerInput', {
  description: 'A new server. None of its tools is offered to a model before it is approved.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Lower case letters and digits, at most 20; tools begin with it.' }),
    transport: t.field({ type: McpTransport, required: true, description: 'How it is reached.' }),
    command: t.string({ description: 'The program to start, for STDIO.' }),
    args: t.stringList({ description: "The program's arguments. Secrets belong into the environment." }),
    environment: t.field({ type: [McpSecretInput], description: environmentDescription }),
    url: t.string({ description: 'The http:// or https:// address, for HTTP.' }),
    headers: t.field({ type: [McpSecretInput], description: headersDescription }),
    timeoutSeconds: t.int({ description: 'How long one call may take, 1 to 600; without it 30.' }),
    enabled: t.boolean({ defaultValue: true, description: 'Whether it is switched on.' }),
    everyone: t.boolean({ defaultValue: false, description: 'Whether everybody may use it.' }),
  }),
});

const UpdateMcpServerInput = builder.inputType('UpdateMcpServerInput', {
  description: 'Only the fields present change.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Which server.' }),
    expectedVersion: t.int({
      description: 'The version that the change is based on; when it no longer stands, nothing changes.',
    }),
    name: t.string({ description: 'Another name; those of its tools change with it.' }),
    command: t.string({ description: 'Another program.' }),
    args: t.stringList({ description: 'Other arguments.' }),
    environment: t.field({ type: [McpSecretInput], description: environmentDescription }),
    url: t.string({
      description: 'Another address. On another host, the values of all headers have to be sent again.',
    }),
    headers: t.field({ type: [McpSecretInput], description: headersDescription }),
    timeoutSeconds: t.int({ description: 'How long one call may take, 1 to 600.' }),
    enabled: t.boolean({ description: 'Switch it on or off.' }),
  }),
});

interface Conflict {
  readonly conflict: McpServerRow;
}

const McpServerConflict = builder.objectRef<Conflict>('McpServerConflict').implement({
  description: 'Somebody changed the server since it was read; `current` is what stands now.',
  fields: (t) => ({
    message: t.string({
      description: 'What happened, in a sentence.',
      resolve: ({ conflict }) => `This server was changed meanwhile; it is at version ${conflict.version} now.`,
    }),
    current: t.field({ type: McpServer, description: 'What stands now.', resolve: ({ conflict }) => conflict }),
  }),
});

const resultOf = (name: string, description: string) =>
  builder.unionType(name, {
    description,
    types: [McpServer, invalidTypes.InvalidInput],
    resolveType: (value) => ('problems' in value ? 'InvalidInput' : 'McpServer'),
  });

const AddMcpServerResult = resultOf('AddMcpServerResult', 'The new server, or why there is none.');
const ApproveMcpToolsResult = resultOf('ApproveMcpToolsResult', 'The server, or why nothing was approved.');
const SetMcpAccessResult = resultOf('SetMcpAccessResult', 'The server, or why nothing was changed.');

const UpdateMcpServerResult = builder.unionType('UpdateMcpServerResult', {
  description: 'The server as it now stands, or why nothing was changed.',
  types: [McpServer, invalidTypes.InvalidInput, McpServerConflict],
  resolveType: (value) =>
    'problems' in value ? 'InvalidInput' : 'conflict' in value ? 'McpServerConflict' : 'McpServer',
});

const McpToolApproval = builder.inputType('McpToolApproval', {
  description: 'A tool to approve.',
  fields: (t) => ({
    name: t.string({ required: true, description: "The server's own name for it." }),
    fingerprint: t.string({ description: 'What was looked at; when the tool is another by now, nothing is approved.' }),
  }),
});

const ApproveMcpToolsInput = builder.inputType('ApproveMcpToolsInput', {
  description: 'Tools to approve, as their server describes them at this moment.',
  fields: (t) => ({
    serverId: t.id({ required: true, description: 'Which server.' }),
    tools: t.field({ type: [McpToolApproval], description: 'Which tools; without it, all that it offers.' }),
  }),
});

const SetMcpAccessInput = builder.inputType('SetMcpAccessInput', {
  description: 'Who may use a server: everybody, or those listed. Replaces what was said before.',
  fields: (t) => ({
    serverId: t.id({ required: true, description: 'Which server.' }),
    everyone: t.boolean({ defaultValue: false, description: 'Whether everybody may.' }),
    userIds: t.idList({ description: 'Those who may, at most 1000; without it, nobody in particular.' }),
  }),
});

builder.mutationFields((t) => ({
  addMcpServer: t.field({
    type: AddMcpServerResult,
    description: 'Adds an MCP server and connects to it. Administrators only.',
    authScopes: { admin: true },
    args: { input: t.arg({ type: AddMcpServerInput, required: true, description: 'How it is reached.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await context.mcpServers.add(viewerOf(context).userId, input);
      if (outcome.type === 'conflict') throw new Error('what is new cannot conflict');
      return outcome.type === 'saved' ? outcome.settings : invalid(outcome.problems);
    },
  }),
  updateMcpServer: t.field({
    type: UpdateMcpServerResult,
    description:
      'Changes an MCP server; when it is reached another way by that, it is connected anew. Administrators only.',
    authScopes: { admin: true },
    args: { input: t.arg({ type: UpdateMcpServerInput, required: true, description: 'What to change.' }) },
    resolve: async (_root, { input: { id, ...change } }, context) =>
      answerOutcome(await context.mcpServers.update(viewerOf(context).userId, id, change)),
  }),
  removeMcpServer: t.boolean({
    description: 'Removes an MCP server with its approvals, and ends its connections. Administrators only.',
    authScopes: { admin: true },
    args: { id: t.arg.id({ required: true, description: 'Which server.' }) },
    resolve: async (_root, { id }, context) => {
      await context.mcpServers.remove(viewerOf(context).userId, id);
      return true;
    },
  }),
  approveMcpTools: t.field({
    type: ApproveMcpToolsResult,
    description: 'Lets models see tools, as they are now. Administrators only.',
    authScopes: { admin: true },
    args: { input: t.arg({ type: ApproveMcpToolsInput, required: true, description: 'Which tools.' }) },
    resolve: async (_root, { input: { serverId, tools } }, context) => {
      const server = await existingMcpServer(context, serverId);
      const outcome = await context.mcpApprovals.approve(viewerOf(context).userId, server, tools ?? undefined);
      return outcome.type === 'saved' ? outcome.server : invalid(outcome.problems);
    },
  }),
  revokeMcpTools: t.field({
    type: McpServer,
    description: 'Takes the approval of tools back: no model sees them any more. Administrators only.',
    authScopes: { admin: true },
    args: {
      serverId: t.arg.id({ required: true, description: 'Which server.' }),
      names: t.arg.stringList({ required: true, description: "The server's own names for them." }),
    },
    resolve: async (_root, { serverId, names }, context) => {
      const server = await existingMcpServer(context, serverId);
      await context.mcpApprovals.withdraw(viewerOf(context).userId, server, names);
      return server;
    },
  }),
  setMcpAccess: t.field({
    type: SetMcpAccessResult,
    description: 'Decides who may use an MCP server. Nobody may before. Administrators only.',
    authScopes: { admin: true },
    args: { input: t.arg({ type: SetMcpAccessInput, required: true, description: 'Who.' }) },
    resolve: async (_root, { input: { serverId, everyone, userIds } }, context) => {
      const access = { everyone: everyone ?? false, userIds: userIds ?? [] };
      const outcome = await context.mcpServers.setAccess(viewerOf(context).userId, serverId, access);
      if (outcome.type === 'conflict') throw new Error('the list is replaced whole');
      return outcome.type === 'saved' ? outcome.settings : invalid(outcome.problems);
    },
  }),
}));
