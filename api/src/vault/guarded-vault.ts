import type { Vault } from './vault.ts';

/** The vault for tools: what breaks in it is reported to us, and told to the model in words that give nothing away. */
export function guardedVault(vault: Vault, report: (failure: unknown) => void): Vault {
  const guard = guarding('The vault failed; it may work again in a moment.', report);
  return {
    search: guard((projectId, request) => vault.search(projectId, request)),
    read: guard((projectId, path) => vault.read(projectId, path)),
    list: guard((projectId, folder) => vault.list(projectId, folder)),
    write: guard((projectId, note) => vault.write(projectId, note)),
    move: guard((projectId, path, newPath) => vault.move(projectId, path, newPath)),
  };
}

/** Work whose failures are reported, and answered with a sentence. */
export function guarding(sentence: string, report: (failure: unknown) => void) {
  return <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await work(...args);
      } catch (failure) {
        report(failure);
        throw new Error(sentence);
      }
    };
}
