import { z } from 'zod';
import { defineTool } from './tool.ts';

export const vaultWrite = defineTool({
  name: 'vault_write',
  description: 'Create a note, or replace it whole. Only when asked to.',
  input: z.object({
    path: z.string().min(1).max(500).describe('Such as decisions/caching.md.'),
    body: z.string().describe('All of the Markdown.'),
  }),
  idempotent: true,
  sideEffect: true,
  async run({ path, body }, { projectId, vault }) {
    const outcome = await vault.write(projectId, { path, body });
    if (outcome.type === 'invalid') throw new Error(outcome.problems.map(({ message }) => message).join(' '));
    if (outcome.type === 'conflict') throw new Error('The note was changed or removed in this very moment. Try again.');
    return { path: outcome.note.path, title: outcome.note.title, status: outcome.type };
  },
});
