import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../agent/json.ts';
import type { JsonSchema } from '../tools/tool.ts';

/** What a server says about one of its tools. Not to be trusted: an administrator approves it word for word. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly annotations: { readonly [key: string]: Json };
  /** Of all of the above: another one means that something changed. */
  readonly fingerprint: string;
}

export interface ListedTools {
  readonly tools: readonly ToolDefinition[];
  /** Sentences about tools that cannot be used. */
  readonly warnings: readonly string[];
}

const mostTools = 200;
const longestDefinition = 50_000;
const usableName = /^[\x21-\x7e]{1,128}$/;

/** The tools of a server's answer, within bounds: a server must not fill memory or database with its list. */
export function readListedTools(listed: readonly unknown[]): ListedTools {
  const tools = new Map<string, ToolDefinition>();
  const warnings: string[] = [];
  for (const entry of listed.slice(0, mostTools)) {
    const tool = readTool(entry);
    if (typeof tool === 'string') warnings.push(tool);
    else if (tools.has(tool.name)) warnings.push(`Left out: a second tool called ${tool.name}.`);
    else tools.set(tool.name, tool);
  }
  if (listed.length > mostTools)
    warnings.push(`Left out: ${listed.length - mostTools} tools, because only ${mostTools} of a server are used.`);
  return { tools: [...tools.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1)), warnings };
}

function readTool(entry: unknown): ToolDefinition | string {
  const text = JSON.stringify(entry) ?? 'null';
  const tool = JSON.parse(text) as Partial<Record<string, Json>> | null;
  const { name, title, description, inputSchema, annotations } = tool ?? {};
  if (typeof name !== 'string' || !usableName.test(name)) return 'Left out: a tool whose name cannot be used.';
  if (text.length > longestDefinition)
    return `Left out: ${name}, because what it says about itself is longer than ${longestDefinition} characters.`;
  const said = {
    name,
    title: typeof title === 'string' ? title : undefined,
    description: typeof description === 'string' ? description : '',
    inputSchema: isObject(inputSchema) ? inputSchema : { type: 'object' },
    annotations: isObject(annotations) ? annotations : {},
  };
  return { ...said, fingerprint: fingerprintOf(said) };
}

function fingerprintOf({ title, ...said }: Omit<ToolDefinition, 'fingerprint'>): string {
  return createHash('sha256')
    .update(canonicalJson({ ...said, title: title ?? null }))
    .digest('hex');
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
