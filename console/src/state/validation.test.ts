import { describe, expect, it } from 'vitest';
import { buildField, buildStanding } from '../../test/settings-fixture.ts';
import { readEntry } from './validation.ts';

const field = buildField('maxIterations');
const budget = buildField('tokenBudget', { title: 'Token budget', min: 1_000, max: 200_000 });
const model = buildField('oracleModel', { title: 'Model', kind: 'TEXT', min: 1, max: 200, default: 'offline' });

function problem(entry: string, of = field, standing = buildStanding()): string | undefined {
  const reading = readEntry(of, standing, entry);
  return reading.type === 'invalid' ? reading.message : undefined;
}

describe('readEntry', () => {
  it('reads whole numbers at and between the bounds', () => {
    expect(readEntry(field, buildStanding(), '1')).toEqual({ type: 'valid', value: 1 });
    expect(readEntry(field, buildStanding(), ' 50 ')).toEqual({ type: 'valid', value: 50 });
  });

  it('reads large numbers the way people write them', () => {
    expect(readEntry(budget, buildStanding(), '50,000')).toEqual({ type: 'valid', value: 50_000 });
    expect(readEntry(budget, buildStanding(), '120 000')).toEqual({ type: 'valid', value: 120_000 });
    expect(problem('5,00', budget)).toContain('you sent "5,00"');
  });

  it('names the bounds and the value outside them', () => {
    expect(problem('0')).toBe('Max iterations must be between 1 and 50; you sent 0.');
    expect(problem('250000', budget)).toBe('Token budget must be between 1,000 and 200,000; you sent 250,000.');
  });

  it('asks for a whole number when it gets a fraction, words or nothing', () => {
    expect(problem('1.5')).toBe('Max iterations must be a whole number between 1 and 50; you sent 1.5.');
    expect(problem('many')).toBe('Max iterations must be a whole number between 1 and 50; you sent "many".');
    expect(problem('')).toBe('Max iterations must be a whole number between 1 and 50; you sent nothing.');
  });

  it("names the organisation's ceiling when that is what stands in the way", () => {
    expect(problem('30', field, buildStanding(null, { ceiling: 20 }))).toBe(
      "Max iterations must be between 1 and 20, your organisation's ceiling; you sent 30.",
    );
  });

  it('takes an emptied input as "not set" only where a field may be left out', () => {
    expect(readEntry({ ...field, optional: true }, buildStanding(), '')).toEqual({ type: 'valid', value: null });
  });

  it('refuses model names with spaces, and none at all', () => {
    const bounds = 'Model must be 1 to 200 printable characters without spaces; you sent';

    expect(readEntry(model, buildStanding('offline'), 'openrouter/a/b')).toEqual({
      type: 'valid',
      value: 'openrouter/a/b',
    });
    expect(problem('two words', model)).toBe(`${bounds} "two words".`);
    expect(problem('', model)).toBe(`${bounds} nothing.`);
  });
});
