import { z } from 'zod';
import { defineTool } from './tool.ts';

export const vaultSearch = defineTool({
  name: 'vault_search',
  description: 'Find notes by words, best first, each with its best passage.',
  input: z.object({
    query: z.string().trim().min(1).max(500).describe('Plain words, "exact phrase", -without.'),
    limit: z.int().min(1).max(20).default(5),
  }),
  async run({ query, limit }, { projectId, vault, cite, describe }) {
    const found = await vault.search(projectId, { query, limit });
    // Neither id nor highlights are of use to a model.
    const hits = found.map(({ path, title, line, snippet, score }) => ({ path, title, line, snippet, score }));
    for (const { id, hash, path, title, line, snippet, score } of found)
      cite({ kind: 'VAULT', path, title, line, snippet, score, note: { id, hash } });
    describe({ kind: 'hits', scores: hits.map(({ score }) => score) });
    if (hits.length === 0) return { hits, note: 'No note matches. Try fewer or other words, or vault_list.' };
    return { hits };
  },
});
