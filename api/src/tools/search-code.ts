import { z } from 'zod';
import { assertIndexed } from './code-indexed.ts';
import { defineTool } from './tool.ts';

export const searchCode = defineTool({
  name: 'search_code',
  description: 'Find lines of code by words, best first.',
  input: z.object({
    query: z.string().trim().min(1).max(500).describe('Words or "exact text".'),
    path: z.string().max(500).optional().describe('Part of the path, or a pattern with *.'),
    limit: z.int().min(1).max(20).default(5),
  }),
  async run({ query, path, limit }, { projectId, code, cite, describe }) {
    const hits = await code.search(projectId, { query, path, limit });
    if (hits.length === 0) {
      await assertIndexed(code, projectId);
      return { hits, note: `No code matches${path ? ' there' : ''}. Try fewer or other words, or get_repo_map.` };
    }
    for (const { path, line, snippet, score } of hits) cite({ kind: 'CODE', path, line, snippet, score });
    describe({ kind: 'hits', scores: hits.map(({ score }) => score) });
    return { hits };
  },
});
