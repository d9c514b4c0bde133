import type { CodeIndex } from './code.ts';

/** The index for tools: what breaks in it is reported to us, and told to the model in words that give nothing away. */
export function guardedCode(code: CodeIndex, report: (failure: unknown) => void): CodeIndex {
  const guard =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await work(...args);
      } catch (failure) {
        report(failure);
        throw new Error('The code index failed; it may work again in a moment.');
      }
    };
  return {
    isEmpty: guard((projectId) => code.isEmpty(projectId)),
    search: guard((projectId, request) => code.search(projectId, request)),
    definitions: guard((projectId, name, limit) => code.definitions(projectId, name, limit)),
    references: guard((projectId, name, limit) => code.references(projectId, name, limit)),
    map: guard((projectId, tokens) => code.map(projectId, tokens)),
  };
}
