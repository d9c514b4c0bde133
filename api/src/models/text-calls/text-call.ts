import type { Json } from '../../agent/json.ts';

/** A tool call that a model wrote as text. */
export interface TextCall {
  readonly name: string;
  /** JSON of the arguments, or what was written in its place. */
  readonly input: string;
  /** What the model should do better, when the call cannot be used. */
  readonly problem?: string;
}

/** What becomes of the text, in order. */
export type Segment =
  /** For the reader, unchanged. */
  | { readonly type: 'text'; readonly text: string }
  /** Part of a call: not for the reader, but it was written and has to be paid for. */
  | { readonly type: 'markup'; readonly text: string }
  | { readonly type: 'call'; readonly call: TextCall };

/** The tools that may be meant, with the JSON Schema of their arguments. */
export type KnownTools = ReadonlyMap<string, Readonly<Record<string, Json>>>;

export const problems = {
  cutOff: 'The call was cut off before it was complete. Write it again, whole.',
  notJson: 'The call is not valid JSON. Write one object with "name" and "arguments".',
  unreadable: 'The call could not be read. Give every argument as a parameter element with its name.',
} as const;

export const unnamed = 'unnamed_tool';
