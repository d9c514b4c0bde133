import { z } from 'zod';
import { defineTool } from './tool.ts';

export const threadList = defineTool({
  name: 'thread_list',
  description: 'List threads of thoughts and decisions, latest first.',
  input: z.object({ limit: z.int().min(1).max(50).default(20) }),
  async run({ limit }, { projectId, threads }) {
    const { threads: listed, total } = await threads.list(projectId, limit);
    return {
      threads: listed.map(({ title, entryCount, updatedAt }) => ({ title, entryCount, updatedAt })),
      ...(total > listed.length ? { note: `There are ${total} threads in all. Use thread_seek.` } : {}),
    };
  },
});
