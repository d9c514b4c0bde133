import { z } from 'zod';
import type { Json } from './json.ts';
import { closeTurn, noProgressYet, recordOutcome, stalledTurns, turnsInVain } from './progress.ts';
import { callSignature, type ToolOutcome } from './tool-call.ts';

/** A recorded run, as sequences of tool calls; the label says how it really turned out. */
export const TraceSchema = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  label: z.enum(['stuck', 'progress']).optional(),
  calls: z.array(
    z.object({
      turn: z.int(),
      name: z.string(),
      args: z.json().default(null),
      result_hash: z.json().default(null),
      is_error: z.boolean().default(false),
    }),
  ),
});

export type Trace = z.output<typeof TraceSchema>;

export interface TraceVerdict {
  readonly stopped: boolean;
  /** The turn after whose results the run would have ended. */
  readonly turn: number | null;
  readonly reason: 'NO_PROGRESS' | null;
}

/** One turn of a trace: its number and what its calls brought. */
export interface TraceTurn {
  readonly turn: number;
  readonly outcomes: readonly ToolOutcome[];
}

/**
 * Runs the detector over a recorded run. Only NO_PROGRESS counts as stopped: the other endings ask other questions
 * (a run of errors is ERROR_LIMIT, and may well be on its way to finding the mistake).
 */
export function detectStall(turns: readonly TraceTurn[]): TraceVerdict {
  let progress = noProgressYet;
  for (const { turn, outcomes } of turns) {
    progress = closeTurn(outcomes.reduce(recordOutcome, progress), outcomes);
    if (stalledTurns(progress).turns >= turnsInVain) return { stopped: true, turn, reason: 'NO_PROGRESS' };
  }
  return { stopped: false, turn: null, reason: null };
}

/** Calls with the same turn number belong together. A trace does not say which tools are repeatable; a caller may. */
export function turnsOf(trace: Trace, repeatable: ReadonlySet<string> = new Set()): readonly TraceTurn[] {
  const turns = new Map<number, ToolOutcome[]>();
  for (const [index, { turn, name, args, result_hash, is_error }] of trace.calls.entries()) {
    const call = { callId: String(index), name, arguments: parsedArguments(args), repeatable: repeatable.has(name) };
    const result = typeof result_hash === 'string' ? result_hash : JSON.stringify(result_hash);
    const outcomes = turns.get(turn) ?? [];
    outcomes.push(is_error ? { ...call, status: 'failed', error: result } : { ...call, status: 'succeeded', result });
    turns.set(turn, outcomes);
  }
  return [...turns].sort(([one], [other]) => one - other).map(([turn, outcomes]) => ({ turn, outcomes }));
}

/** The same key for turns that asked for the same calls. */
export function actionText({ outcomes }: TraceTurn): string {
  return [...new Set(outcomes.map(callSignature))].sort().join('\n');
}

/** Providers send arguments as text: two spellings of one object are the same arguments. */
function parsedArguments(args: Json): Json {
  if (typeof args !== 'string' || !/^\s*[{[]/.test(args)) return args;
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}
