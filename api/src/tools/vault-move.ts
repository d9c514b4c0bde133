import { z } from 'zod';
import { didYouMean } from './did-you-mean.ts';
import { defineTool } from './tool.ts';

export const vaultMove = defineTool({
  name: 'vault_move',
  description: 'Move or rename a note; links to it follow. Only when asked to.',
  input: z.object({
    path: z.string().min(1).max(500),
    newPath: z.string().min(1).max(500),
  }),
  sideEffect: true,
  async run({ path, newPath }, { projectId, vault }) {
    const outcome = await vault.move(projectId, path, newPath);
    switch (outcome.type) {
      case 'missing':
        throw new Error(
          `There is no note at "${path}". ${didYouMean(outcome.nearest, 'Use vault_list or vault_search.')}`,
        );
      case 'taken':
        throw new Error(`There is a note at "${outcome.current.path}" already. Choose another path.`);
      case 'invalid':
        throw new Error(outcome.problems.map(({ message }) => message).join(' '));
      case 'moved': {
        const { note, from, notesRewritten, linksRewritten } = outcome;
        return { path: note.path, from, title: note.title, notesRewritten, linksRewritten };
      }
    }
  },
});
