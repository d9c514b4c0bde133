import type { ChunkBody, Notice } from '../agent/chunk.ts';
import type { AgentConfig } from '../agent/config.ts';
import type { DecisionTree } from '../agent/decision-tree.ts';
import type { Ending, UnfinishedTool } from '../agent/ending.ts';
import type { AgentState } from '../agent/state.ts';
import type { Decision } from '../agent/steps.ts';
import type { ToolOutcome } from '../agent/tool-call.ts';
import type { RunEvents, RunView } from '../events/run-events.ts';
import type { Hear, ModelMessage, ModelRequest, ToolDeclaration } from '../models/model-port.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { Source, ToolScope } from '../tools/tool.ts';
import type { LateTimer } from './late-timer.ts';
import type { LibrarianPorts } from './librarian/librarian-port.ts';
import type { EarlierWork, Resumption } from './resume.ts';

/** One earlier question and answer, as the model is reminded of it. */
export interface PastExchange {
  readonly question: string;
  readonly answer: string;
  readonly partial: boolean;
}

/** What was said before the question. */
export interface History {
  readonly exchanges: readonly PastExchange[];
  /** Since the last of them ended. */
  readonly idleSeconds?: number | undefined;
}

/** What is known before the first turn. */
export interface RunRequest {
  readonly runId: string;
  readonly userId: string;
  readonly projectId: string;
  readonly question: string;
  readonly config: AgentConfig;
  readonly thinking: boolean;
  readonly windowSize: number;
  /** In place of the usual ones. */
  readonly instructions?: string;
  /** Present when a run has started this one for itself. */
  readonly subAgent?: RunView['subAgent'];
}

/** What a run leaves behind, whatever ended it. */
export interface RunResult {
  readonly ending: Ending;
  readonly answer: string;
  readonly toolCalls: readonly SavedToolCall[];
  readonly sources: readonly Source[];
}

export interface SavedToolCall {
  readonly turn: number;
  readonly outcome: ToolOutcome;
  readonly durationMs: number;
}

/** The DoneChunk is not the runner's: the log writes it when it stores the ending. */
export type EmittedChunk = Exclude<ChunkBody, { readonly type: 'DoneChunk' }>;

/** Everything that reaches outside. The runner imports none of it, so that another engine can bring its own. */
export interface RunPorts {
  readonly tree: DecisionTree;
  callModel(request: ModelRequest, hear: Hear): Promise<void>;
  readonly tools: ToolRegistry;
  /** Said at the start: tools that the run should have had. */
  readonly missingTools?: readonly Notice[];
  readonly toolScope: ToolScope;
  /** Without one, results go to the model as they are. */
  readonly librarian?: LibrarianPorts | undefined;
  loadHistory(): Promise<History>;
  /** Present when the run goes on with what earlier runs on the same question left. */
  readonly resumed?: { readonly resumption: Resumption; load(): Promise<readonly EarlierWork[]> };
  /** The bus of this run, and those who turn what happens into notices. */
  openEvents(view: RunView): RunEvents;
  /** Puts a chunk into the run's log; it is stored and delivered from there. */
  emit(body: EmittedChunk): void;
  /** Something to wait for while too much is waiting to be stored; usually nothing. */
  pause(): Promise<void> | undefined;
  recordDecision(decision: Decision): void;
  /** Something of ours went wrong; for the log, not for the person. */
  reportFailure(error: unknown): void;
  estimateTokens(text: string): number;
  /** Milliseconds, never running backwards. */
  now(): number;
  /** Freeze the state, so that a stray write throws. Meant for development. */
  readonly frozen: boolean;
}

export type StopCause = 'cancelled' | 'timeout' | 'shutdown';

/**
 * One run on its way: what its steps read and write. Everything that decides is in `state`, which only `advance`
 * changes; the rest is what has been said and found so far.
 */
export interface RunContext {
  readonly request: RunRequest;
  readonly ports: RunPorts;
  deadline: number;
  /** What waits for it. */
  timers: readonly LateTimer[];
  /** Aborted with a StopCause as its reason. */
  readonly stop: AbortController;
  /** Everything that happens is emitted here; what the person and the model are told comes of it. */
  readonly events: RunEvents;
  declarations: readonly ToolDeclaration[];
  state: AgentState;
  readonly messages: ModelMessage[];
  /** Estimated tokens of each message, in the same order. */
  readonly sizes: number[];
  /** How many earlier exchanges stand at the beginning, after the instructions. */
  pastExchanges: number;
  /** Estimated tokens of `messages` and the tools, corrected by what the provider reports. */
  promptTokens: number;
  /** Of these, what declaring the tools takes. */
  toolTokens: number;
  reportedContext: number;
  answer: string;
  /** Whether there is more in it than space. Kept beside it, because looking at a long answer takes long. */
  answered: boolean;
  readonly toolCalls: SavedToolCall[];
  readonly sources: Source[];
  readonly unfinishedTools: UnfinishedTool[];
  /** Tokens of the budget that are set aside for sub-agents at work. */
  reservedTokens: number;
  /** Sub-agents that were started so far. */
  delegations: number;
  /** How the model failed for good; told at the end, should that be what ended the run. */
  failure?: Extract<EmittedChunk, { readonly type: 'ErrorChunk' }>;
}
