import { describe, expect, it } from 'vitest';
import { type Decision, decisionRows, shareOf } from './decisions.ts';

type Evaluation = Decision['evaluations'][number];

function evaluation(reason: Evaluation['reason'], value: number, limit: number, fired = value >= limit): Evaluation {
  return { __typename: 'Evaluation', reason, value, limit, fired };
}

function decision(turn: number, evaluations: readonly Evaluation[], reason: Decision['reason'] = null): Decision {
  return { __typename: 'Decision', turn, continued: reason === null, reason, evaluations };
}

describe('the rows of decisions', () => {
  it('answer why a run did not stop at turn 6', () => {
    const [row] = decisionRows([decision(6, [evaluation('MAX_ITERATIONS', 6, 15), evaluation('NO_PROGRESS', 2, 3)])]);

    expect(row).toMatchObject({ when: 'After turn 6', verdict: 'Went on', stopped: false });
    expect(row?.cells.map(({ text }) => text)).toEqual(['6/15', '2/3']);
    expect(row?.cells.map(({ sentence }) => sentence)).toEqual([
      'After turn 6: 6 of 15 turns were used. So this did not stop it.',
      'After turn 6: 2 of 3 turns in a row had repeated themselves. So this did not stop it.',
    ]);
  });

  it('tell what stopped it, what held too, and what a tree passed over', () => {
    const both = [evaluation('COMPLETED', 0, 0), evaluation('TOKEN_BUDGET', 52_000, 50_000)];
    const [stopped, passed] = decisionRows([decision(3, both, 'COMPLETED'), decision(4, both)]);

    expect(stopped?.cells).toMatchObject([
      { text: 'answered', decisive: true, sentence: expect.stringContaining('This stopped the run.') },
      {
        text: '52,000/50,000',
        fired: true,
        decisive: false,
        sentence: expect.stringContaining('“Complete” comes first'),
      },
    ]);
    expect(passed?.cells[1]?.sentence).toContain('chose to go on');
  });

  it('name a decision in the middle of a turn', () => {
    const rows = decisionRows([
      decision(0, []),
      decision(1, []),
      decision(1, [evaluation('CANCELLED', 1, 1)], 'CANCELLED'),
    ]);

    expect(rows.map(({ when }) => when)).toEqual(['Before turn 1', 'After turn 1', 'In turn 2']);
    expect(rows[2]).toMatchObject({ verdict: 'Stopped: Cancelled', cells: [{ text: 'yes', share: 1 }] });
  });

  it('tell how many tools a model asked for instead of answering', () => {
    const [row] = decisionRows([decision(1, [evaluation('COMPLETED', 3, 0, false)])]);

    expect(row?.cells[0]).toMatchObject({ text: '3 calls', share: 0, fired: false });
    expect(row?.cells[0]?.sentence).toContain('asked for 3 tool calls');
  });
});

describe('how near a condition is', () => {
  it('is a share of its limit, never less than none nor more than all', () => {
    expect(shareOf(evaluation('TIMEOUT', 30, 120))).toBe(0.25);
    expect(shareOf(evaluation('TOKEN_BUDGET', 60_000, 50_000))).toBe(1);
    expect(shareOf(evaluation('INTERRUPTED', 0, 1))).toBe(0);
  });
});
