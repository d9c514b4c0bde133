import { describe, expect, expectTypeOf, it } from 'vitest';
import type {
  ChunkKind,
  ChunkOf,
  ConversationId,
  JsonValue,
  OracleChunk,
  OracleClient,
  Run,
  RunId,
  RunResult,
  UserId,
} from '../src/index.ts';

/** Compiled, never called: what must not compile is marked, and the marks are errors when it does. */
export function mustNotCompile(oracle: OracleClient, chunk: OracleChunk, userId: UserId, runId: RunId): unknown {
  // @ts-expect-error The id of a user is not that of a run.
  void oracle.runs.get(userId);
  // @ts-expect-error Nor the id of a run that of a conversation.
  void oracle.conversations.get(runId);
  // @ts-expect-error The chunk may be of another kind.
  void chunk.text;
  // @ts-expect-error There is no such kind of chunk.
  oracle.follow(runId).on('hologram', () => {});
  // @ts-expect-error A question is needed.
  oracle.ask({});
  switch (chunk.__typename) {
    case 'ContentChunk':
    case 'ThinkingChunk':
    case 'ToolCallChunk':
    case 'ToolResultChunk':
    case 'SourceChunk':
    case 'SystemChunk':
    case 'ContextChunk':
    case 'ErrorChunk':
      return chunk.seq;
    default:
      // @ts-expect-error DoneChunk was forgotten.
      return chunk satisfies never;
  }
}

describe('the types', () => {
  it('tell chunks apart', () => {
    expectTypeOf<ChunkKind>().toEqualTypeOf<
      'content' | 'thinking' | 'toolCall' | 'toolResult' | 'source' | 'system' | 'context' | 'error' | 'done'
    >();
    expectTypeOf<ChunkOf<'content'>['__typename']>().toEqualTypeOf<'ContentChunk'>();
    expectTypeOf<Exclude<OracleChunk, ChunkOf<ChunkKind>>>().toBeNever();
  });

  it('tell ids apart, and take plain strings', () => {
    expectTypeOf<UserId>().not.toExtend<RunId>();
    expectTypeOf<string>().toExtend<RunId>();
    expectTypeOf<RunResult['runId']>().toEqualTypeOf<RunId>();
    expectTypeOf<RunResult['conversationId']>().toEqualTypeOf<ConversationId>();
  });

  it('leave nothing unknown', () => {
    expectTypeOf<ChunkOf<'toolCall'>['arguments']>().toEqualTypeOf<JsonValue>();
    expectTypeOf<Awaited<ReturnType<Run['cancel']>>>().toEqualTypeOf<boolean>();
    expectTypeOf<Awaited<ReturnType<OracleClient['notes']['save']>>['__typename']>().toEqualTypeOf<
      'Note' | 'InvalidInput' | 'NoteConflict'
    >();
    expect(mustNotCompile).toBeTypeOf('function');
  });
});
