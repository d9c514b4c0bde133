import type { Notice } from '../agent/chunk.ts';
import type { ToolRegistry } from './registry.ts';

/** What one run may use, and what its person should know about it. */
export interface RunTools {
  readonly tools: ToolRegistry;
  readonly notices: readonly Notice[];
}

/** Finds the tools of a person's run when it begins. Never rejects, and is quick once the signal is aborted. */
export type ToolsFor = (userId: string, signal: AbortSignal) => Promise<RunTools>;
