import type { Vault } from './vault.ts';

/** The vault for tools: what breaks in it is reported to us, and told to the model in words that give nothing away. */
export function guardedVault(vault: Vault, report: (failure: unknown) => void): Vault {
  const guard =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await work(...args);
      } catch (failure) {
        report(failure);
        throw new Error('The vault failed; it may work again in a moment.');
      }
    };
  return {
    search: guard((projectId, request) => vault.search(projectId, request)),
    read: guard((projectId, path) => vault.read(projectId, path)),
    list: guard((projectId, folder) => vault.list(projectId, folder)),
    write: guard((projectId, note) => vault.write(projectId, note)),
  };
}
