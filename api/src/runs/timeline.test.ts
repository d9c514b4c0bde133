import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chunk, ChunkBody } from '../agent/chunk.ts';
import type { RecordedDecision } from './log-reading.ts';
import { buildTimeline, turnMarks } from './timeline.ts';

const begin = Date.parse('2026-11-16T09:00:00.000Z');
const iso = (ms: number) => new Date(begin + ms).toISOString();
const run = { startedAt: begin, endedAt: begin + 9_000, tokens: 900 };

function decision(turn: number, ms: number, seq: number, goesOn = true): RecordedDecision {
  return {
    turn,
    now: ms,
    tokens: turn * 100,
    at: iso(ms),
    seq,
    verdict: goesOn ? { continue: true } : { continue: false, reason: 'COMPLETED', detail: {} },
    evaluations: [{ reason: 'TIMEOUT', value: ms / 1_000, limit: 120, fired: false }],
  };
}

function chunk(seq: number, ms: number, body: ChunkBody): Chunk {
  return { ...body, runId: 'r', seq, at: iso(ms) } as Chunk;
}

function call(callId: string, status: 'PENDING' | 'RUNNING' | 'NOT_RUN', agent?: string): ChunkBody {
  const body = { type: 'ToolCallChunk', callId, name: 'read', arguments: { callId }, turn: 1, status } as const;
  return agent === undefined ? body : { ...body, agent };
}

const result = (callId: string, ok: boolean, durationMs: number): ChunkBody =>
  ok
    ? { type: 'ToolResultChunk', callId, name: 'read', ok, result: 'r', durationMs }
    : { type: 'ToolResultChunk', callId, name: 'read', ok, error: 'no', durationMs };

describe('the marks of turns', () => {
  it('begin with decisions to go on and end with the next', () => {
    const marks = turnMarks([decision(0, 10, 0), decision(1, 400, 7), decision(2, 900, 9, false)], run, []);

    expect(marks).toEqual([
      { turn: 1, afterSeq: 0, startedAt: begin + 10, endedAt: begin + 400, tokens: 100 },
      { turn: 2, afterSeq: 7, startedAt: begin + 400, endedAt: begin + 900, tokens: 100 },
    ]);
  });

  it('leave the last turn open while the run goes on', () => {
    const marks = turnMarks([decision(0, 10, 0)], { startedAt: begin, endedAt: undefined, tokens: undefined }, []);

    expect(marks).toMatchObject([{ turn: 1, endedAt: undefined, tokens: undefined }]);
  });

  it('are found by the tool calls for decisions of earlier versions', () => {
    const old = [decision(0, 0, 0), decision(1, 2_500, 0)].map(({ at: _at, seq: _seq, tokens: _t, ...rest }) => rest);
    const calls = [chunk(3, 10, call('a', 'PENDING')), chunk(5, 20, result('a', true, 10))];
    const next = { ...call('a', 'PENDING'), turn: 2 } as ChunkBody;
    const marks = turnMarks(old, run, [...calls, chunk(8, 2_600, next)]);

    expect(marks).toMatchObject([
      { turn: 1, afterSeq: 0, startedAt: begin, tokens: undefined },
      { turn: 2, afterSeq: 5, startedAt: begin + 2_500, tokens: undefined },
    ]);
  });
});

describe('a timeline', () => {
  const marks = turnMarks([decision(0, 0, 0), decision(1, 1_000, 8), decision(2, 2_000, 9, false)], run, []);

  it('tells when the model was first heard, when it was done, and when its calls ran', () => {
    const turns = buildTimeline(
      marks,
      [
        chunk(3, 300, call('a', 'PENDING')),
        chunk(4, 300, call('b', 'PENDING')),
        chunk(5, 310, call('a', 'RUNNING')),
        chunk(6, 310, call('b', 'RUNNING')),
        chunk(7, 900, result('a', true, 580)),
        chunk(8, 900, result('b', false, 40)),
      ],
      [
        { place: 0, firstAt: begin + 120, lastAt: begin + 290 },
        { place: 1, firstAt: begin + 1_400, lastAt: begin + 1_900 },
      ],
    );

    expect(turns).toMatchObject([
      {
        turn: 1,
        firstTokenAt: begin + 120,
        modelEndedAt: begin + 300,
        endedAt: begin + 1_000,
        calls: [
          { callId: 'a', status: 'SUCCEEDED', startedAt: begin + 310, endedAt: begin + 890, result: 'r' },
          { callId: 'b', status: 'FAILED', startedAt: begin + 310, endedAt: begin + 350, error: 'no' },
        ],
      },
      { turn: 2, firstTokenAt: begin + 1_400, modelEndedAt: begin + 2_000, calls: [] },
    ]);
  });

  it('takes a tool call for the first sign of a model that writes nothing', () => {
    const turns = buildTimeline(marks, [chunk(3, 300, call('a', 'PENDING'))], []);

    expect(turns[0]).toMatchObject({ firstTokenAt: begin + 300, calls: [{ status: 'WAITING', startedAt: undefined }] });
    expect(turns[1]).toMatchObject({ firstTokenAt: undefined });
  });

  it('tells what was not run, and shows sub-agents apart', () => {
    const note: ChunkBody = { type: 'SystemChunk', systemType: 'NOTIFICATION', severity: 'INFO', message: 'Reads.' };
    const turns = buildTimeline(
      marks,
      [
        chunk(1, 100, call('a', 'PENDING')),
        chunk(2, 110, call('a', 'NOT_RUN')),
        chunk(3, 200, { ...note, agent: 'librarian' }),
        chunk(4, 250, call('librarian-1:x', 'PENDING', 'librarian')),
        chunk(5, 260, call('librarian-1:x', 'RUNNING', 'librarian')),
        chunk(6, 700, { ...result('librarian-1:x', true, 300), agent: 'librarian' }),
      ],
      [],
    );

    expect(turns[0]).toMatchObject({
      modelEndedAt: begin + 100,
      calls: [
        { callId: 'a', status: 'NOT_RUN', endedAt: begin + 110 },
        { callId: 'librarian-1:x', agent: 'librarian', status: 'SUCCEEDED', endedAt: begin + 560 },
      ],
      agents: [{ agent: 'librarian', startedAt: begin + 200, endedAt: begin + 700, notes: ['Reads.'] }],
    });
  });

  it('puts every chunk into exactly one turn, whatever the log looks like', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 60 }),
        (cuts, length) => {
          const starts = [...new Set([0, ...cuts])].sort((a, b) => a - b);
          const decisions = starts.map((seq, turn) => decision(turn, turn * 100, seq));
          const chunks = Array.from({ length }, (_, index) => chunk(index + 1, index, call(`c${index}`, 'PENDING')));
          const turns = buildTimeline(turnMarks(decisions, run, []), chunks, []);

          expect(turns.flatMap(({ calls }) => calls.map(({ callId }) => callId))).toEqual(
            chunks.map((_, index) => `c${index}`),
          );
          turns.forEach(({ calls }, index) => {
            const first = Number(calls[0]?.callId.slice(1) ?? starts[index]) + 1;
            expect(first).toBe((starts[index] ?? 0) + 1);
          });
        },
      ),
    );
  });
});
