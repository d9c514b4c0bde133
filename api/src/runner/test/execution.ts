import type { Json } from '../../agent/json.ts';
import { createToolRegistry, type ToolRegistry } from '../../tools/registry.ts';
import { noKnowledge } from '../../tools/test/no-knowledge.ts';
import type { Tool } from '../../tools/tool.ts';
import {
  type RequestedCall,
  type ToolExecution,
  type ToolExecutionResult,
  type ToolProgress,
  toolChunk,
} from '../tool-execution.ts';
import { executeTools } from '../tool-executor.ts';

export type Overrides = Partial<Pick<ToolExecution, 'limits' | 'offered' | 'signal' | 'deadline'>> & {
  readonly onProgress?: (progress: ToolProgress) => unknown;
};

type NamedCall = Omit<RequestedCall, 'callId'>;

export function call(name: string, input: Json = {}): NamedCall {
  return { name, arguments: input };
}

/** Runs the calls of a turn with everything that a test does not care about filled in. Ids are `name-place`. */
export async function execute(
  tools: ToolRegistry,
  calls: readonly NamedCall[],
  { onProgress, ...overrides }: Overrides = {},
): Promise<ToolExecutionResult & { readonly progress: readonly ToolProgress[] }> {
  const progress: ToolProgress[] = [];
  const result = await executeTools({
    calls: calls.map((named, place) => ({ ...named, callId: `${named.name}-${place}` })),
    tools,
    scope: { projectId: 'the-project', userId: 'the-user', ...noKnowledge },
    limits: { maxToolCallsPerTurn: 5, maxParallelTools: 3 },
    offered: true,
    signal: new AbortController().signal,
    deadline: performance.now() + 60_000,
    report(step) {
      progress.push(step);
      onProgress?.(step);
    },
    ...overrides,
  });
  return { ...result, progress };
}

export function run(tools: readonly Tool[], calls: readonly NamedCall[], overrides?: Overrides) {
  return execute(createToolRegistry(tools), calls, overrides);
}

/** What a person would see of one call. */
export function statuses(progress: readonly ToolProgress[], callId: string): readonly string[] {
  return progress.flatMap((step) => {
    const chunk = toolChunk(step, 1);
    if (chunk.type === 'ToolCallChunk' && chunk.callId === callId) return [chunk.status];
    if (chunk.type === 'ToolResultChunk' && chunk.callId === callId) return [chunk.ok ? 'ok' : 'failed'];
    return [];
  });
}
