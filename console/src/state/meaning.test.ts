import { describe, expect, it } from 'vitest';
import { meaningOf, warningTurn } from './meaning.ts';

const values = (entries: Record<string, number>) => (field: string) => entries[field];

describe('warningTurn', () => {
  it('leaves two turns where the limit allows, and one before the last otherwise', () => {
    expect(warningTurn(10, 70)).toBe(7);
    expect(warningTurn(15, 70)).toBe(10);
    expect(warningTurn(3, 70)).toBe(1);
    expect(warningTurn(2, 90)).toBe(1);
    expect(warningTurn(10, 90)).toBe(8);
  });

  it('never warns when there is only one turn', () => {
    expect(warningTurn(1, 50)).toBeUndefined();
  });
});

describe('meaningOf', () => {
  it('says when the turns run out', () => {
    expect(meaningOf('Turns', values({ maxIterations: 15, softWarningPercent: 70 }))).toBe(
      'Warns after turn 10 of 15.',
    );
    expect(meaningOf('Turns', values({ maxIterations: 1, softWarningPercent: 70 }))).toBe(
      'Stops after a single turn, without a warning.',
    );
  });

  it('says when the tokens run out', () => {
    expect(meaningOf('Tokens', values({ tokenBudget: 50_000, tokenWarningPercent: 80 }))).toBe(
      'Warns at 40,000 of 50,000 tokens.',
    );
  });

  it('says what time and tools amount to', () => {
    const tools = (maxToolCallsPerTurn: number, maxParallelTools: number) =>
      meaningOf('Tools', values({ maxToolCallsPerTurn, maxParallelTools }));

    expect(meaningOf('Time', values({ timeoutSeconds: 125 }))).toBe('Stops 2 min 5 s after the question.');
    expect(tools(5, 3)).toBe('Runs up to 5 calls per turn, 3 at a time.');
    expect(tools(2, 9)).toBe('Runs up to 2 calls per turn, all at once.');
    expect(tools(4, 1)).toBe('Runs up to 4 calls per turn, one after another.');
  });

  it('says nothing while a value cannot be read, or of a card it does not know', () => {
    expect(meaningOf('Turns', values({ softWarningPercent: 70 }))).toBeUndefined();
    expect(meaningOf('More limits', values({}))).toBeUndefined();
  });
});
