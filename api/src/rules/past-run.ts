import type { Chunk } from '../agent/chunk.ts';
import type { AgentConfig } from '../agent/config.ts';
import type { Ending } from '../agent/ending.ts';
import type { Json } from '../agent/json.ts';
import { smallestAnswer } from '../agent/reservation.ts';
import type { Decision } from '../agent/steps.ts';
import type { TerminationReason } from '../agent/termination.ts';
import { totalTokens } from '../agent/usage.ts';
import { resultTokens } from './result-tokens.ts';
import type { Trigger } from './rule.ts';
import type { PastTool, RuleFacts, ToolFact } from './vocabulary.ts';

/** What is stored of a run that rules can be tried on. */
export interface PastRun {
  readonly id: string;
  readonly userId: string;
  readonly role: string;
  readonly projectId: string;
  readonly projectName: string;
  readonly question: string;
  readonly model: string;
  readonly decisionTree: string;
  readonly config: AgentConfig;
  readonly startedAt: Date;
  readonly ending: Ending | null;
  /** Its own tool calls, their results and the sizes of its requests, in order. */
  readonly chunks: readonly Chunk[];
  /** Older ones do not tell the tokens. */
  readonly decisions: readonly PastDecision[];
  estimateTokens(text: string): number;
}

type PastDecision = Omit<Decision, 'tokens'> & Partial<Pick<Decision, 'tokens'>>;

/** What a rule that is being tried has done so far. */
export interface OwnEffects {
  readonly state: RuleFacts['state'];
  readonly limits: Partial<AgentConfig>;
}

/** A moment at which rules would have been asked, and what they would have seen. */
export interface PastMoment {
  readonly trigger: Trigger;
  readonly turn: number;
  facts(own: OwnEffects): RuleFacts;
}

/**
 * A run of before events were logged, as its rules would have seen it: the decisions tell how turns, tokens and time
 * stood, the chunks what the tools did. Messages are counted within the run.
 */
export function pastMoments(run: PastRun): readonly PastMoment[] {
  return new Retelling(run).moments();
}

class Retelling {
  readonly #run: PastRun;
  readonly #moments: PastMoment[] = [];
  readonly #tools: PastTool[] = [];
  readonly #calls = new Map<string, { readonly name: string; readonly input: Json; readonly turn: number }>();
  #context = { tokens: 0, window: 1, share: 0 };
  #failures = 0;
  #answered = 0;
  #turn = 0;
  #elapsed = 0;
  #decision: PastDecision | undefined;

  constructor(run: PastRun) {
    this.#run = run;
  }

  moments(): readonly PastMoment[] {
    const { chunks, decisions, ending } = this.#run;
    const waiting = [...chunks];
    this.#add('QUERY_START', 'query.start');
    for (const decision of decisions) {
      // What the turn before this decision did.
      while (waiting[0] && turnOf(waiting[0], this.#calls) <= decision.turn) this.#hear(waiting.shift());
      this.#decision = decision;
      this.#elapsed = Math.max(this.#elapsed, this.#measured('TIMEOUT').value);
      if (decision.turn > 0 && decision.turn === this.#turn) this.#add('TURN_END', 'agent.turn.end');
      if (!decision.verdict.continue) break;
      this.#turn = decision.turn + 1;
      this.#add('TURN_START', 'agent.turn.start');
    }
    for (const chunk of waiting) this.#hear(chunk);
    if (ending) {
      this.#turn = ending.turns;
      const { reason, turns, usage, durationMs } = ending;
      const tokens = totalTokens(usage);
      this.#add('SESSION_END', 'session.end', { ending: { reason, turns, tokens, seconds: durationMs / 1_000 } });
    }
    return this.#moments;
  }

  #hear(chunk: Chunk | undefined): void {
    if (!chunk || chunk.agent !== undefined) return;
    this.#elapsed = Math.max(this.#elapsed, (Date.parse(chunk.at) - this.#run.startedAt.getTime()) / 1_000);
    if (chunk.type === 'ContextChunk') {
      const { tokens, windowSize } = chunk;
      this.#context = { tokens, window: windowSize, share: tokens / Math.max(1, windowSize) };
    }
    if (chunk.type === 'ToolCallChunk' && chunk.status === 'PENDING') {
      this.#calls.set(chunk.callId, { name: chunk.name, input: chunk.arguments, turn: chunk.turn });
      this.#add('TOOL_CALL', 'tool.call.pending', { tool: this.#tool(chunk.callId, chunk.name) });
    }
    if (chunk.type === 'ToolCallChunk' && chunk.status === 'NOT_RUN') this.#calls.delete(chunk.callId);
    if (chunk.type === 'ToolResultChunk') this.#answer(chunk);
  }

  #answer({ callId, name, ok, result, error = '', durationMs }: Extract<Chunk, { type: 'ToolResultChunk' }>): void {
    const call = this.#calls.get(callId);
    if (!call) return; // not run
    this.#answered += 1;
    if (!ok) this.#failures += 1;
    this.#tools.push({ name, ok, error, turn: call.turn, durationMs });
    const tool = this.#tool(callId, name, { ok, result, error, durationMs });
    this.#add(ok ? 'TOOL_COMPLETE' : 'TOOL_FAILURE', ok ? 'tool.call.success' : 'tool.call.failure', { tool });
  }

  #tool(
    callId: string,
    name: string,
    answer: { ok?: boolean; result?: Json | undefined; error?: string; durationMs?: number } = {},
  ): ToolFact {
    const input = this.#calls.get(callId)?.input;
    const { ok = false, result = '', error = '', durationMs = 0 } = answer;
    const text = typeof result === 'string' ? result : JSON.stringify(result);
    const isRecord = typeof input === 'object' && input !== null && !Array.isArray(input);
    return {
      name,
      arguments: isRecord ? (input as Readonly<Record<string, Json>>) : {},
      ok,
      result: text,
      resultTokens: resultTokens(text, this.#run),
      error,
      durationMs,
    };
  }

  #measured(reason: TerminationReason): { readonly value: number; readonly limit: number } {
    return this.#decision?.evaluations.find((it) => it.reason === reason) ?? { value: 0, limit: 0 };
  }

  /** What was used; where that was not noted, the budget's measure less the coming request, by its last size. */
  #tokens(): RuleFacts['tokens'] {
    const { value, limit } = this.#measured('TOKEN_BUDGET');
    const coming = this.#context.tokens === 0 ? 0 : this.#context.tokens + smallestAnswer;
    const used = this.#decision?.tokens ?? Math.max(0, value - coming);
    const budget = limit || this.#run.config.tokenBudget;
    return { used, input: used, output: 0, budget, left: Math.max(0, budget - used), share: used / budget };
  }

  #add(trigger: Trigger, name: string, more: Partial<RuleFacts> = {}): void {
    const { id, userId, role, projectId, projectName, question, model, decisionTree, config } = this.#run;
    const limits = {
      ...config,
      maxIterations: this.#measured('MAX_ITERATIONS').limit || config.maxIterations,
      tokenBudget: this.#measured('TOKEN_BUDGET').limit || config.tokenBudget,
      timeoutSeconds: this.#measured('TIMEOUT').limit || config.timeoutSeconds,
    };
    const facts: RuleFacts = {
      turn: this.#turn,
      elapsed: this.#elapsed,
      question,
      tokens: this.#tokens(),
      context: this.#context,
      limits,
      history: {
        messages: 2 + 2 * Math.max(0, this.#turn - 1),
        toolCalls: this.#answered,
        failures: this.#failures,
        repeats: this.#measured('NO_PROGRESS').value,
        errorStreak: this.#measured('ERROR_LIMIT').value,
        tools: [...this.#tools],
      },
      run: { id, model, decisionTree },
      user: { id: userId, role },
      project: { id: projectId, name: projectName },
      state: {},
      event: { name, severity: 'INFO', payload: {} },
      ...more,
    };
    this.#moments.push({ trigger, turn: this.#turn, facts: (own) => withEffects(facts, own) });
  }
}

/** As a rule would see the facts after what it did. */
export function withEffects(facts: RuleFacts, { state, limits }: OwnEffects): RuleFacts {
  return { ...facts, state: { ...facts.state, ...state }, limits: { ...facts.limits, ...limits } };
}

/** The turn in which a chunk came; what belongs to none comes as soon as it can. */
function turnOf(chunk: Chunk, calls: ReadonlyMap<string, { readonly turn: number }>): number {
  if (chunk.type === 'ToolCallChunk') return chunk.turn;
  return chunk.type === 'ToolResultChunk' ? (calls.get(chunk.callId)?.turn ?? 0) : 0;
}
