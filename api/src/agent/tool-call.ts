import { canonicalJson, type Json } from './json.ts';

export interface ToolCall {
  readonly callId: string;
  readonly name: string;
  readonly arguments: Json;
}

/** What became of one tool call. A refused call (bad arguments, unknown tool) has failed; an unoffered one was not run. */
export type ToolOutcome = ToolCall & {
  /** The tool says that calling it again is normal, as a status poll does. */
  readonly repeatable: boolean;
} & (
    | { readonly status: 'succeeded'; readonly result: Json }
    | { readonly status: 'failed'; readonly error: string }
    | { readonly status: 'not-run' }
  );

export type ExecutedOutcome = Exclude<ToolOutcome, { readonly status: 'not-run' }>;

/** The arguments that were written last: what a call is compared with comes in short succession. */
let lastWritten: { readonly given: Json; readonly text: string } = { given: null, text: 'null' };

/** Equal for calls of the same tool with the same arguments, however the arguments were written. */
export function callSignature(call: Pick<ToolCall, 'name' | 'arguments'>): string {
  return `${call.name}:${writtenArguments(call.arguments)}`;
}

function writtenArguments(given: Json): string {
  if (lastWritten.given !== given) lastWritten = { given, text: canonicalJson(given) };
  return lastWritten.text;
}

/** Equal for equal calls with equal results. */
export function outcomeSignature(outcome: ExecutedOutcome): string {
  const result = outcome.status === 'failed' ? outcome.error : canonicalJson(outcome.result);
  return `${outcome.status}\n${callSignature(outcome)}\n${result}`;
}
