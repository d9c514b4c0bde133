import { describe, expect, it } from 'vitest';
import { type ResultShape, shouldDelegate } from './delegation.ts';

const hits = (...scores: readonly number[]): ResultShape => ({ kind: 'hits', scores });
const files = (count: number): ResultShape => ({
  kind: 'files',
  paths: Array.from({ length: count }, (_, n) => `${n}.md`),
});
const times = (count: number, score: number) => Array.from({ length: count }, () => score);

describe('a result goes to the Librarian', () => {
  it.each<[string, number, ResultShape | undefined, string | undefined]>([
    ['not with 4 000 tokens', 4_000, undefined, undefined],
    ['with more', 4_001, undefined, '4,001 tokens'],
    ['not with six equal hits', 100, hits(...times(6, 0.5)), undefined],
    ['with seven', 100, hits(...times(7, 0.5)), '7 hits'],
    ['with seven hits 0.1 apart', 100, hits(0.7, 0.8, ...times(5, 0.75)), '7 hits'],
    ['not with seven hits that are further apart', 100, hits(0.699, 0.8, ...times(5, 0.75)), undefined],
    ['with seven similar hits among others', 100, hits(0.1, ...times(7, 0.5), 0.9), '9 hits'],
    ['not with two groups of six', 100, hits(...times(6, 0.1), ...times(6, 0.9)), undefined],
    ['not with ten files', 100, files(10), undefined],
    ['with eleven', 100, files(11), '11 files'],
    ['not with twenty entries', 100, { kind: 'entries', count: 20 }, undefined],
    ['with twenty-one', 100, { kind: 'entries', count: 21 }, '21 entries'],
    ['with few hits that are long', 4_001, hits(0.5), '4,001 tokens'],
    ['with few files and much else', 4_001, files(2), '4,001 tokens'],
    ['with few entries that are long', 4_001, { kind: 'entries', count: 2 }, '4,001 tokens'],
    ['never when it is a summary', 40_000, { kind: 'summary' }, undefined],
  ])('%s', (_when, tokens, shape, reason) => {
    expect(shouldDelegate({ tokens, shape })).toBe(reason);
  });
});
