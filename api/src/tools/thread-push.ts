import { z } from 'zod';
import { entryKinds } from '../threads/threads.ts';
import { defineTool } from './tool.ts';

export const threadPush = defineTool({
  name: 'thread_push',
  description: 'Add an entry to a thread, a new one if need be. Only when asked to.',
  input: z.object({
    thread: z.string().min(1).max(300).describe('Its title.'),
    kind: z.enum(entryKinds),
    text: z.string().min(1),
  }),
  sideEffect: true,
  async run({ thread: title, kind, text }, { projectId, runId, threads }) {
    const outcome = await threads.append(projectId, { title, kind, text, runId });
    if (outcome.type === 'invalid') throw new Error(outcome.problems.map(({ message }) => message).join(' '));
    if (outcome.type === 'missing') throw new Error('The thread was removed in this very moment. Try again.');
    return { thread: outcome.thread.title, number: outcome.entry.number, kind };
  },
});
