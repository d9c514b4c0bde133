import { z } from 'zod';
import { entryKinds } from '../threads/threads.ts';
import { defineTool } from './tool.ts';

export const threadSeek = defineTool({
  name: 'thread_seek',
  description: 'Find entries of threads by words, best first.',
  input: z.object({
    query: z.string().trim().min(1).max(500),
    kind: z.enum(entryKinds).optional(),
    limit: z.int().min(1).max(20).default(5),
  }),
  async run({ query, kind, limit }, { projectId, threads, cite, describe }) {
    const found = await threads.seek(projectId, { query, limit, kinds: kind ? [kind] : [] });
    const hits = found.map(({ entry, thread, snippet, score }) => ({
      path: thread.title,
      line: entry.number,
      kind: entry.kind,
      snippet,
      score,
    }));
    for (const { path, line, snippet, score } of hits)
      cite({ kind: 'THREAD', path, title: path, line, snippet, score });
    describe({ kind: 'hits', scores: hits.map(({ score }) => score) });
    if (hits.length === 0) return { hits, note: 'No entry matches. Try fewer or other words, or thread_list.' };
    return { hits };
  },
});
