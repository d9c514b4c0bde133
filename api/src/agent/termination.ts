import { stalledTurns, turnsInVain } from './progress.ts';
import { smallestAnswer } from './reservation.ts';
import { type AgentState, elapsedMs, tokensSoFar, turnsStarted } from './state.ts';

export type TerminationReason =
  | 'CANCELLED'
  | 'COMPLETED'
  | 'MAX_ITERATIONS'
  | 'TOKEN_BUDGET'
  | 'TIMEOUT'
  | 'NO_PROGRESS'
  | 'ERROR_LIMIT'
  | 'MODEL_ERROR'
  | 'INTERRUPTED';

interface Measurement {
  readonly value: number;
  readonly limit: number;
  readonly fired: boolean;
}

/** How one condition stood when it was asked. */
export interface Evaluation extends Measurement {
  readonly reason: TerminationReason;
}

export interface Condition {
  readonly reason: TerminationReason;
  /** Holds for every tree: a person's limits, and facts that leave nothing to continue. */
  readonly binding: boolean;
  readonly measure: (state: AgentState) => Measurement;
}

export type Verdict =
  | { readonly continue: true }
  | { readonly continue: false; readonly reason: TerminationReason; readonly detail: StopDetail };

export interface StopDetail {
  readonly value?: number;
  readonly limit?: number;
}

const cancelled: Condition = {
  reason: 'CANCELLED',
  binding: true,
  measure: (state) => fact(state.cancelled),
};

/** Decided by the calls present, not by the finish reason, which providers get wrong. The value counts those calls. */
const completed: Condition = {
  reason: 'COMPLETED',
  binding: false,
  measure: (state) => {
    const reply = state.lastReply?.turn === turnsStarted(state) ? state.lastReply : undefined;
    const value = reply?.toolCalls.length ?? 0;
    return { value, limit: 0, fired: reply?.finished === true && value === 0 };
  },
};

const maxIterations: Condition = {
  reason: 'MAX_ITERATIONS',
  binding: true,
  measure: (state) => reached(state.turn, state.config.maxIterations),
};

/** Once the coming request is known, the value includes it: a call that cannot fit is not made. */
const tokenBudget: Condition = {
  reason: 'TOKEN_BUDGET',
  binding: true,
  measure: (state) => {
    const used = tokensSoFar(state);
    const limit = state.config.tokenBudget;
    const coming = state.expectedInput === undefined || state.turnOpen ? 0 : state.expectedInput + smallestAnswer;
    return { value: used + coming, limit, fired: used >= limit || used + coming > limit };
  },
};

const timeout: Condition = {
  reason: 'TIMEOUT',
  binding: true,
  measure: (state) => reached(elapsedMs(state) / 1000, state.config.timeoutSeconds),
};

const noProgress: Condition = {
  reason: 'NO_PROGRESS',
  binding: false,
  measure: (state) => reached(stalledTurns(state).turns, turnsInVain),
};

const errorLimit: Condition = {
  reason: 'ERROR_LIMIT',
  binding: false,
  measure: (state) => reached(state.errorStreak, turnsInVain),
};

const modelError: Condition = {
  reason: 'MODEL_ERROR',
  binding: true,
  measure: (state) => fact(state.modelError !== undefined),
};

const interrupted: Condition = {
  reason: 'INTERRUPTED',
  binding: true,
  measure: (state) => fact(state.interrupted),
};

/** Highest priority first. An answer given on the last allowed turn still counts as completed. */
export const conditions: readonly Condition[] = [
  cancelled,
  completed,
  maxIterations,
  tokenBudget,
  timeout,
  noProgress,
  errorLimit,
  modelError,
  interrupted,
];

/** The evaluations of the state that was asked about last: a tree asks first, then whoever records the decision. */
let latest: { readonly of: AgentState; readonly evaluations: readonly Evaluation[] } | undefined;

/** All of them are evaluated, whatever the first says, so that a trace can answer "why not earlier?". */
export function evaluate(state: AgentState): readonly Evaluation[] {
  if (latest?.of !== state) latest = { of: state, evaluations: evaluateAnew(state, conditions) };
  return latest.evaluations;
}

function evaluateAnew(state: AgentState, considered: readonly Condition[]): readonly Evaluation[] {
  const evaluations: Evaluation[] = [];
  for (const { reason, measure } of considered) {
    const { value, limit, fired } = measure(state);
    evaluations.push({ reason, value, limit, fired });
  }
  return evaluations;
}

/** The first condition that holds decides. */
export function judge(state: AgentState, considered: readonly Condition[] = conditions): Verdict {
  const evaluations = considered === conditions ? evaluate(state) : evaluateAnew(state, considered);
  for (const evaluation of evaluations) if (evaluation.fired) return stopFor(evaluation);
  return goOn;
}

const goOn: Verdict = Object.freeze({ continue: true });

export function stopFor({ reason, value, limit }: Evaluation): Verdict {
  return { continue: false, reason, detail: { value, limit } };
}

function fact(holds: boolean): Measurement {
  return reached(holds ? 1 : 0, 1);
}

function reached(value: number, limit: number): Measurement {
  return { value, limit, fired: value >= limit };
}
