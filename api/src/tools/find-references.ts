import { z } from 'zod';
import { assertIndexed, missingName } from './code-indexed.ts';
import { defineTool } from './tool.ts';

export const findReferences = defineTool({
  name: 'find_references',
  description: 'The lines of code that use a name.',
  input: z.object({
    name: z.string().trim().min(1).max(200),
    limit: z.int().min(1).max(50).default(20),
  }),
  async run({ name, limit }, { projectId, code, cite }) {
    const { items, total, nearest } = await code.references(projectId, name, limit);
    if (items.length === 0) {
      await assertIndexed(code, projectId);
      const defined = await code.definitions(projectId, name, 1);
      if (defined.total === 0) throw new Error(missingName(name, nearest));
      return { references: [], note: `"${name}" is defined in ${defined.items[0]?.path} and used nowhere else.` };
    }
    for (const { path, line, text } of items) cite({ kind: 'CODE', path, line, snippet: text });
    return {
      references: items.map(({ path, line, text, within }) => ({
        path,
        line,
        text,
        ...(within ? { in: within } : {}),
      })),
      ...(total > items.length ? { note: `${items.length} of ${total}.` } : {}),
    };
  },
});
