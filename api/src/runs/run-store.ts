import type { AgentConfig } from '../agent/config.ts';
import type { Ending } from '../agent/ending.ts';
import type { Decision } from '../agent/steps.ts';
import type { TerminationReason } from '../agent/termination.ts';
import type { Page, PageRequest } from '../store/page.ts';
import type { ExchangeSource, ExchangeToolCall } from './exchange-record.ts';

export interface NewRun {
  readonly userId: string;
  readonly question: string;
  /** Without it, a new conversation starts. */
  readonly conversationId?: string | undefined;
  /** Branch from this exchange instead of HEAD. */
  readonly nodeId?: string | undefined;
  /** The caller has checked that it is the user's. */
  readonly projectId?: string | undefined;
  readonly model: string;
  readonly decisionTree: string;
  readonly config: AgentConfig;
  readonly idempotencyKey?: string | undefined;
  /** How many runs of this user may run at once. */
  readonly mostAtOnce: number;
}

export interface StartedRun {
  readonly runId: string;
  readonly conversationId: string;
  readonly nodeId: string;
  /** The exchange this one follows; its path is the history. */
  readonly parentId: string | null;
  readonly projectId: string | null;
}

export type CreateOutcome =
  | ({ readonly type: 'started' } & StartedRun)
  /** The same user sent the same key before: that run. */
  | ({ readonly type: 'joined' } & StartedRun)
  | { readonly type: 'busy'; readonly runId: string }
  | { readonly type: 'too-many'; readonly limit: number }
  /** Missing, or somebody else's. */
  | { readonly type: 'not-found'; readonly what: 'conversation' | 'node' };

export interface RunRecord {
  readonly id: string;
  readonly userId: string;
  readonly conversationId: string;
  readonly nodeId: string;
  readonly projectId: string | null;
  readonly question: string;
  readonly model: string;
  readonly decisionTree: string;
  readonly config: AgentConfig;
  readonly status: 'RUNNING' | 'ENDED';
  readonly reason: TerminationReason | null;
  readonly ending: Ending | null;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

export interface RunFilter {
  readonly userId?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly reason?: readonly TerminationReason[] | undefined;
  readonly status?: 'RUNNING' | 'ENDED' | undefined;
}

export interface ConversationRecord {
  readonly id: string;
  readonly userId: string;
  readonly projectId: string | null;
  readonly title: string;
  readonly headId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface ExchangeRecord {
  readonly id: string;
  readonly conversationId: string;
  readonly parentId: string | null;
  readonly runId: string;
  readonly question: string;
  /** While the run is under way: what has been stored so far. */
  readonly answer: string;
  readonly partial: boolean;
  readonly label: string | null;
  readonly checkpoint: boolean;
  readonly toolCalls: readonly ExchangeToolCall[];
  readonly sources: readonly ExchangeSource[];
  /** Usage is part of it. Null while the run is under way. */
  readonly ending: Ending | null;
  readonly createdAt: Date;
}

/** Nothing here knows who is asking: callers compare `userId` and answer foreign ids like missing ones. */
export interface RunStore {
  create(run: NewRun): Promise<CreateOutcome>;
  find(runId: string): Promise<RunRecord | undefined>;
  list(request: PageRequest & { readonly filter: RunFilter }): Promise<Page<RunRecord>>;
  /** How far the stored log goes. */
  lastSeqs(runIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  decisions(runId: string): Promise<readonly Decision[]>;
  answerSoFar(runId: string): Promise<string>;
  findConversation(id: string): Promise<ConversationRecord | undefined>;
  /** All exchanges of a conversation, oldest first. */
  nodes(conversationId: string): Promise<readonly ExchangeRecord[]>;
  /** The path from the root to this exchange, root first, at most the newest `limit`. */
  history(nodeId: string, limit: number): Promise<readonly ExchangeRecord[]>;
}
