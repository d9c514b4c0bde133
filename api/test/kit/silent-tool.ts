import { z } from 'zod';
import { builtInTools } from '../../src/tools/built-in-tools.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { defineTool } from '../../src/tools/tool.ts';

const silent = defineTool({
  name: 'silent',
  description: 'Never answers.',
  input: z.object({ n: z.int().optional() }),
  timeoutMs: 50,
  run: () => new Promise<never>(() => undefined),
});

/** The tools that every run has, and `silent`, whose time is up after a moment. */
export const withSilentTool = createToolRegistry([
  ...builtInTools.names.flatMap((name) => builtInTools.find(name) ?? []),
  silent,
]);
