import { z } from 'zod';
import { assertIndexed } from './code-indexed.ts';
import { defineTool } from './tool.ts';

export const getRepoMap = defineTool({
  name: 'get_repo_map',
  description: 'The most important files of the code and what they define.',
  input: z.object({ tokens: z.int().min(100).max(8_000).default(1_000).describe('Longest answer.') }),
  async run({ tokens }, { projectId, code, describe }) {
    const map = await code.map(projectId, tokens);
    if (map.files === 0) await assertIndexed(code, projectId);
    describe({ kind: 'summary' });
    return { map: map.text, files: map.files, shown: map.shownFiles };
  },
});
