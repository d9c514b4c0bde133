import { z } from 'zod';
import { defineTool, type Source, type Tool } from '../../tools/tool.ts';

export const echo = defineTool({
  name: 'echo',
  description: 'Answers with the text.',
  input: z.object({ text: z.string() }),
  run: async ({ text }) => text,
});

/** A tool without arguments that matter, which does what it is told. */
export function acting(name: string, run: Parameters<typeof defineTool>[0]['run'], options: Partial<Tool> = {}): Tool {
  return defineTool({ name, description: name, input: z.object({ n: z.number().optional() }), ...options, run });
}

export const hangs = (options: Partial<Tool> = {}) => acting('hangs', () => new Promise(() => undefined), options);

export function source(path: string): Source {
  return { kind: 'VAULT', path };
}
