import { z } from 'zod';
import { defineTool } from './tool.ts';

/** Its own limits end it: the Librarian's time, and what its run has left. */
const longest = 3_600_000;

export const delegateLibrarian = defineTool({
  name: 'delegate_librarian',
  description: 'Have the Librarian look through many notes, threads or files and report. It knows only the task.',
  input: z.object({
    task: z.string().trim().min(1).max(4_000).describe('What to find out, in full.'),
  }),
  timeoutMs: longest,
  idempotent: true,
  async run({ task }, { askLibrarian, signal, cite, describe }) {
    if (!askLibrarian) throw new Error('The Librarian cannot be asked here.');
    const { summary, sources } = await askLibrarian(task, signal);
    for (const source of sources) cite(source);
    describe({ kind: 'summary' });
    return { summary, sources: [...new Set(sources.map(({ path }) => path))] };
  },
});
