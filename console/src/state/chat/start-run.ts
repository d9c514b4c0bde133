import {
  ChatAnswerNowDocument,
  ChatContinueDocument,
  ChatRunDocument,
  OracleQueryDocument,
  type OracleQueryInput,
  type TypedDocument,
  type WhenBusy,
} from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { query } from '../graphql-client.ts';
import type { LiveConnection, Refusal } from '../live-connection.ts';

export type StartOutcome =
  | { readonly type: 'started'; readonly runId: string; readonly conversationId: string; readonly nodeId: string }
  | {
      readonly type: 'refused';
      readonly message: string;
      /** The run that is in the way, when one is. */
      readonly busyRunId?: string;
    };

export interface Server {
  readonly client: Client;
  readonly live: LiveConnection;
}

export function ask(server: Server, input: Omit<OracleQueryInput, 'idempotencyKey'>): Promise<StartOutcome> {
  // A lost connection sends the question again; the key makes sure that it is still the same one.
  const variables = { input: { ...input, idempotencyKey: crypto.randomUUID() } };
  return startRun(server, OracleQueryDocument, variables, ({ oracleQuery }) => oracleQuery.runId);
}

/** Goes on where a run stopped: with more turns, or with an answer at once from what it found. */
export function goOn(
  server: Server,
  how: 'continue' | 'answer',
  runId: string,
  whenBusy: WhenBusy,
): Promise<StartOutcome> {
  const variables = { input: { runId, whenBusy, idempotencyKey: crypto.randomUUID() } };
  return how === 'continue'
    ? startRun(server, ChatContinueDocument, variables, ({ continueRun }) => continueRun.runId)
    : startRun(server, ChatAnswerNowDocument, variables, ({ answerNow }) => answerNow.runId);
}

/** Starts a run by a subscription and listens for its first chunk only: from there it is followed like any other run. */
export async function startRun<Data, Variables extends Record<string, unknown>>(
  { client, live }: Server,
  document: TypedDocument<Data, Variables>,
  variables: Variables,
  runIdOf: (data: Data) => string,
): Promise<StartOutcome> {
  const { promise, resolve } = Promise.withResolvers<string | StartOutcome>();
  const stop = live.follow(document, () => variables, {
    onData: (data) => resolve(runIdOf(data)),
    onRefusal: (errors) => resolve(refusalOf(errors)),
    isOver: () => false,
  });
  const first = await promise;
  stop();
  if (typeof first !== 'string') return first;
  const answer = await query(client, ChatRunDocument, { id: first });
  if (answer.type === 'failed') return { type: 'refused', message: answer.message };
  const { run } = answer.data;
  if (!run) return { type: 'refused', message: '' };
  return { type: 'started', runId: run.id, conversationId: run.conversationId, nodeId: run.nodeId };
}

function refusalOf(errors: readonly Refusal[]): StartOutcome {
  const [first] = errors;
  const { code, runId, problems } = first?.extensions ?? {};
  const message = [first?.message ?? '', ...problemMessages(problems)].join(' ').trim();
  return {
    type: 'refused',
    message,
    ...(code === 'CONVERSATION_BUSY' && typeof runId === 'string' ? { busyRunId: runId } : {}),
  };
}

function problemMessages(problems: unknown): readonly string[] {
  if (!Array.isArray(problems)) return [];
  return problems.flatMap((problem: { message?: unknown }) =>
    typeof problem?.message === 'string' ? [problem.message] : [],
  );
}
