import { callSignature, type ToolCall } from '../agent/tool-call.ts';
import { counted } from '../agent/words.ts';
import type { CheckedCall, Tool } from '../tools/tool.ts';
import { type RequestedCall, type ToolExecution, toolCallOf } from './tool-execution.ts';
import { errorMessage } from './tool-result.ts';

/** One distinct call that reaches its tool, and the calls that share its answer. */
export interface Job {
  readonly tool: Tool;
  readonly run: Extract<CheckedCall, { type: 'accepted' }>['run'];
  /** Of the first of them. */
  readonly callId: string;
  /** Places in the turn, lowest first. */
  readonly places: number[];
}

export type PlannedCall = { readonly call: ToolCall; readonly repeatable: boolean } & (
  | { readonly type: 'refused'; readonly error: string }
  | { readonly type: 'not-run'; readonly why: string }
  | { readonly type: 'runs'; readonly job: Job }
);

export interface Plan {
  readonly calls: readonly PlannedCall[];
  readonly jobs: readonly Job[];
  readonly overLimit: number;
}

const shownText = 200;
const notOffered = 'Not run: no tools are offered on this turn. Answer with what you have.';

/**
 * Decides what becomes of each call before any runs. Only distinct calls that reach a tool count against the limit:
 * a repeat costs nothing, and neither does a call that is refused.
 */
export function planCalls({
  calls,
  tools,
  limits,
  offered,
}: Pick<ToolExecution, 'calls' | 'tools' | 'limits' | 'offered'>): Plan {
  const jobs: Job[] = [];
  /** A lone call is like no other. */
  const bySignature = calls.length > 1 ? new Map<string, Job>() : undefined;
  let overLimit = 0;

  function plan(requested: RequestedCall, place: number): PlannedCall {
    const call = toolCallOf(requested);
    const tool = tools.find(call.name);
    const repeatable = tool?.repeatable ?? false;
    if (!offered) return { call, repeatable, type: 'not-run', why: notOffered };
    if (requested.arguments === undefined && typeof call.arguments === 'string')
      return { call, repeatable, type: 'refused', error: requested.problem ?? explainBadJson(requested) };
    if (!tool) return { call, repeatable, type: 'refused', error: explainUnknown(call.name, tools) };
    const signature = bySignature ? callSignature(call) : '';
    const same = bySignature?.get(signature);
    if (same) {
      same.places.push(place);
      return { call, repeatable, type: 'runs', job: same };
    }
    const checked = checkedBy(tool, call);
    if (checked.type === 'refused')
      return { call, repeatable, type: 'refused', error: explainArguments(call.name, checked.problems) };
    if (jobs.length >= limits.maxToolCallsPerTurn) {
      overLimit += 1;
      return { call, repeatable, type: 'not-run', why: explainLimit(limits.maxToolCallsPerTurn) };
    }
    const job: Job = { tool, run: checked.run, callId: call.callId, places: [place] };
    jobs.push(job);
    bySignature?.set(signature, job);
    return { call, repeatable, type: 'runs', job };
  }

  return { calls: calls.map(plan), jobs, overLimit };
}

/** A tool from elsewhere may fail at checking, too. */
function checkedBy(tool: Tool, call: ToolCall): CheckedCall {
  try {
    return tool.check(call.arguments);
  } catch (error) {
    return { type: 'refused', problems: [errorMessage(error)] };
  }
}

function explainBadJson({ name, rawArguments: written = '' }: RequestedCall): string {
  const shown = written.length <= shownText ? written : `${written.slice(0, shownText)}…`;
  return `The arguments of ${name.slice(0, shownText)} are not valid JSON (${complaint(written)}). Send one JSON object. You sent: ${shown}`;
}

function complaint(written: string): string {
  try {
    JSON.parse(written);
    return 'they could not be read';
  } catch (error) {
    return error instanceof Error ? error.message : 'they could not be read';
  }
}

function explainUnknown(name: string, tools: ToolExecution['tools']): string {
  const meant = tools.nearest(name);
  const guess = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `There is no tool called "${name.slice(0, shownText)}".${guess} The tools are: ${tools.names.join(', ')}.`;
}

function explainArguments(name: string, problems: readonly string[]): string {
  return `${name} was not run, because of its arguments. ${problems.join(' ')}`;
}

function explainLimit(most: number): string {
  return `Not run: at most ${counted(most, 'tool call')} per turn. Call it again on the next turn if you still need it.`;
}
