import { describe, expect, it } from 'vitest';
import { explainFailure } from './open-client.ts';

const withCode = (message: string, code: string, cause?: Error) =>
  Object.assign(new Error(message, { cause }), { code });

describe('why a server cannot be reached', () => {
  it.each([
    withCode('connect ECONNREFUSED', 'ECONNREFUSED'),
    new TypeError('fetch failed', { cause: withCode('connect ECONNREFUSED', 'ECONNREFUSED') }),
    withCode(
      'Version negotiation probe failed: fetch failed',
      'ERA_NEGOTIATION_FAILED',
      new TypeError('fetch failed', { cause: withCode('connect ECONNREFUSED', 'ECONNREFUSED') }),
    ),
  ])('is what the network said, however it is greeted', (error) => {
    expect(explainFailure(error)).toBe('The server cannot be reached (ECONNREFUSED).');
  });

  it('is said in words where the network has no code for it', () => {
    const failed = new TypeError('fetch failed', { cause: new Error('bad port') });
    expect(explainFailure(failed)).toBe('The server cannot be reached: bad port.');
    expect(explainFailure(withCode('Probe failed', 'ERA_NEGOTIATION_FAILED', failed))).toBe(
      'The server cannot be reached: bad port.',
    );
    expect(explainFailure(new Error('It is full.'))).toBe('It is full.');
  });
});
