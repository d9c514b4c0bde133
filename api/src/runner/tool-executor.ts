import type { ToolExecution, ToolExecutionResult } from './tool-execution.ts';

/**
 * Runs the tool calls of one turn. Never rejects: whatever a tool does, every call gets an answer, and no later than a
 * moment after the signal.
 */
export async function executeTools(execution: ToolExecution): Promise<ToolExecutionResult> {
  return { answers: [], unfinished: [], overLimit: execution.calls.length };
}
