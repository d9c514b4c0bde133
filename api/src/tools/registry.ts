import type { JsonSchema, Tool } from './tool.ts';

/** What a model is told about a tool. */
export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** The tools of a run. */
export interface ToolRegistry {
  readonly names: readonly string[];
  readonly declarations: readonly ToolDeclaration[];
  find(name: string): Tool | undefined;
}

export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (byName.has(tool.name)) throw new Error(`Two tools are called "${tool.name}".`);
    byName.set(tool.name, tool);
  }
  return {
    names: [...byName.keys()],
    declarations: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    find: (name) => byName.get(name),
  };
}
