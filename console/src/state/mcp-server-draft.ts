import type { AddMcpServerInput, McpServerFragment, UpdateMcpServerInput } from '@oracle-agent/sdk/documents';
import type { FormProblems } from './form-submit.ts';

export type Transport = McpServerFragment['transport'];

export interface SecretDraft {
  readonly name: string;
  readonly value: string;
  /** The server holds a value under this name, which it never shows: nothing entered means that it stays. */
  readonly stored: boolean;
}

/** What is entered about a server, as it is entered. */
export interface ServerDraft {
  readonly name: string;
  readonly transport: Transport;
  readonly url: string;
  readonly command: string;
  /** One to a line. */
  readonly args: string;
  readonly timeout: string;
  readonly secrets: readonly SecretDraft[];
}

const newDraft: ServerDraft = {
  name: '',
  transport: 'HTTP',
  url: '',
  command: '',
  args: '',
  timeout: '30',
  secrets: [],
};

export function draftOf(server: McpServerFragment | undefined): ServerDraft {
  if (!server) return newDraft;
  const names = server.transport === 'HTTP' ? server.headerNames : server.environmentNames;
  return {
    name: server.name,
    transport: server.transport,
    url: server.url ?? '',
    command: server.command ?? '',
    args: server.args.join('\n'),
    timeout: String(server.timeoutSeconds),
    secrets: names.map((name) => ({ name, value: '', stored: true })),
  };
}

/** Whether the timeout can be sent at all; the server knows its bounds. */
export function isWholeNumber(timeout: string): boolean {
  return /^\s*\d{1,9}\s*$/.test(timeout);
}

export function inputToAdd(draft: ServerDraft): AddMcpServerInput {
  const common = { name: draft.name.trim(), transport: draft.transport, timeoutSeconds: Number(draft.timeout) };
  return draft.transport === 'HTTP'
    ? { ...common, url: draft.url, headers: secretsOf(draft) }
    : { ...common, command: draft.command, args: linesOf(draft.args), environment: secretsOf(draft) };
}

/**
 * Only what was changed is sent: what somebody else changed meanwhile stays theirs, and arguments that do not fit one line
 * are not broken by an edit of something else.
 */
export function inputToUpdate(server: McpServerFragment, version: number, draft: ServerDraft): UpdateMcpServerInput {
  const before = draftOf(server);
  const changed = (field: 'name' | 'url' | 'command' | 'args' | 'timeout') => draft[field] !== before[field];
  const secretsChanged =
    draft.secrets.length !== before.secrets.length ||
    draft.secrets.some(({ name, value, stored }) => !stored || value !== '' || !hasSecret(before, name));
  return {
    id: server.id,
    expectedVersion: version,
    ...(changed('name') && { name: draft.name.trim() }),
    ...(changed('url') && { url: draft.url }),
    ...(changed('command') && { command: draft.command }),
    ...(changed('args') && { args: linesOf(draft.args) }),
    ...(changed('timeout') && { timeoutSeconds: Number(draft.timeout) }),
    ...(secretsChanged && { [secretsField(draft.transport)]: secretsOf(draft) }),
  };
}

export function secretsField(transport: Transport): 'headers' | 'environment' {
  return transport === 'HTTP' ? 'headers' : 'environment';
}

/** The problem of a field, or the first of its parts: `args` finds `args.2`. */
export function problemOf({ fields }: FormProblems, field: string): string | undefined {
  const part = Object.keys(fields).find((key) => key.startsWith(`${field}.`));
  return fields[field] ?? (part === undefined ? undefined : fields[part]);
}

function hasSecret({ secrets }: ServerDraft, name: string): boolean {
  return secrets.some((secret) => secret.name === name);
}

function secretsOf({ secrets }: ServerDraft) {
  return secrets.map(({ name, value, stored }) => ({
    name: stored ? name : name.trim(),
    ...(stored && value === '' ? {} : { value }),
  }));
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}
