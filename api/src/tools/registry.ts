import { nearest } from '../vault/nearest.ts';
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
  /** The tool that was probably meant. */
  nearest(name: string): string | undefined;
}

export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (byName.has(tool.name)) throw new Error(`Two tools are called "${tool.name}".`);
    byName.set(tool.name, tool);
  }
  const names = [...byName.keys()];
  return {
    names,
    declarations: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    find: (name) => byName.get(name),
    nearest: (name) => nearest(name, names, 1)[0],
  };
}
