import { z } from 'zod';
import { createToolRegistry } from '../src/tools/registry.ts';
import { defineTool } from '../src/tools/tool.ts';

/** One run of the benchmark: so many turns, each with so many deltas and one tool call, then a short answer. */
export const turns = 15;
export const deltasPerTurn = 31;
export const deltaText = 'a word or two ';

/** Answers at once and differently each time, so that nothing but the loop and the delivery is measured. */
export const benchTools = createToolRegistry([
  defineTool({
    name: 'look',
    description: 'Looks at a page.',
    input: z.object({ page: z.number() }),
    run: async ({ page }) => `page ${page}`,
  }),
]);
