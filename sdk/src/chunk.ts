import type { OracleRunSubscription } from './generated/types.ts';

/** One piece of a run's stream: told apart by `__typename`, in order by `seq`. */
export type OracleChunk = OracleRunSubscription['oracleRun'];

/** The names by which `run.on` knows the kinds of chunk: `content` for ContentChunk, and so on. */
export type ChunkKind = OracleChunk['__typename'] extends infer Name
  ? Name extends `${infer Kind}Chunk`
    ? Uncapitalize<Kind>
    : never
  : never;

/** The chunk of a kind: `ChunkOf<'content'>` is a ContentChunk. */
export type ChunkOf<Kind extends ChunkKind> = Extract<OracleChunk, { readonly __typename: `${Capitalize<Kind>}Chunk` }>;

/** The one record of how a run ended. */
export type Ending = ChunkOf<'done'>['ending'];

const known: Readonly<Record<OracleChunk['__typename'], true>> = {
  ContentChunk: true,
  ThinkingChunk: true,
  ToolCallChunk: true,
  ToolResultChunk: true,
  SourceChunk: true,
  SystemChunk: true,
  ContextChunk: true,
  ErrorChunk: true,
  DoneChunk: true,
};

/** Whether a chunk is of a type that this version knows; a newer server may send others. */
export function isKnownChunk(chunk: { readonly __typename: string }): chunk is OracleChunk {
  return Object.hasOwn(known, chunk.__typename);
}
