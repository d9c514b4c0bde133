import type { Notice } from './chunk.ts';
import type { AgentConfig } from './config.ts';
import { deepFreeze } from './freeze.ts';
import type { Json } from './json.ts';
import { noProgressYet, type Progress } from './progress.ts';
import type { TerminationReason } from './termination.ts';
import type { ToolCall } from './tool-call.ts';
import { addUsage, noUsage, totalTokens, type Usage } from './usage.ts';

export interface Reply {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** False when it was cut off, by the output cap or by a stop: such a reply is no answer yet. */
  readonly finished: boolean;
}

/** What is said once per run. */
export type Warning = 'iterations' | 'tokens' | 'time' | 'loop' | 'context';

/**
 * Everything that is known about one run, as a plain value that JSON can hold. It changes only through `advance`.
 * Times are milliseconds on whatever clock the caller reads; nothing here reads one.
 */
export interface AgentState extends Progress {
  readonly userId: string;
  readonly projectId: string;
  readonly config: AgentConfig;
  /** Tokens that the model can hold at once, when that is known. */
  readonly windowSize: number | undefined;
  /** Turns completed. */
  readonly turn: number;
  /** A turn has started and not ended yet. */
  readonly turnOpen: boolean;
  /** What finished calls have used. */
  readonly tokensUsed: Usage;
  /** Estimate for the call in flight, replaced by what the provider reports. */
  readonly pendingUsage: Usage | undefined;
  /** Estimated prompt of the coming call, once it is known. */
  readonly expectedInput: number | undefined;
  readonly previousInput: number;
  readonly previousOutput: number;
  readonly startTime: number;
  readonly now: number;
  readonly cancelled: boolean;
  readonly modelError: string | undefined;
  readonly interrupted: boolean;
  /** With the number of the turn it belongs to. */
  readonly lastReply: (Reply & { readonly turn: number }) | undefined;
  readonly terminationReason: TerminationReason | undefined;
  /** For the person, to be shown before the coming call. */
  readonly notices: readonly Notice[];
  /** For the model, to be added to the coming request and never saved. */
  readonly hints: readonly string[];
  readonly warned: readonly Warning[];
  /** False on a wrap-up turn. */
  readonly toolsOffered: boolean;
  /** One value per namespace; read and written through `defineExtension`. */
  readonly extensions: Readonly<Record<string, Json>>;
}

export interface RunStart {
  readonly userId: string;
  readonly projectId: string;
  readonly config: AgentConfig;
  readonly now: number;
  readonly windowSize?: number;
  /** Freeze this state, and with it every later one, so that a stray write throws. Meant for development. */
  readonly frozen?: boolean;
}

export function initialState({ userId, projectId, config, now, windowSize, frozen = false }: RunStart): AgentState {
  const state: AgentState = {
    ...noProgressYet,
    userId,
    projectId,
    config,
    windowSize,
    turn: 0,
    turnOpen: false,
    tokensUsed: noUsage,
    pendingUsage: undefined,
    expectedInput: undefined,
    previousInput: 0,
    previousOutput: 0,
    startTime: now,
    now,
    cancelled: false,
    modelError: undefined,
    interrupted: false,
    lastReply: undefined,
    terminationReason: undefined,
    notices: [],
    hints: [],
    warned: [],
    toolsOffered: true,
    extensions: {},
  };
  return frozen ? deepFreeze(state) : state;
}

/** The number of the turn that is open or was the last to end. */
export function turnsStarted(state: AgentState): number {
  return state.turnOpen ? state.turn + 1 : state.turn;
}

/** With the estimate for the call in flight, if there is one. */
export function usageSoFar(state: AgentState): Usage {
  return state.pendingUsage === undefined ? state.tokensUsed : addUsage(state.tokensUsed, state.pendingUsage);
}

export function tokensSoFar(state: AgentState): number {
  return totalTokens(usageSoFar(state));
}

export function elapsedMs(state: AgentState): number {
  return state.now - state.startTime;
}
