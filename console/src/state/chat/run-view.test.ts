import { emptyView, foldChunks, type OracleChunk } from '@oracle-agent/sdk';
import { describe, expect, it } from 'vitest';
import { partsOf, sourcesOf, turnOf } from './run-view.ts';

let seq = 0;
/** A chunk with its place; ids are branded, hence the one cast. */
function chunk(body: object): OracleChunk {
  seq += 1;
  return {
    runId: 'run',
    seq,
    fromSeq: seq,
    at: '2026-11-16T00:00:00Z',
    agent: null,
    ...body,
  } as unknown as OracleChunk;
}
const call = (callId: string, turn: number, agent: string | null = null) =>
  chunk({ __typename: 'ToolCallChunk', callId, name: 'vault_search', arguments: {}, turn, status: 'RUNNING', agent });
const result = (callId: string) =>
  chunk({
    __typename: 'ToolResultChunk',
    callId,
    name: 'vault_search',
    ok: true,
    result: [],
    error: null,
    durationMs: 1,
  });
const text = (words: string, agent: string | null = null) => chunk({ __typename: 'ContentChunk', text: words, agent });
const fold = (chunks: readonly OracleChunk[]) => chunks.reduce(foldChunks, emptyView);

describe('a run as it is drawn', () => {
  it('puts the calls of one turn together, and those of the next apart', () => {
    const view = fold([text('a'), call('1', 1), call('2', 1), result('1'), result('2'), call('3', 2)]);

    const parts = partsOf(view).map((part) => (part.type === 'tools' ? part.cards.length : part.type));

    expect(parts).toEqual(['answer', 2, 1]);
  });

  it('keeps what a sub-agent says and does apart from the answer', () => {
    const view = fold([text('mine '), text('theirs', 'librarian'), call('9', 1, 'librarian'), text('mine again')]);

    expect(partsOf(view).map(({ type, agent }) => `${type} ${agent}`)).toEqual([
      'answer null',
      'answer librarian',
      'tools librarian',
    ]);
    expect(view.text).toBe('mine mine again');
    expect(turnOf(view)).toBe(1);
  });

  it('counts the turn that is under way', () => {
    expect(turnOf(emptyView)).toBe(1);
    expect(turnOf(fold([call('1', 1)]))).toBe(1);
    expect(turnOf(fold([call('1', 1), result('1')]))).toBe(2);
  });

  it('lists a source once', () => {
    const source = {
      __typename: 'SourceChunk',
      kind: 'VAULT',
      path: 'a.md',
      title: null,
      line: 1,
      snippet: null,
      score: 1,
    };

    expect(sourcesOf(fold([chunk(source), chunk(source)]))).toHaveLength(1);
  });
});
