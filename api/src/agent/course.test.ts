import { describe, expect, it } from 'vitest';
import { CourseRecorder } from './course.ts';
import type { Ending } from './ending.ts';
import type { Decision } from './steps.ts';
import { noUsage } from './usage.ts';

function decision(tokens: number | undefined, needed: number, seconds: number, goesOn = true) {
  const verdict: Decision['verdict'] = goesOn
    ? { continue: true }
    : { continue: false, reason: 'COMPLETED', detail: {} };
  const evaluations: Decision['evaluations'] = [
    { reason: 'TOKEN_BUDGET', value: needed, limit: 9, fired: false },
    { reason: 'TIMEOUT', value: seconds, limit: 9, fired: false },
  ];
  return { tokens, verdict, evaluations };
}

const ending: Ending = {
  reason: 'COMPLETED',
  message: '',
  turns: 2,
  usage: { ...noUsage, inputTokens: 80, outputTokens: 20 },
  durationMs: 5_000,
  unfinishedTools: [],
  saved: { contentCharacters: 0, toolCalls: 0, sources: 0 },
  nextActions: [],
};

describe('the course of a run', () => {
  it('tells what was used at each decision, rounded down', () => {
    const course = new CourseRecorder([decision(0, 30, 0), decision(40, 90.7, 1.2349), decision(100, 150, 5, false)]);

    expect(course.close(ending, [{ turn: 1 }, { turn: 1 }])).toEqual({
      tokens: [0, 40, 100],
      needed: [30, 90, 150],
      elapsedMs: [0, 1_234, 5_000],
      calls: [2, 0],
    });
  });

  it('ends with the ending when no decision ended the run', () => {
    const course = new CourseRecorder([decision(0, 30, 0)]);

    expect(course.close(ending, [])).toMatchObject({ tokens: [0, 100], needed: [30, 100], elapsedMs: [0, 5_000] });
  });

  it('derives what was used from what was needed where decisions do not say it', () => {
    const old = new CourseRecorder([
      decision(undefined, 30, 0),
      decision(undefined, 90, 1),
      decision(undefined, 170, 2, false),
    ]);

    expect(old.close(ending, []).tokens).toEqual([0, 60, 100]);
  });
});
