import type { ByAgent, Chunk } from '../agent/chunk.ts';
import type { AgentConfig } from '../agent/config.ts';
import { type Ending, endingOf } from '../agent/ending.ts';
import { initialState } from '../agent/state.ts';
import type { TerminationReason } from '../agent/termination.ts';
import type { ToolCall } from '../agent/tool-call.ts';
import { noUsage, type Usage, wholeTokens } from '../agent/usage.ts';
import type { RecordedDecision } from './log-reading.ts';
import { neverAnswered } from './missing-events.ts';
import type { AppendableBody } from './run-writer.ts';
import { Transcript } from './transcript.ts';

const interrupted = 'INTERRUPTED' satisfies TerminationReason;
const charactersPerToken = 4;
/** No run takes as long; a clock that was set in between may say so. */
const longestMs = 7 * 24 * 60 * 60 * 1_000;

/** What is known of a run besides its log. */
export interface BrokenRun {
  readonly userId: string;
  readonly projectId: string | null;
  readonly config: AgentConfig;
  readonly startedAt: Date;
  /** Somebody had asked for it to be stopped: that goes before everything else. */
  readonly cancelled: boolean;
  readonly decisions: readonly RecordedDecision[];
}

/** The log of a run whose server died, read from its beginning. Pure. */
export class BrokenLog {
  readonly transcript = new Transcript();
  lastSeq = 0;
  /** When the last chunk was written; before all time when there is none. */
  lastAt = Number.NEGATIVE_INFINITY;
  #characters = 0;
  #toolTurn = 0;
  #announced = false;
  /** The calls of a sub-agent that nobody has answered yet. */
  readonly #helping = new Map<string, Extract<Chunk, { readonly type: 'ToolCallChunk' }>>();

  add(chunk: Chunk): void {
    this.transcript.add(chunk);
    this.lastSeq = chunk.seq;
    this.lastAt = Date.parse(chunk.at);
    if (chunk.agent !== undefined) {
      if (chunk.type === 'ToolCallChunk' && chunk.status !== 'NOT_RUN') this.#helping.set(chunk.callId, chunk);
      else if (chunk.type === 'ToolCallChunk' || chunk.type === 'ToolResultChunk') this.#helping.delete(chunk.callId);
      return;
    }
    if (chunk.type === 'ContentChunk' || chunk.type === 'ThinkingChunk') this.#characters += chunk.text.length;
    if (chunk.type === 'ToolCallChunk') this.#toolTurn = Math.max(this.#toolTurn, chunk.turn);
    if (chunk.type === 'ErrorChunk' && chunk.code === interrupted) this.#announced = true;
  }

  /** What the log still lacks before its DoneChunk, and how the run ended. */
  close(run: BrokenRun): { readonly missing: readonly AppendableBody[]; readonly ending: Ending } {
    const { answer, toolCalls, sources, openCalls } = this.transcript;
    const reason = run.cancelled ? 'CANCELLED' : interrupted;
    const duration = this.lastAt - run.startedAt.getTime();
    const { userId, config } = run;
    const state = {
      ...initialState({ userId, projectId: run.projectId ?? '', config, now: 0 }),
      now: Math.min(Math.max(0, duration), longestMs),
      turn: this.#turns(run.decisions),
      tokensUsed: this.#usage(run.decisions),
    };
    const ending = endingOf(state, {
      reason,
      unfinishedTools: openCalls.map(({ callId, name }) => ({ callId, name, fate: 'unknown' })),
      saved: { contentCharacters: answer.length, toolCalls: toolCalls.length, sources: sources.length },
    });
    const error = { type: 'ErrorChunk', code: interrupted, message: ending.message, retryable: true } as const;
    const announcement = reason === interrupted && !this.#announced ? [error] : [];
    return { missing: [...[...this.#helping.values(), ...openCalls].map(unanswered), ...announcement], ending };
  }

  #turns(decisions: readonly RecordedDecision[]): number {
    const last = decisions.at(-1);
    return Math.max(this.#toolTurn, last === undefined ? 0 : last.turn + (last.verdict.continue ? 1 : 0));
  }

  /** The last decision knows what was used before the last call, and what that call would take at least. */
  #usage(decisions: readonly RecordedDecision[]): Usage {
    const budget = decisions.at(-1)?.evaluations.find(({ reason }) => reason === 'TOKEN_BUDGET');
    const outputTokens = wholeTokens(this.#characters / charactersPerToken);
    const inputTokens = wholeTokens(Math.round(budget?.value ?? 0) - outputTokens);
    return { ...noUsage, inputTokens, outputTokens, estimated: true };
  }
}

/** So that no reader waits for an answer that will never come. */
function unanswered({ callId, name, agent }: ByAgent & Pick<ToolCall, 'callId' | 'name'>): AppendableBody {
  const answer = { type: 'ToolResultChunk', callId, name, ok: false, error: neverAnswered, durationMs: 0 } as const;
  return agent === undefined ? answer : { ...answer, agent };
}
