import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localNameFor, longestServerName, toolNameOf } from './tool-name.ts';

describe('the name of a tool', () => {
  it.each([
    ['echo', 'echo'],
    ['get-env', 'get_env'],
    ['readFile', 'read_file'],
    ['files/read.v2', 'files_read_v2'],
    ['__x__', 'x'],
    ['工具', 'tool'],
  ])('%s becomes %s', (name, local) => {
    expect(localNameFor(name, new Set())).toBe(local);
  });

  it('is numbered past those that are taken', () => {
    expect(localNameFor('get-env', new Set(['get_env', 'get_env_2']))).toBe('get_env_3');
  });

  it('is always one that providers take, and never one that is taken', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 200 }), { maxLength: 20 }), (names) => {
        const taken = new Set<string>();
        for (const name of names) {
          const local = localNameFor(name, taken);

          expect(taken.has(local)).toBe(false);
          expect(toolNameOf('s'.repeat(longestServerName), local)).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
          taken.add(local);
        }
      }),
    );
  });
});
