import type { ChunkBody } from '../../agent/chunk.ts';
import { DefaultDecisionTree } from '../../agent/default-tree.ts';
import type { Hear } from '../../models/model-port.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { ToolScope } from '../../tools/tool.ts';
import type { EmittedChunk, RunContext, RunResult } from '../run-context.ts';
import type { StartRun } from '../run-query.ts';
import { Allowance } from './allowance.ts';
import type { LibrarianPorts } from './librarian-port.ts';

export const agentName = 'librarian';
export const mostTurns = 5;

export interface SubRun {
  readonly instructions: string;
  readonly question: string;
  readonly tools: ToolRegistry;
  /** Tokens it may spend of the run's. */
  readonly tokens: number;
  readonly signal: AbortSignal;
  /** The call of the run that it works for. */
  readonly callId: string;
}

/**
 * Runs a sub-agent to its end, on the same runner and within what its run has left of time and tokens. It stops with the
 * signal. Of what it does, its turns and tool calls are shown; its words are not, for what is shown is stored, and what
 * is unfinished must not be.
 */
export async function runSubAgent(
  run: RunContext,
  librarian: LibrarianPorts,
  startRun: StartRun,
  { instructions, question, tools, tokens, signal, callId }: SubRun,
): Promise<RunResult> {
  const { ports, request } = run;
  const number = ++run.delegations;
  const allowance = new Allowance(run, tokens);
  const secondsLeft = (run.deadline - ports.now()) / 1_000;
  const config = {
    ...run.state.config,
    maxIterations: mostTurns,
    tokenBudget: tokens,
    timeoutSeconds: Math.max(0, Math.min(librarian.timeoutSeconds, secondsLeft)),
  };
  const sub = startRun(
    {
      ...request,
      question,
      instructions,
      config,
      thinking: false,
      windowSize: librarian.windowSize,
      subAgent: { name: agentName, within: callId },
    },
    {
      toolScope: withoutReminders(ports.toolScope),
      pause: () => ports.pause(),
      reportFailure: (error) => ports.reportFailure(error),
      estimateTokens: (text) => ports.estimateTokens(text),
      now: () => ports.now(),
      frozen: ports.frozen,
      tree: new DefaultDecisionTree(config),
      callModel: (asked, hear) => librarian.callModel(asked, charged(hear, allowance)),
      tools,
      loadHistory: async () => ({ exchanges: [] }),
      openEvents: (view) => ports.openEvents(view),
      emit: (body) => {
        const shown = shownOf(body, number);
        if (shown) ports.emit(shown);
      },
      recordDecision: ({ verdict, turn }) => {
        if (verdict.continue && turn > 0) tell(run, `The Librarian goes on: turn ${turn + 1} of ${mostTurns}.`);
      },
    },
  );
  const stop = () => sub.stop('cancelled');
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const result = await sub.result;
  signal.removeEventListener('abort', stop);
  allowance.settle(result.ending.usage);
  return result;
}

/** Something the person should know about the sub-agent. */
export function tell(run: RunContext, message: string): void {
  if (run.stop.signal.aborted) return;
  const notice = { systemType: 'NOTIFICATION', severity: 'INFO', message } as const;
  run.events.emit('librarian.progress', { ...notice, agent: agentName });
}

/** A reminder would come to the wrong one. */
function withoutReminders({ notifySelf, ...scope }: ToolScope): ToolScope {
  return scope;
}

function charged(hear: Hear, allowance: Allowance): Hear {
  return (event) => {
    if (event.type === 'usage') allowance.spend(event.usage);
    return hear(event);
  };
}

/** Ids of its own, for several agents may give the same. */
function shownOf(body: ChunkBody, number: number): EmittedChunk | undefined {
  if (body.type !== 'ToolCallChunk' && body.type !== 'ToolResultChunk') return undefined;
  return { ...body, callId: `${agentName}-${number}:${body.callId}`, agent: agentName };
}
