import { describe, expect, it } from 'vitest';
import { ownLimits } from './own-limits.ts';

const titles = [{ name: 'maxIterations', title: 'Max iterations' }];
const field = { field: 'maxIterations', value: 15, own: null, fallback: 15, ceiling: null };

describe('limits of one’s own', () => {
  it('are those that differ from what the person would have anyway', () => {
    expect(ownLimits([field], titles)).toEqual([]);
    expect(ownLimits([{ ...field, own: 15 }], titles)).toEqual([]);
    expect(ownLimits([{ ...field, own: 30, value: 30 }], titles)).toEqual(['Max iterations: 30 (default 15)']);
  });

  it('count what is in force: a ceiling may leave no difference', () => {
    expect(ownLimits([{ ...field, own: 30, value: 10, ceiling: 10 }], titles)).toEqual([]);
    expect(ownLimits([{ ...field, own: 8, value: 8, ceiling: 10 }], titles)).toEqual([
      'Max iterations: 8 (default 10)',
    ]);
  });

  it('of a newer server are named as the server names them', () => {
    expect(ownLimits([{ ...field, field: 'maxDreams', own: 3, value: 3 }], titles)).toEqual([
      'maxDreams: 3 (default 15)',
    ]);
  });
});
