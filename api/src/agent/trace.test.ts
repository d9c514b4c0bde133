import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { detectStall, type Trace, TraceSchema, turnsOf } from './trace.ts';
import { score, shapeOf } from './trace-report.ts';

/** One call per letter; a digit after it stands for the result, as in "a1 b a2". */
function traceOf(text: string): Trace {
  const calls = text
    .split(' ')
    .map((call, index) => ({ turn: index + 1, name: call.charAt(0), result_hash: call.slice(1) }));
  return TraceSchema.parse({ calls });
}

describe('detectStall', () => {
  it.each([
    ['a1 a2 a3 a4', 3],
    ['a b a b a b', 5],
    ['a b c a b c a', 6],
    ['a b c a b d c', null],
    ['a1 b a2 b a3 b', null],
    ['a', null],
  ])('finds the end of %s after turn %s', (text, turn) => {
    expect(detectStall(turnsOf(traceOf(text)))).toEqual({
      stopped: turn !== null,
      turn,
      reason: turn === null ? null : 'NO_PROGRESS',
    });
  });

  it('takes calls of one turn together and sees through the spelling of arguments', () => {
    const call = (turn: number, name: string, args: unknown) => ({ turn, name, args, result_hash: String(turn) });
    const trace = TraceSchema.parse({
      calls: [
        call(2, 'a', '{"x": 1, "y": 2}'),
        call(2, 'b', 'text'),
        call(5, 'b', 'text'),
        call(5, 'a', { y: 2, x: 1 }),
        call(7, 'a', '{"y":2,"x":1}'),
        call(7, 'b', 'text'),
      ],
    });

    expect(detectStall(turnsOf(trace)).turn).toBe(7);
  });

  it('goes by the numbers of the turns, not by the order of the lines', () => {
    const trace = traceOf('a1 b a2 a3');
    const last = { turn: 9, name: 'b', args: null, result_hash: 'new', is_error: false };

    expect(detectStall(turnsOf({ calls: [...trace.calls.slice(2), last, ...trace.calls.slice(0, 2)] })).stopped).toBe(
      false,
    );
    expect(detectStall(turnsOf({ calls: traceOf('a1 a2 a3').calls.toReversed() })).turn).toBe(3);
  });

  it('lets a repeatable tool bring new results', () => {
    expect(detectStall(turnsOf(traceOf('a1 a2 a3 a4'), new Set(['a']))).stopped).toBe(false);
    expect(detectStall(turnsOf(traceOf('a1 a1 a1'), new Set(['a']))).turn).toBe(3);
  });

  it('does not stop for errors that differ', () => {
    const calls = [1, 2, 3, 4].map((turn) => ({ turn, name: 'a', args: turn, result_hash: 'same', is_error: true }));

    expect(detectStall(turnsOf(TraceSchema.parse({ calls }))).stopped).toBe(false);
  });
});

describe('shapeOf', () => {
  it.each([
    ['x a1 a2 a3', 'identical'],
    ['x a b a b', 'alternating'],
    ['a b c a b c', 'longer cycles'],
    ['a b c x b a c', 'stale results'],
    ['a b a2 c', 'no repetition'],
  ])('of %s is %s', (text, shape) => {
    expect(shapeOf(turnsOf(traceOf(text)))).toBe(shape);
  });
});

describe('score', () => {
  it('measures accuracy of all, false alarms of the healthy and recall of the stuck', () => {
    const run = (stuck: boolean, stopped: boolean) => ({ stuck, stopped, shape: 'identical' as const });

    expect(score([run(true, true), run(true, false), run(false, true), run(false, false), run(false, false)])).toEqual({
      runs: 5,
      stuck: 2,
      accuracy: 0.6,
      falseAlarms: 1 / 3,
      recall: 0.5,
    });
  });
});

const recorded = new URL('../../../../shared/data/traces/labelled.jsonl', import.meta.url);

describe.skipIf(!existsSync(recorded))('on recorded runs (skipped where ../shared/data/traces is absent)', () => {
  const traces = () =>
    readFileSync(recorded, 'utf8')
      .trim()
      .split('\n')
      .map((line) => TraceSchema.parse(JSON.parse(line)));
  const measure = (repeatable: ReadonlySet<string>) =>
    score(
      traces().map((trace) => {
        const turns = turnsOf(trace, repeatable);
        return { stuck: trace.label === 'stuck', stopped: detectStall(turns).stopped, shape: shapeOf(turns) };
      }),
    );

  it('judges at least 95 % rightly and misses none that is stuck', () => {
    const { accuracy, recall } = measure(new Set());

    expect(accuracy).toBeGreaterThanOrEqual(0.95);
    expect(recall).toBe(1);
  });

  it('stops fewer than 5 % of the healthy when a shell counts as repeatable, as one of ours would declare', () => {
    expect(measure(new Set(['bash'])).falseAlarms).toBeLessThan(0.05);
  });

  it('stops about 5 % of the healthy when nothing is known of the tools', () => {
    expect(measure(new Set()).falseAlarms).toBeLessThan(0.055);
  });
});
