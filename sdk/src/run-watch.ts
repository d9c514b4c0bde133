import { type Bind, everyPage, withOne } from './call.ts';
import {
  CancelRunsDocument,
  RunListDocument,
  RunsChangedDocument,
  RunTimelineDocument,
  RunTurnDocument,
} from './generated/documents.ts';
import type { RunId } from './generated/ids.ts';
import type {
  CancelRunsMutation,
  RunListQuery,
  RunListQueryVariables,
  RunRowFragment,
  RunsChangedSubscription,
  RunsChangedSubscriptionVariables,
  RunTimelineQuery,
  RunTurnQuery,
} from './generated/types.ts';
import type { RequestOptions } from './request.ts';
import type { Subscribe } from './subscribe.ts';

/** One page of runs with their people and how far they have come. */
export type RunRowPage = RunListQuery['runs'];

/** Runs that have changed, as they stand now; `reload` says that there may be more. */
export type RunsChange = RunsChangedSubscription['runsChanged'];

/** One turn of a run: its model call and its tools, with their times. */
export type TimelineTurn = NonNullable<RunTimelineQuery['run']>['timeline'][number];

/** What the tools of one turn were called with, and what came of it. */
export type TurnDetail = NonNullable<RunTurnQuery['run']>['timeline'][number];

/** Whose runs to watch, and until when. Without either, the caller's own; others' are for administrators. */
export interface WatchRunsOptions extends RunsChangedSubscriptionVariables, RequestOptions {}

/** Runs as they are watched: whose they are, how far they have come, and what changes. */
export interface RunWatchApi {
  /** One page, newest first; `filter: { everyone: true }` is for administrators. */
  list(which?: RunListQueryVariables, options?: RequestOptions): Promise<RunRowPage>;
  /** All that match, newest first, page by page as you read. */
  all(which?: Omit<RunListQueryVariables, 'after'>, options?: RequestOptions): AsyncGenerator<RunRowFragment, void>;
  /** Those under way now, then about once a second those that have changed. Aborting the signal ends the loop. */
  watch(options?: WatchRunsOptions): AsyncGenerator<RunsChange, void>;
  /** Stops several at once, and tells of each what became of it. */
  cancelMany(runIds: readonly RunId[], options?: RequestOptions): Promise<CancelRunsMutation['cancelRuns']>;
  /** When what happened, turn by turn. Null when there is no such run. */
  timeline(id: RunId, options?: RequestOptions): Promise<readonly TimelineTurn[] | null>;
  /** The arguments and results of one turn's tools. Null when there is no such run or turn. */
  turn(id: RunId, turn: number, options?: RequestOptions): Promise<TurnDetail | null>;
}

/** Binds the watching of runs to a way of sending requests and of listening. */
export function makeRunWatchApi(bind: Bind, subscribe: Subscribe): RunWatchApi {
  const list = bind(RunListDocument);
  const timeline = bind(RunTimelineDocument);
  const turn = bind(RunTurnDocument);
  return {
    list,
    all: everyPage(list),
    async *watch({ signal, ...which } = {}) {
      for await (const { runsChanged } of subscribe(RunsChangedDocument, which, { signal })) yield runsChanged;
    },
    cancelMany: withOne('runIds', bind(CancelRunsDocument)),
    timeline: async (id, options) => (await timeline({ id }, options))?.timeline ?? null,
    turn: async (id, number, options) => (await turn({ id, turn: number }, options))?.timeline[0] ?? null,
  };
}
