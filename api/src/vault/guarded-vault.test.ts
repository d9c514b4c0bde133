import { describe, expect, it } from 'vitest';
import { guardedVault } from './guarded-vault.ts';
import type { Vault } from './vault.ts';

const broken = () => Promise.reject(new Error('select * from notes: relation is missing'));
const vault: Vault = {
  search: broken,
  read: broken,
  write: broken,
  move: broken,
  list: async (_projectId, folder) => ({ folder, folders: [], notes: [], total: 0, more: false }),
};

describe('the vault that tools use', () => {
  it('passes results on', async () => {
    expect(await guardedVault(vault, () => undefined).list('project', 'a')).toMatchObject({ folder: 'a' });
  });

  it('reports a failure and says nothing of its insides', async () => {
    const reported: unknown[] = [];
    const guarded = guardedVault(vault, (failure) => reported.push(failure));

    await expect(guarded.read('project', 'a.md')).rejects.toThrow('The vault failed');
    expect(String(reported[0])).toContain('relation is missing');
  });
});
