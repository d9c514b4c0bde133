import { type Bind, everyPage, withOne } from './call.ts';
import * as documents from './generated/documents.ts';
import type { ThreadId } from './generated/ids.ts';
import type {
  AppendToThreadInput,
  AppendToThreadMutation,
  RenameThreadMutation,
  RenameThreadMutationVariables,
  SeekThreadsQuery,
  SeekThreadsQueryVariables,
  ThreadEntriesQuery,
  ThreadEntriesQueryVariables,
  ThreadFragment,
  ThreadsQuery,
  ThreadsQueryVariables,
} from './generated/types.ts';
import type { RequestOptions } from './request.ts';

/** One page of threads, with the cursor that leads to the next. */
export type ThreadPage = ThreadsQuery['threads'];
/** One page of a thread's entries. */
export type ThreadEntryPage = NonNullable<ThreadEntriesQuery['thread']>['entries'];
/** The new entry, or what is wrong with the input: told apart by `__typename`. */
export type AppendToThreadResult = AppendToThreadMutation['appendToThread'];
/** The thread under its new title, or what is wrong with that: told apart by `__typename`. */
export type RenameThreadResult = RenameThreadMutation['renameThread'];
/** One place where words were found. */
export type ThreadHit = SeekThreadsQuery['seekThreads'][number];

/** Thoughts, insights, research and decisions, kept in order. */
export interface ThreadsApi {
  /** Null when there is no such thread, or none the caller may see. */
  get(id: ThreadId, options?: RequestOptions): Promise<ThreadFragment | null>;
  /** One page; `pageInfo.endCursor` is the next page's `after`. */
  list(which?: ThreadsQueryVariables, options?: RequestOptions): Promise<ThreadPage>;
  /** All that match, page by page as you read; `first` is the size of a page. */
  all(which?: Omit<ThreadsQueryVariables, 'after'>, options?: RequestOptions): AsyncGenerator<ThreadFragment, void>;
  /** A page of entries. Null when there is no such thread. */
  entries(which: ThreadEntriesQueryVariables, options?: RequestOptions): Promise<ThreadEntryPage | null>;
  /** The best entries first. */
  seek(which: SeekThreadsQueryVariables, options?: RequestOptions): Promise<readonly ThreadHit[]>;
  /** Adds an entry; without a `threadId`, to a new thread. */
  append(input: AppendToThreadInput, options?: RequestOptions): Promise<AppendToThreadResult>;
  /** Gives it another title. */
  rename(which: RenameThreadMutationVariables, options?: RequestOptions): Promise<RenameThreadResult>;
  /** Hides it from lists; it can still be read and found by its id. */
  archive(id: ThreadId, options?: RequestOptions): Promise<ThreadFragment>;
  /** Shows it in lists again. */
  unarchive(id: ThreadId, options?: RequestOptions): Promise<ThreadFragment>;
  /** Deletes it with all its entries; false when there was none. */
  delete(id: ThreadId, options?: RequestOptions): Promise<boolean>;
}

/** Binds the threads to a way of sending requests. */
export function makeThreadsApi(bind: Bind): ThreadsApi {
  const list = bind(documents.ThreadsDocument);
  const entries = bind(documents.ThreadEntriesDocument);
  return {
    get: withOne('id', bind(documents.ThreadDocument)),
    list,
    all: everyPage(list),
    entries: async (which, options) => (await entries(which, options))?.entries ?? null,
    seek: bind(documents.SeekThreadsDocument),
    append: withOne('input', bind(documents.AppendToThreadDocument)),
    rename: bind(documents.RenameThreadDocument),
    archive: withOne('id', bind(documents.ArchiveThreadDocument)),
    unarchive: withOne('id', bind(documents.UnarchiveThreadDocument)),
    delete: withOne('id', bind(documents.DeleteThreadDocument)),
  };
}
