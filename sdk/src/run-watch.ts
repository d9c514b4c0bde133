import { type Bind, everyPage } from './call.ts';
import { RunListDocument, RunsChangedDocument } from './generated/documents.ts';
import type {
  RunListQuery,
  RunListQueryVariables,
  RunRowFragment,
  RunsChangedSubscription,
  RunsChangedSubscriptionVariables,
} from './generated/types.ts';
import type { RequestOptions } from './request.ts';
import type { Subscribe } from './subscribe.ts';

/** One page of runs with their people and how far they have come. */
export type RunRowPage = RunListQuery['runs'];

/** Runs that have changed, as they stand now; `reload` says that there may be more. */
export type RunsChange = RunsChangedSubscription['runsChanged'];

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
}

/** Binds the watching of runs to a way of sending requests and of listening. */
export function makeRunWatchApi(bind: Bind, subscribe: Subscribe): RunWatchApi {
  const list = bind(RunListDocument);
  return {
    list,
    all: everyPage(list),
    async *watch({ signal, ...which } = {}) {
      for await (const { runsChanged } of subscribe(RunsChangedDocument, which, { signal })) yield runsChanged;
    },
  };
}
