import { z } from 'zod';
import type { NoteRecord } from '../vault/vault.ts';
import { didYouMean } from './did-you-mean.ts';
import { defineTool } from './tool.ts';

/** Below 4 000 tokens: what is longer goes to the Librarian first, and a note that is read is wanted word for word. */
const longestPart = 12_000;
const longestSnippet = 500;

export const vaultRead = defineTool({
  name: 'vault_read',
  description: 'Read a note by its path. Long notes come in parts.',
  input: z.object({
    path: z.string().min(1).max(500),
    fromLine: z.int().min(1).max(1_000_000).default(1),
  }),
  async run({ path, fromLine }, { projectId, vault, cite }) {
    const outcome = await vault.read(projectId, path);
    if (outcome.type === 'missing')
      throw new Error(
        `There is no note at "${path}". ${didYouMean(outcome.nearest, 'Use vault_list or vault_search.')}`,
      );
    const part = partOf(outcome.note, fromLine);
    const { id, hash, title } = outcome.note;
    cite({
      kind: 'VAULT',
      path: outcome.note.path,
      title,
      line: fromLine,
      snippet: part.text.trim().slice(0, longestSnippet),
      note: { id, hash },
    });
    return { path: outcome.note.path, title, ...part };
  },
});

/** Whole lines as far as they fit; a single line that does not fit is cut. */
function partOf({ body }: NoteRecord, fromLine: number) {
  const lines = body.replace(/\n$/, '').split('\n');
  if (fromLine > lines.length) throw new Error(`The note has only ${lines.length} lines.`);
  let characters = 0;
  let end = fromLine - 1;
  while (end < lines.length && characters + (lines[end]?.length ?? 0) + 1 <= longestPart) {
    characters += (lines[end]?.length ?? 0) + 1;
    end += 1;
  }
  const cutLine = end === fromLine - 1;
  if (cutLine) end += 1;
  const text = lines.slice(fromLine - 1, end).join('\n');
  return {
    fromLine,
    lines: lines.length,
    text: cutLine ? `${text.slice(0, longestPart).toWellFormed()} [line cut]` : text,
    ...(end < lines.length ? { next: `Continue with fromLine ${end + 1}.` } : {}),
  };
}
