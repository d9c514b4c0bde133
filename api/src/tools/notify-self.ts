import { z } from 'zod';
import { defineTool } from './tool.ts';

export const notifySelf = defineTool({
  name: 'notify_self',
  description: 'Remind yourself later: next turn, or when the given moment comes. persist: in the next session.',
  input: z.object({
    message: z.string().trim().min(1).max(500),
    category: z.string().trim().max(40).optional(),
    priority: z.enum(['CRITICAL', 'HIGH', 'NORMAL', 'LOW']).optional(),
    after_turns: z.int().min(1).max(50).optional().describe('with others: not before'),
    after_tool: z.string().max(64).optional(),
    context_above: z.number().min(1).max(100).optional().describe('%'),
    tokens_above: z.int().min(1).optional(),
    messages_above: z.int().min(1).optional(),
    persist: z.boolean().optional(),
  }),
  async run(given, { notifySelf: remind, callId }) {
    if (!remind) throw new Error('There is nobody to remind here.');
    const notice = {
      message: given.message,
      category: given.category ?? 'reminder',
      priority: given.priority ?? 'NORMAL',
      afterTurns: given.after_turns,
      afterTool: given.after_tool,
      contextAbove: given.context_above,
      tokensAbove: given.tokens_above,
      messagesAbove: given.messages_above,
      nextSession: given.persist === true && !hasMoment(given),
    };
    return remind(notice, callId);
  },
});

function hasMoment({ message, category, priority, persist, ...moments }: Readonly<Record<string, unknown>>): boolean {
  return Object.values(moments).some((moment) => moment !== undefined);
}
