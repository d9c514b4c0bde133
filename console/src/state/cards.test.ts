import { describe, expect, it } from 'vitest';
import { buildField } from '../../test/settings-fixture.ts';
import { groupIntoCards } from './cards.ts';

const field = (key: string, unit: string) => buildField(key, { unit });

describe('groupIntoCards', () => {
  it('puts fields together by what they count, and a percentage with the field it belongs to', () => {
    const cards = groupIntoCards([
      field('maxIterations', 'turns'),
      field('softWarningPercent', '%'),
      field('tokenBudget', 'tokens'),
      field('tokenWarningPercent', '%'),
      field('maxParallelTools', 'calls'),
    ]);

    expect(cards.map((card) => [card.name, card.fields.map((member) => member.key)])).toEqual([
      ['Turns', ['maxIterations', 'softWarningPercent']],
      ['Tokens', ['tokenBudget', 'tokenWarningPercent']],
      ['Tools', ['maxParallelTools']],
    ]);
  });

  it('shows a field it has never heard of', () => {
    expect(groupIntoCards([field('maxRetries', 'tries')])).toEqual([
      { name: 'More limits', fields: [field('maxRetries', 'tries')] },
    ]);
  });
});
