import { describe, expect, it } from 'vitest';
import type { ChunkKind, ChunkOf, OracleChunk } from './chunk.ts';
import { emptyView, foldChunks, type RunView, toolCardsOf } from './fold-chunks.ts';

let seq = 0;

function chunk<Kind extends ChunkKind>(
  kind: Kind,
  fields: Omit<ChunkOf<Kind>, '__typename' | 'runId' | 'seq' | 'fromSeq' | 'at' | 'agent'>,
): OracleChunk {
  seq += 1;
  const place = { runId: 'r', seq, fromSeq: seq, at: '2026-11-16T09:30:00.000Z', agent: null };
  return {
    __typename: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Chunk`,
    ...place,
    ...fields,
  } as unknown as OracleChunk;
}

function fold(chunks: readonly OracleChunk[], view: RunView = emptyView): RunView {
  return chunks.reduce(foldChunks, view);
}

const call = { callId: 'c1', name: 'vault_search', arguments: { query: 'x' }, turn: 1 } as const;
const ending = {
  __typename: 'Ending',
  reason: 'COMPLETED',
  message: 'Done.',
  turns: 2,
  usage: { __typename: 'Usage', totalTokens: 7 },
} as ChunkOf<'done'>['ending'];

function wholeRun(): readonly OracleChunk[] {
  seq = 0;
  return [
    chunk('thinking', { text: 'Let me ' }),
    chunk('thinking', { text: 'see.' }),
    chunk('toolCall', { ...call, status: 'PENDING' }),
    chunk('toolCall', { ...call, status: 'RUNNING' }),
    chunk('source', { kind: 'VAULT', path: 'a.md', title: null, line: null, snippet: null, score: 1 }),
    chunk('toolResult', { callId: 'c1', name: call.name, ok: true, result: ['a.md'], error: null, durationMs: 3 }),
    chunk('context', { tokens: 500, windowSize: 64_000 }),
    chunk('system', {
      systemType: 'LIMIT_WARNING',
      severity: 'WARNING',
      message: 'Approaching iteration limit (7/10)',
      limitType: 'ITERATIONS',
      currentValue: 7,
      limitValue: 10,
      advice: null,
    }),
    chunk('content', { text: 'It is ' }),
    chunk('content', { text: 'there.' }),
    chunk('done', { terminationReason: 'COMPLETED', conversationId: 'c', nodeId: 'n', ending }),
  ];
}

describe('foldChunks', () => {
  it('makes what a chat shows: items in order, tool cards, sources, meters and the ending', () => {
    const view = fold(wholeRun());

    expect(view.items.map(({ type }) => type)).toEqual(['thinking', 'tool', 'notice', 'answer']);
    expect(view.text).toBe('It is there.');
    expect(toolCardsOf(view)).toEqual([{ ...call, status: 'OK', result: ['a.md'], error: null, durationMs: 3 }]);
    expect(view.sources.map(({ path }) => path)).toEqual(['a.md']);
    expect(view.meters).toEqual({
      turn: 2,
      toolCalls: 1,
      context: { tokens: 500, windowSize: 64_000 },
      limits: { ITERATIONS: { used: 7, allowed: 10 } },
      usage: ending.usage,
    });
    expect([view.ending, view.conversationId, view.nodeId, view.seq]).toEqual([ending, 'c', 'n', 11]);
  });

  it('changes nothing it was given, and not what a chunk says twice', () => {
    const chunks = wholeRun();
    const halfway = Object.freeze(fold(chunks.slice(0, 6)));
    Object.freeze(halfway.items);

    const view = fold(chunks, halfway);

    expect(view).toEqual(fold(chunks));
    expect(fold(chunks, view)).toBe(view);
  });

  it('takes merged deltas like single ones', () => {
    const [first, second, ...rest] = wholeRun();
    const merged = { ...second, fromSeq: 1, text: 'Let me see.' } as OracleChunk;

    expect(fold([merged, ...rest])).toEqual(fold([first, second, ...rest].filter((one) => one !== undefined)));
  });

  it('keeps the key of an item while it grows', () => {
    const chunks = wholeRun();

    expect(fold(chunks.slice(0, 1)).items[0]?.key).toBe(fold(chunks).items[0]?.key);
  });

  it('passes over types it does not know, and over other runs', () => {
    const before = fold(wholeRun().slice(0, 2));
    const unknown = { __typename: 'HologramChunk', runId: 'r', seq: 3, fromSeq: 3 } as unknown as OracleChunk;
    const foreign = { ...chunk('content', { text: 'Not mine.' }), seq: 4, fromSeq: 4, runId: 'other' };

    expect(fold([unknown, foreign], before)).toEqual({ ...before, seq: 3 });
  });

  it('keeps what sub-agents do apart from the answer, each in a view of its own', () => {
    seq = 0;
    const aside = (one: OracleChunk): OracleChunk => ({ ...one, agent: 'librarian' });
    const view = fold([
      chunk('content', { text: 'One. ' }),
      aside(chunk('content', { text: 'A summary.' })),
      aside(chunk('toolCall', { ...call, turn: 4, status: 'PENDING' })),
      aside(chunk('context', { tokens: 9, windowSize: 10 })),
      chunk('content', { text: 'Two.' }),
    ]);

    expect(view.text).toBe('One. Two.');
    expect(view.items.map(({ type }) => type)).toEqual(['answer']);
    expect(view.agents.librarian?.text).toBe('A summary.');
    expect(toolCardsOf(view)).toEqual([]);
    expect([view.meters.turn, view.meters.context]).toEqual([0, undefined]);
  });

  it('says of a call that was not run that it was not run', () => {
    seq = 0;
    const refused = { callId: 'c1', name: call.name, ok: false, result: null, error: 'Not run.', durationMs: 0 };
    const view = fold([chunk('toolCall', { ...call, status: 'NOT_RUN' }), chunk('toolResult', refused)]);

    expect(toolCardsOf(view)).toMatchObject([{ status: 'NOT_RUN', error: 'Not run.' }]);
  });
});
