import { describe, expect, it } from 'vitest';
import type { ChunkBody, ToolCallStatus } from '../agent/chunk.ts';
import { Transcript } from './transcript.ts';

const call = (callId: string, turn: number, status: ToolCallStatus): ChunkBody => ({
  type: 'ToolCallChunk',
  callId,
  name: 'read',
  arguments: { turn },
  turn,
  status,
});
const result = (callId: string, ok: boolean): ChunkBody =>
  ok
    ? { type: 'ToolResultChunk', callId, name: 'read', ok, result: 'r', durationMs: 1 }
    : { type: 'ToolResultChunk', callId, name: 'read', ok, error: 'e', durationMs: 1 };

function transcriptOf(...bodies: readonly ChunkBody[]): Transcript {
  const transcript = new Transcript();
  for (const body of bodies) transcript.add(body);
  return transcript;
}

describe('a transcript', () => {
  it('joins the content and keeps sources, without reasoning and system messages', () => {
    const transcript = transcriptOf(
      { type: 'ContentChunk', text: 'a' },
      { type: 'ThinkingChunk', text: 'no' },
      { type: 'SystemChunk', systemType: 'NOTIFICATION', severity: 'INFO', message: 'no' },
      { type: 'SourceChunk', kind: 'CODE', path: 'p' },
      { type: 'ContentChunk', text: 'b' },
    );

    expect(transcript.answer).toBe('ab');
    expect(transcript.sources).toEqual([{ kind: 'CODE', path: 'p' }]);
  });

  it('leaves out what a sub-agent said, called and found', () => {
    const agent = 'librarian';
    const transcript = transcriptOf(
      call('a', 1, 'RUNNING'),
      { type: 'ContentChunk', text: 'no', agent },
      { ...call('b', 1, 'RUNNING'), agent },
      { ...result('b', true), agent },
      { ...result('a', false), agent },
      { type: 'SourceChunk', kind: 'CODE', path: 'p', agent },
    );

    expect(transcript.answer).toBe('');
    expect(transcript.toolCalls.map(({ callId, fate }) => [callId, fate])).toEqual([['a', 'unknown']]);
    expect(transcript.sources).toEqual([]);
  });

  it('tells each call once, with what became of it', () => {
    const transcript = transcriptOf(
      ...[call('a', 1, 'PENDING'), call('b', 1, 'PENDING'), call('c', 1, 'NOT_RUN'), call('d', 1, 'PENDING')],
      { type: 'ContentChunk', text: 'later' },
      ...[call('a', 1, 'RUNNING'), call('b', 1, 'RUNNING'), result('b', false), result('a', true), result('c', false)],
    );

    expect(transcript.toolCalls.map(({ callId, fate, answerLength }) => [callId, fate, answerLength])).toEqual([
      ['a', 'succeeded', 0],
      ['b', 'failed', 0],
      ['c', 'not-run', 0],
      ['d', 'unknown', 0],
    ]);
    expect(transcript.openCalls).toMatchObject([{ callId: 'd' }]);
  });

  it('tells calls apart whose id is used again in a later turn', () => {
    const transcript = transcriptOf(
      call('', 1, 'RUNNING'),
      result('', true),
      call('', 2, 'RUNNING'),
      result('', false),
    );

    expect(transcript.toolCalls.map(({ turn, fate }) => [turn, fate])).toEqual([
      [1, 'succeeded'],
      [2, 'failed'],
    ]);
  });

  it('drops a result without a call, and remembers tools that were abandoned', () => {
    const transcript = transcriptOf(result('x', true), call('a', 1, 'RUNNING'), result('a', false));
    transcript.markUnfinished([{ callId: 'a', name: 'read', fate: 'unknown' }]);

    expect(transcript.toolCalls).toMatchObject([{ callId: 'a', fate: 'unknown', error: 'e' }]);
  });
});
