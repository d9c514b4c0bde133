/** What a run tells, as a client with this query gets it. */
interface Place {
  readonly runId: string;
  readonly seq: number;
  readonly fromSeq: number;
  readonly at: string;
  /** Null for the oracle itself. */
  readonly agent: string | null;
}

export interface Ending {
  readonly reason: string;
  readonly message: string;
  readonly limitType: string | null;
  readonly usedValue: number | null;
  readonly limitValue: number | null;
  readonly turns: number;
  readonly usage: {
    readonly inputTokens: number;
    readonly cachedInputTokens: number;
    readonly outputTokens: number;
    readonly reasoningTokens: number;
    readonly totalTokens: number;
    readonly estimated: boolean;
  };
  readonly durationMs: number;
  readonly unfinishedTools: readonly { readonly callId: string; readonly name: string; readonly fate: string }[];
  readonly saved: { readonly contentCharacters: number; readonly toolCalls: number; readonly sources: number };
  readonly nextActions: readonly { readonly action: string; readonly label: string }[];
}

interface Bodies {
  ContentChunk: { readonly text: string };
  ThinkingChunk: { readonly text: string };
  ToolCallChunk: {
    readonly callId: string;
    readonly name: string;
    readonly arguments: unknown;
    readonly turn: number;
    readonly status: 'PENDING' | 'RUNNING' | 'NOT_RUN';
  };
  ToolResultChunk: {
    readonly callId: string;
    readonly name: string;
    readonly ok: boolean;
    readonly result: unknown;
    readonly error: string | null;
    readonly durationMs: number;
  };
  SourceChunk: {
    readonly kind: string;
    readonly path: string;
    readonly title: string | null;
    readonly line: number | null;
    readonly snippet: string | null;
    readonly score: number | null;
  };
  SystemChunk: {
    readonly systemType: string;
    readonly severity: string;
    readonly message: string;
    readonly limitType: string | null;
    readonly currentValue: number | null;
    readonly limitValue: number | null;
    readonly advice: string | null;
  };
  ContextChunk: { readonly tokens: number; readonly windowSize: number };
  ErrorChunk: { readonly code: string; readonly message: string; readonly retryable: boolean };
  DoneChunk: {
    readonly terminationReason: string;
    readonly ending: Ending;
    readonly conversationId: string;
    readonly nodeId: string;
  };
}

export type ChunkName = keyof Bodies;
export type ChunkOf<Name extends ChunkName> = Place & { readonly __typename: Name } & Bodies[Name];
export type Chunk = { [Name in ChunkName]: ChunkOf<Name> }[ChunkName];

export function chunksOf<Name extends ChunkName>(chunks: readonly Chunk[], name: Name): readonly ChunkOf<Name>[] {
  return chunks.filter((chunk): chunk is ChunkOf<Name> & Chunk => chunk.__typename === name);
}

export const endingFields = `
  reason message limitType usedValue limitValue turns durationMs
  usage { inputTokens cachedInputTokens outputTokens reasoningTokens totalTokens estimated }
  unfinishedTools { callId name fate } saved { contentCharacters toolCalls sources } nextActions { action label }`;

const chunkFields = `
  __typename ... on StreamChunk { runId seq fromSeq at agent }
  ... on ContentChunk { text }
  ... on ThinkingChunk { text }
  ... on ToolCallChunk { callId name arguments turn status }
  ... on ToolResultChunk { callId name ok result error durationMs }
  ... on SourceChunk { kind path title line snippet score }
  ... on SystemChunk { systemType severity message limitType currentValue limitValue advice }
  ... on ContextChunk { tokens windowSize }
  ... on ErrorChunk { code message retryable }
  ... on DoneChunk { terminationReason ending { ${endingFields} } conversationId nodeId }`;

/** In one project of tests all runs are delivered the general way, by a directive that only the executor knows. */
const way = process.env['ORACLE_TEST_GENERAL_WAY'] ? ' @include(if: true)' : '';
export const oracleQuery = `subscription ($input: OracleQueryInput!) { chunk: oracleQuery(input: $input)${way} { ${chunkFields} } }`;
export const oracleRun = `subscription ($runId: ID!, $after: Int, $gather: Int) { chunk: oracleRun(runId: $runId, after: $after, gather: $gather)${way} { ${chunkFields} } }`;
