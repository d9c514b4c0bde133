import { type Bind, everyPage, withOne } from './call.ts';
import * as documents from './generated/documents.ts';
import type { RunId } from './generated/ids.ts';
import type {
  DecisionTreesQuery,
  RunDecisionsQuery,
  RunFragment,
  RunsQuery,
  RunsQueryVariables,
} from './generated/types.ts';
import type { RequestOptions } from './request.ts';

/** One page of runs, with the cursor that leads to the next. */
export type RunPage = RunsQuery['runs'];

/** How every condition stood when it was decided whether to go on. */
export type Decision = NonNullable<RunDecisionsQuery['run']>['decisions'][number];

/** A decision tree that a question may choose by name. */
export type DecisionTree = DecisionTreesQuery['decisionTrees'][number];

/** Runs that were started, by whatever client. `oracle.follow` reads one. */
export interface RunsApi {
  /** Null when there is no such run, or none the caller may see. */
  get(id: RunId, options?: RequestOptions): Promise<RunFragment | null>;
  /** One page, newest first; `pageInfo.endCursor` is the next page's `after`. */
  list(which?: RunsQueryVariables, options?: RequestOptions): Promise<RunPage>;
  /** All that match, newest first, page by page as you read; `first` is the size of a page. */
  all(which?: Omit<RunsQueryVariables, 'after'>, options?: RequestOptions): AsyncGenerator<RunFragment, void>;
  /** Stops a run: true when this call ended it, false when it had ended already. */
  cancel(id: RunId, options?: RequestOptions): Promise<boolean>;
  /** Why it went on or stopped, turn by turn. Null when there is no such run. */
  decisions(id: RunId, options?: RequestOptions): Promise<readonly Decision[] | null>;
  /** The decision trees that a question may choose from. */
  decisionTrees(options?: RequestOptions): Promise<readonly DecisionTree[]>;
}

/** Binds the runs to a way of sending requests. */
export function makeRunsApi(bind: Bind): RunsApi {
  const list = bind(documents.RunsDocument);
  const decisions = bind(documents.RunDecisionsDocument);
  const decisionTrees = bind(documents.DecisionTreesDocument);
  return {
    list,
    all: everyPage(list),
    get: withOne('id', bind(documents.RunDocument)),
    cancel: withOne('runId', bind(documents.CancelRunDocument)),
    decisions: async (id, options) => (await decisions({ id }, options))?.decisions ?? null,
    decisionTrees: (options) => decisionTrees({}, options),
  };
}
