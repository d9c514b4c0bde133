import { z } from 'zod';
import { assertIndexed, missingName } from './code-indexed.ts';
import { defineTool } from './tool.ts';

const longestSnippet = 500;
const mostDefinitions = 10;
/** Of so many the code is shown whole, of the others only the head. */
const shownWhole = 3;

export const findDefinition = defineTool({
  name: 'find_definition',
  description: 'Where a name is defined in code, with its text.',
  input: z.object({ name: z.string().trim().min(1).max(200).describe('Such as parse or Reader.parse.') }),
  async run({ name }, { projectId, code, cite }) {
    const { items, total, nearest } = await code.definitions(projectId, name, mostDefinitions);
    if (items.length === 0) {
      await assertIndexed(code, projectId);
      throw new Error(missingName(name, nearest));
    }
    for (const { path, line, code: text, signature } of items)
      cite({ kind: 'CODE', path, title: signature, line, snippet: text.slice(0, longestSnippet).toWellFormed() });
    return {
      definitions: items.map(({ path, line, endLine, name, kind, container, signature, code: text }, index) => ({
        path,
        line,
        endLine,
        name,
        kind: kind.toLowerCase(),
        ...(container === null ? {} : { in: container }),
        ...(index < shownWhole ? { code: text } : { signature }),
      })),
      ...(total > items.length ? { note: `${total} in all; name its class or module to narrow it down.` } : {}),
    };
  },
});
