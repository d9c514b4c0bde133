import { describe, expect, it } from 'vitest';
import { createLogger } from '../logger.ts';
import { createErrorMask } from './error-mask.ts';

const failure = (code: string) => Object.assign(new Error('the database says why'), { code });

describe('a failure of the database', () => {
  it.each([
    ['53300', 'it has no connection left'],
    ['53100', 'its disk is full'],
    ['25006', 'it is only read'],
    ['57P03', 'it starts'],
    ['ECONNREFUSED', 'it is not there'],
  ])('%s, %s, is no fault of ours, and told once however many ask', (code) => {
    const lines: string[] = [];
    const mask = createErrorMask(createLogger('info', { write: (line) => void lines.push(line) }));

    const answers = Array.from({ length: 100 }, () => mask(failure(code)));

    expect(new Set(answers.map(({ extensions }) => extensions['code']))).toEqual(new Set(['SERVICE_UNAVAILABLE']));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 'warn', time: expect.any(String), code, reason: 'the database says why', msg: 'the database is away' },
    ]);
  });
});
