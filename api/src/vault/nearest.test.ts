import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

describe('nearest', () => {
  it('finds what was misspelt, shortened or written in another manner', () => {
    const names = ['vault_search', 'vault_read', 'vault_list', 'vault_write'];

    expect(nearest('vault_serch', names, 1)).toEqual(['vault_search']);
    expect(nearest('search', names, 1)).toEqual(['vault_search']);
    expect(nearest('Vault-Read', names, 1)).toEqual(['vault_read']);
    expect(nearest('delete_everything', names, 1)).toEqual([]);
    expect(nearest('', names, 1)).toEqual([]);
  });

  it('always finds the name itself first, and never more than asked for', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{3,12}$/), { minLength: 1 }), fc.nat(), (names, pick) => {
        const name = names[pick % names.length] ?? '';
        const found = nearest(name, names, 2);

        expect(found[0]).toBe(name);
        expect(found.length).toBeLessThanOrEqual(2);
      }),
    );
  });
});
