import { z } from 'zod';
import type { FieldProblem } from '../agent/settings.ts';
import type { McpServer } from '../store/entities/mcp-server.ts';
import { type SecretInput, secretsOf } from './secret-input.ts';
import { longestServerName } from './tool-name.ts';

/** What an administrator says about a server; what is left out stays as it is, or takes its default. */
export interface ServerInput {
  readonly name?: string | null | undefined;
  readonly transport?: McpServer['transport'] | null | undefined;
  readonly command?: string | null | undefined;
  readonly args?: readonly string[] | null | undefined;
  readonly environment?: readonly SecretInput[] | null | undefined;
  readonly url?: string | null | undefined;
  readonly headers?: readonly SecretInput[] | null | undefined;
  readonly timeoutSeconds?: number | null | undefined;
  readonly enabled?: boolean | null | undefined;
  readonly everyone?: boolean | null | undefined;
}

export type ServerValues = Pick<
  McpServer,
  'name' | 'transport' | 'args' | 'environment' | 'headers' | 'timeoutSeconds' | 'enabled' | 'everyone'
> & { readonly command: string | null; readonly url: string | null };

export const newServer: ServerValues = {
  name: '',
  transport: 'STDIO',
  command: null,
  args: [],
  environment: {},
  url: null,
  headers: {},
  timeoutSeconds: 30,
  enabled: true,
  everyone: false,
};

const timeoutBounds = { error: 'Timeout must be a whole number of seconds between 1 and 600.' };
const plainText = /^[^\0]*$/u;

const common = z.object({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9]*$/, { error: 'Name must be lower case letters and digits, beginning with a letter.' })
    .max(longestServerName, { error: `Name must be at most ${longestServerName} characters long.` }),
  timeoutSeconds: z.int(timeoutBounds).min(1, timeoutBounds).max(600, timeoutBounds),
});

const stdio = z.object({
  command: z
    .string({ error: 'Command is missing: a STDIO server is a program that is started here.' })
    .trim()
    .min(1, { error: 'Command must not be empty.' })
    .max(1_000, { error: 'Command must be at most 1,000 characters long.' })
    .regex(/^\P{Cc}*$/u, { error: 'Command must not contain control characters.' }),
  args: z
    .array(
      z
        .string()
        .max(10_000, { error: 'An argument must be at most 10,000 characters long.' })
        .regex(plainText, { error: 'An argument must not contain NUL.' })
        .refine((text) => text.isWellFormed(), { error: 'An argument must be well-formed text.' }),
    )
    .max(100, { error: 'There may be at most 100 arguments.' }),
  url: z.null({ error: 'Leave out the url: a STDIO server has none.' }),
});

const http = z.object({
  url: z
    .string({ error: 'URL is missing: an HTTP server is reached by its address.' })
    .trim()
    .max(2_000, { error: 'URL must be at most 2,000 characters long.' })
    .refine((url) => ['http:', 'https:'].includes(URL.parse(url)?.protocol ?? ''), {
      error: 'URL must be an http:// or https:// address.',
    })
    .refine((url) => !URL.parse(url)?.username && !URL.parse(url)?.password, {
      error: 'URL must not contain a password: send it as a header.',
    }),
  command: z.null({ error: 'Leave out the command: an HTTP server has none.' }),
  args: z.array(z.string()).max(0, { error: 'Leave out the arguments: an HTTP server has none.' }),
});

/** The values as they would then stand, or every field that is wrong. No problem quotes a secret. */
export function applyInput(
  stored: ServerValues,
  input: ServerInput,
  reservedNames: ReadonlySet<string>,
): { readonly values: ServerValues } | { readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const report = (field: string, message: string, value?: unknown) =>
    void problems.push({ field, message, value, min: undefined, max: undefined });
  const draft = {
    ...stored,
    ...given(input, ['name', 'transport', 'command', 'args', 'url', 'timeoutSeconds', 'enabled', 'everyone']),
    environment: secretsOf('environment', stored.environment, input.environment, report),
    headers: secretsOf('headers', stored.headers, input.headers, report),
  } as ServerValues;
  const checks = [common.safeParse(draft), (draft.transport === 'STDIO' ? stdio : http).safeParse(draft)];
  for (const { error } of checks) {
    for (const { path, message } of error?.issues ?? []) {
      const field = path.join('.');
      if (!problems.some((problem) => problem.field === field)) report(field, message, valueAt(draft, path));
    }
  }
  if (reservedNames.has(draft.name)) report('name', `"${draft.name}" is how built-in tools begin.`, draft.name);
  if (draft.transport === 'STDIO' && Object.keys(draft.headers).length > 0)
    report('headers', 'Leave out the headers: a STDIO server has none.');
  if (draft.transport === 'HTTP' && Object.keys(draft.environment).length > 0)
    report('environment', 'Leave out the environment: an HTTP server has none.');
  if (movesSecrets(stored, input, draft))
    report('headers', 'Send the values of the headers again: they were meant for another address.');
  if (problems.length > 0) return { problems };
  const { command, url } = draft;
  return { values: { ...draft, command: command?.trim() ?? null, url: url?.trim() ?? null } };
}

/** Headers hold what only one server should see: whoever names another must know them. */
function movesSecrets(stored: ServerValues, input: ServerInput, draft: ServerValues): boolean {
  if (!stored.url || !draft.url || URL.parse(stored.url)?.origin === URL.parse(draft.url)?.origin) return false;
  const sent = new Set(input.headers?.flatMap(({ name, value }) => (typeof value === 'string' ? name : [])));
  return Object.keys(draft.headers).some((name) => !sent.has(name));
}

function given(input: ServerInput, fields: readonly (keyof ServerInput)[]): Partial<ServerInput> {
  return Object.fromEntries(fields.flatMap((field) => (input[field] == null ? [] : [[field, input[field]]])));
}

function valueAt(draft: ServerValues, [field, ...rest]: readonly PropertyKey[]): unknown {
  const value = draft[field as keyof ServerValues];
  return rest.length === 0 ? value : (value as readonly unknown[])[Number(rest[0])];
}
