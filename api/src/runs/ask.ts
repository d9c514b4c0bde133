import type { AgentConfig } from '../agent/config.ts';
import type { FieldProblem } from '../agent/settings.ts';
import type { ExchangeKind } from '../store/entities/exchange.ts';

/** One question with everything that may be said about how to answer it. */
export interface Question {
  readonly userId: string;
  readonly question: string;
  /** ASK unless it goes on with the run of the exchange that `nodeId` names. */
  readonly kind?: ExchangeKind | undefined;
  readonly conversationId?: string | undefined;
  readonly nodeId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly model?: string | undefined;
  readonly decisionTree?: string | undefined;
  /** Limits for this query only. */
  readonly config?: Readonly<Partial<Record<keyof AgentConfig, unknown>>> | undefined;
  readonly whenBusy: 'REJECT' | 'CANCEL_PREVIOUS';
  readonly idempotencyKey?: string | undefined;
}

export type AskOutcome =
  | { readonly type: 'running'; readonly runId: string }
  /** The conversation is waiting for another answer: that run's. */
  | { readonly type: 'busy'; readonly runId: string }
  | { readonly type: 'too-many'; readonly limit: number }
  | { readonly type: 'not-found'; readonly what: string }
  | { readonly type: 'refused'; readonly message: string; readonly problems?: readonly FieldProblem[] }
  | { readonly type: 'stopping' };
