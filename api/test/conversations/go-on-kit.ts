import type { TestUser } from '../kit/kit.ts';
import { overWebSocket, type Transport } from '../kit/live.ts';
import type { ModelServerRequest } from '../kit/model-server.ts';
import { oracleQuery } from '../oracle/kit/chunks.ts';
import { type Stream, streamOf } from '../oracle/kit/stream.ts';

export interface GoingOn {
  readonly runId: string;
  readonly turns?: number;
  readonly model?: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly whenBusy?: 'REJECT' | 'CANCEL_PREVIOUS';
  readonly idempotencyKey?: string;
}

/** Subscribes to going on with a run, one way or the other. */
export function goOn(
  how: 'continueRun' | 'answerNow',
  { url, user, transport = overWebSocket }: { url: string; user: Pick<TestUser, 'token'>; transport?: Transport },
  input: GoingOn,
): Stream {
  const type = how === 'continueRun' ? 'ContinueRunInput' : 'AnswerNowInput';
  const query = oracleQuery.replace('OracleQueryInput', type).replace('oracleQuery(', `${how}(`);
  return streamOf(transport({ url, token: user.token }, query, { input }));
}

/** The conversation as the model got it, in short: what was said, called and answered, without the instructions. */
export function toldTo({ body }: ModelServerRequest): readonly unknown[] {
  return body.messages.slice(1).map(({ role, content, tool_calls: calls }) => {
    const called = ((calls ?? []) as { function: { name: string; arguments: string } }[]).map(
      ({ function: { name, arguments: given } }) => `${name} ${given}`,
    );
    return called.length === 0 ? [role, content] : [role, content ?? '', ...called];
  });
}

/** The ids of all calls and of all results that were sent. */
export function callIdsIn({ body }: ModelServerRequest) {
  const calls = body.messages.flatMap(({ tool_calls }) => ((tool_calls ?? []) as { id: string }[]).map(({ id }) => id));
  const results = body.messages.flatMap((message) =>
    message.role === 'tool' ? [String(message['tool_call_id'])] : [],
  );
  return { calls, results };
}
