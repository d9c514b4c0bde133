import { z } from 'zod';
import type { ChunkBody } from '../agent/chunk.ts';
import type { ResultShape } from '../agent/delegation.ts';
import type { Json } from '../agent/json.ts';
import type { CodeIndex } from '../code/code.ts';
import type { SelfNotice } from '../events/self-notices.ts';
import type { Threads } from '../threads/threads.ts';
import type { Vault } from '../vault/vault.ts';
import { explainIssues } from './explain-issues.ts';

/** Where a result comes from, for the person to check. */
export type Source = Omit<Extract<ChunkBody, { type: 'SourceChunk' }>, 'type'>;

/** Takes a task and reports back. Rejects, with a sentence for the model, when nothing came of it. */
export type AskLibrarian = (task: string, signal: AbortSignal) => Promise<LibrarianReport>;

export interface LibrarianReport {
  readonly summary: string;
  readonly sources: readonly Source[];
}

/** On whose behalf tools work. It comes from the run, never from the model. */
export interface ToolScope {
  readonly projectId: string;
  readonly userId: string;
  readonly vault: Vault;
  /** Nobody to ask where a run has no Librarian, as the Librarian's own. */
  readonly askLibrarian?: AskLibrarian | undefined;
  /** Keeps a reminder for the model, and says so; throws when there are too many. Not for sub-agents. */
  readonly notifySelf?: ((notice: Omit<SelfNotice, 'id'>, callId: string) => string) | undefined;
  readonly code: CodeIndex;
  readonly threads: Threads;
  /** What made an entry, for those who read it later. */
  readonly runId?: string | undefined;
}

export interface ToolContext extends ToolScope {
  /** The call that it works for. Equal calls of a turn are run once, for the first of them. */
  readonly callId: string;
  /** Aborted when the run stops or the tool's own time is up. */
  readonly signal: AbortSignal;
  cite(source: Source): void;
  /** What the result consists of: too much of it is summarised before the model gets it. */
  describe(shape: ResultShape): void;
}

/** The arguments checked against the schema: what is wrong with them, or the work itself. */
export type CheckedCall =
  | { readonly type: 'refused'; readonly problems: readonly string[] }
  | { readonly type: 'accepted'; readonly run: (context: ToolContext) => Promise<unknown> };

/** A tool as the runner sees it, whatever its input. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the input, as models are told. */
  readonly inputSchema: JsonSchema;
  readonly timeoutMs: number;
  /** Calling it again with the same arguments is normal, as a status poll does. */
  readonly repeatable: boolean;
  /** Running it twice leaves the same behind as running it once. */
  readonly idempotent: boolean;
  /** It changes something outside the run. */
  readonly sideEffect: boolean;
  check(input: Json): CheckedCall;
}

export type JsonSchema = { readonly [key: string]: Json };

interface Definition<Input extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly timeoutMs?: number;
  readonly repeatable?: boolean;
  readonly idempotent?: boolean;
  readonly sideEffect?: boolean;
  /** Answers with plain JSON. What it throws is told to the model by its message. */
  run(input: z.output<Input>, context: ToolContext): Promise<unknown>;
}

export const usualTimeout = 30_000;
const toolName = /^[a-z][a-z0-9_]{0,63}$/;

export function defineTool<Input extends z.ZodType>(definition: Definition<Input>): Tool {
  const { name, description, input, timeoutMs = usualTimeout } = definition;
  const { repeatable = false, idempotent = false, sideEffect = false } = definition;
  if (!toolName.test(name)) throw new Error(`"${name}" is no tool name: use lower case letters, digits and _.`);
  return {
    name,
    description,
    inputSchema: declaredSchema(input),
    timeoutMs,
    repeatable,
    idempotent,
    sideEffect,
    check(value) {
      const parsed = input.safeParse(value);
      if (!parsed.success) return { type: 'refused', problems: explainIssues(parsed.error, value) };
      return { type: 'accepted', run: (context) => definition.run(parsed.data, context) };
    },
  };
}

/** What is sent with every request costs tokens, so it holds nothing that models do not use; the check holds it all. */
function declaredSchema(input: z.ZodType): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return withoutBounds(schema as JsonSchema);
}

/** Lengths, and bounds that say no more than the name does, are told when they are broken. */
function withoutBounds(schema: JsonSchema): JsonSchema {
  const telling = Object.entries(schema).filter(
    ([key, value]) =>
      !/^(min|max)Length$/.test(key) &&
      !(key === 'minimum' && (value === 1 || value === Number.MIN_SAFE_INTEGER)) &&
      !(key === 'maximum' && Number(value) >= 1_000_000),
  );
  return Object.fromEntries(telling.map(([key, value]) => [key, isObject(value) ? withoutBounds(value) : value]));
}

function isObject(value: Json | undefined): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
