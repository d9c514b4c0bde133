import { expect } from 'vitest';
import type { TestUser } from '../../kit/kit.ts';
import { type Chunk, type ChunkName, type ChunkOf, chunksOf, type Ending, endingFields } from './chunks.ts';
import { followOver, type Reader } from './stream.ts';

/** A run that has been told to its end, and what can be read of it afterwards. */
export interface Told {
  readonly runId: string;
  readonly conversationId: string;
  readonly nodeId: string;
  readonly chunks: readonly Chunk[];
  readonly done: ChunkOf<'DoneChunk'>;
  readonly reason: string;
  readonly ending: Ending;
  /** The whole answer as streamed. */
  readonly text: string;
  readonly run: RunView;
  readonly exchange: ExchangeView;
  of<Name extends ChunkName>(name: Name): readonly ChunkOf<Name>[];
  /** The system messages of a kind. */
  system(systemType: string): readonly ChunkOf<'SystemChunk'>[];
}

export interface RunView {
  readonly status: string;
  readonly question: string;
  readonly model: string;
  readonly decisionTree: string;
  readonly conversationId: string;
  readonly nodeId: string;
  readonly lastSeq: number;
  readonly ending: Ending | null;
  readonly config: Readonly<Record<string, number>> & { readonly maxIterations: number; readonly tokenBudget: number };
}

export interface ExchangeView {
  readonly id: string;
  readonly parentId: string | null;
  readonly runId: string;
  readonly question: string;
  readonly answer: string;
  readonly partial: boolean;
  readonly ending: Ending | null;
}

export interface ConversationView {
  readonly id: string;
  readonly title: string;
  readonly headId: string | null;
  readonly path: readonly ExchangeView[];
  readonly nodes: readonly ExchangeView[];
}

const exchangeFields = `id parentId runId question answer partial ending { ${endingFields} }`;
const runQuery = `query ($runId: ID!) { run(id: $runId) {
  status question model decisionTree conversationId nodeId lastSeq ending { ${endingFields} }
  config { maxIterations softWarningPercent tokenBudget tokenWarningPercent timeoutSeconds maxToolCallsPerTurn maxParallelTools }
} }`;
const conversationQuery = `query ($id: ID!) { conversation(id: $id) {
  id title headId path { ${exchangeFields} } nodes { ${exchangeFields} }
} }`;

export async function readRun(user: TestUser, runId: string): Promise<RunView | null> {
  return (await user.ask<{ run: RunView | null }>(runQuery, { runId })).run;
}

export async function readConversation(user: TestUser, id: string): Promise<ConversationView> {
  const { conversation } = await user.ask<{ conversation: ConversationView | null }>(conversationQuery, { id });
  if (!conversation) throw new Error('There is no such conversation.');
  return conversation;
}

/**
 * What holds for every run, however it went: numbered without gaps, one end and nothing after it, saved as it was
 * streamed, and nothing left open. Returns the run for the test's own questions.
 */
export async function settle(reader: Reader & { readonly user: TestUser }, chunks: readonly Chunk[]): Promise<Told> {
  const { user } = reader;
  const [first] = chunks;
  const done = chunks.at(-1);
  if (!first || done?.__typename !== 'DoneChunk') throw new Error(`No end: ${JSON.stringify(chunks.at(-1))}`);
  const { runId } = first;
  const { conversationId, nodeId, ending } = done;
  const text = textOf(chunks);
  const [run, conversation, replay] = await Promise.all([
    readRun(user, runId),
    readConversation(user, conversationId),
    followOver(reader, runId, 0).toEnd(),
  ]);
  const exchange = conversation.nodes.find((node) => node.id === nodeId);
  if (!run || !exchange) throw new Error('The run or its exchange cannot be read.');

  expectNumbered(chunks);
  expectReplayed(chunks, replay);
  expect(chunksOf(chunks, 'DoneChunk')).toEqual([done]);
  expect(done.terminationReason).toBe(ending.reason);
  expect(run).toMatchObject({ status: 'ENDED', conversationId, nodeId, lastSeq: done.seq, ending });
  expect(exchange).toMatchObject({ runId, question: run.question, answer: text, ending });
  expect(exchange.partial).toBe(ending.reason !== 'COMPLETED');
  expect(conversation.headId).toBe(nodeId);
  expect(conversation.path.at(-1)).toEqual(exchange);
  expect(ending.turns).toBeLessThanOrEqual(run.config.maxIterations);
  expect(ending.saved.contentCharacters).toBe(text.length);
  expectNothingOpen(chunks, ending);
  expect(chunksOf(chunks, 'ErrorChunk').length).toBe(failures.has(ending.reason) ? 1 : 0);

  return {
    runId,
    conversationId,
    nodeId,
    chunks,
    done,
    reason: ending.reason,
    ending,
    text,
    run,
    exchange,
    of: (name) => chunksOf(chunks, name),
    system: (systemType) => chunksOf(chunks, 'SystemChunk').filter((chunk) => chunk.systemType === systemType),
  };
}

const failures: ReadonlySet<string> = new Set(['MODEL_ERROR', 'INTERRUPTED']);

export function textOf(chunks: readonly Chunk[]): string {
  return chunksOf(chunks, 'ContentChunk')
    .map((chunk) => chunk.text)
    .join('');
}

/** One after the other, the merged ones included. */
export function expectNumbered(chunks: readonly Chunk[], after = 0): void {
  let last = after;
  for (const { seq, fromSeq } of chunks) {
    expect(fromSeq).toBe(last + 1);
    expect(seq).toBeGreaterThanOrEqual(fromSeq);
    last = seq;
  }
}

/** A slow reader gets several deltas as one; put together, they are what the log has, chunk for chunk. */
export function expectReplayed(streamed: readonly Chunk[], replay: readonly Chunk[]): void {
  expectNumbered(replay, (streamed[0]?.fromSeq ?? 1) - 1);
  const stored = new Map(replay.map((chunk) => [chunk.seq, chunk]));
  const again = streamed.map((chunk) => {
    const parts = Array.from({ length: chunk.seq - chunk.fromSeq + 1 }, (_, index) =>
      stored.get(chunk.fromSeq + index),
    );
    const last = parts.at(-1);
    if (parts.length === 1 || !last || !('text' in last)) return last;
    return {
      ...last,
      fromSeq: chunk.fromSeq,
      text: parts.map((part) => (part && 'text' in part ? part.text : '')).join(''),
    };
  });
  expect(again).toEqual(streamed);
  expect(replay.at(-1)?.seq).toBe(streamed.at(-1)?.seq);
}

/** No call without a fate: refused, answered, or known to be unfinished. */
function expectNothingOpen(chunks: readonly Chunk[], ending: Ending): void {
  const calls = chunksOf(chunks, 'ToolCallChunk');
  const having = (status: string) => calls.filter((call) => call.status === status).map((call) => call.callId);
  const answered = [
    ...chunksOf(chunks, 'ToolResultChunk').map((result) => result.callId),
    ...ending.unfinishedTools.map((tool) => tool.callId),
    ...having('NOT_RUN'),
  ];
  const open = calls.map((call) => call.callId).filter((callId) => !answered.includes(callId));
  expect(open).toEqual([]);
  expect(having('PENDING').length).toBe(new Set(having('PENDING')).size);
  expect(having('PENDING').sort()).toEqual([...new Set(calls.map((call) => call.callId))].sort());
}
