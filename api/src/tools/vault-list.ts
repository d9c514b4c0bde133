import { z } from 'zod';
import { defineTool } from './tool.ts';

export const vaultList = defineTool({
  name: 'vault_list',
  description: 'List the notes and subfolders of a folder.',
  input: z.object({
    folder: z.string().max(500).default('').describe('Empty for the top.'),
  }),
  async run({ folder }, { projectId, vault, describe }) {
    const listing = await vault.list(projectId, folder);
    if (listing.total === 0 && listing.folder !== '')
      throw new Error(`There is no folder "${folder}". List the top with an empty folder.`);
    const { folders, total, more } = listing;
    describe({ kind: 'files', paths: listing.notes.map(({ path }) => path) });
    return {
      folder: listing.folder,
      notesInAll: total,
      folders: folders.map(({ path, notes }) => ({ path, notes })),
      notes: listing.notes.map(({ path, title }) => ({ path, title })),
      ...(more ? { note: 'There is more than is listed here. Use vault_search.' } : {}),
    };
  },
});
