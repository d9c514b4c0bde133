import { type Bind, everyPage, withOne } from './call.ts';
import * as documents from './generated/documents.ts';
import type {
  CodeDefinitionsQuery,
  CodeDefinitionsQueryVariables,
  CodeFileQuery,
  CodeFileQueryVariables,
  CodeFileSummaryFragment,
  CodeFilesQuery,
  CodeFilesQueryVariables,
  CodeReferencesQuery,
  CodeReferencesQueryVariables,
  DeleteCodeFilesInput,
  DeleteCodeFilesMutation,
  RepositoryMapQuery,
  RepositoryMapQueryVariables,
  SaveCodeFilesInput,
  SaveCodeFilesMutation,
  SearchCodeQuery,
  SearchCodeQueryVariables,
} from './generated/types.ts';
import type { RequestOptions } from './request.ts';

/** A file with its text and symbols. */
export type CodeFile = NonNullable<CodeFileQuery['codeFile']>;
/** One page of files, without their texts. */
export type CodeFilePage = CodeFilesQuery['codeFiles'];
/** One place where words were found. */
export type CodeHit = SearchCodeQuery['searchCode'][number];
/** Where a name is defined, or the nearest names. */
export type CodeDefinitions = CodeDefinitionsQuery['codeDefinitions'];
/** Where a name is used, or the nearest names. */
export type CodeReferences = CodeReferencesQuery['codeReferences'];
/** A repository at a glance. */
export type RepositoryMap = RepositoryMapQuery['repositoryMap'];
/** How many files were new or changed, or what is wrong with them: told apart by `__typename`. */
export type SaveCodeFilesResult = SaveCodeFilesMutation['saveCodeFiles'];
/** How many files are gone, or what is wrong: told apart by `__typename`. */
export type DeleteCodeFilesResult = DeleteCodeFilesMutation['deleteCodeFiles'];

/** The code that runs can search. Without a `projectId`, that of the caller's default project. */
export interface CodeApi {
  /** Null when there is no file at this path. */
  get(which: CodeFileQueryVariables, options?: RequestOptions): Promise<CodeFile | null>;
  /** One page; `pageInfo.endCursor` is the next page's `after`. */
  list(which?: CodeFilesQueryVariables, options?: RequestOptions): Promise<CodeFilePage>;
  /** All that match, page by page as you read; `first` is the size of a page. */
  all(
    which?: Omit<CodeFilesQueryVariables, 'after'>,
    options?: RequestOptions,
  ): AsyncGenerator<CodeFileSummaryFragment, void>;
  /** Places where the words stand, best first. */
  search(which: SearchCodeQueryVariables, options?: RequestOptions): Promise<readonly CodeHit[]>;
  /** Where a name is defined. */
  definitions(which: CodeDefinitionsQueryVariables, options?: RequestOptions): Promise<CodeDefinitions>;
  /** Where a name is used. By name alone: things of the same name are not told apart. */
  references(which: CodeReferencesQueryVariables, options?: RequestOptions): Promise<CodeReferences>;
  /** The most important names of the repository, within so many tokens. */
  map(which?: RepositoryMapQueryVariables, options?: RequestOptions): Promise<RepositoryMap>;
  /** Writes files: new ones, or in place of those at their paths. */
  save(input: SaveCodeFilesInput, options?: RequestOptions): Promise<SaveCodeFilesResult>;
  /** Takes files out of the index. */
  delete(input: DeleteCodeFilesInput, options?: RequestOptions): Promise<DeleteCodeFilesResult>;
}

/** Binds the code to a way of sending requests. */
export function makeCodeApi(bind: Bind): CodeApi {
  const list = bind(documents.CodeFilesDocument);
  return {
    get: bind(documents.CodeFileDocument),
    list,
    all: everyPage(list),
    search: bind(documents.SearchCodeDocument),
    definitions: bind(documents.CodeDefinitionsDocument),
    references: bind(documents.CodeReferencesDocument),
    map: bind(documents.RepositoryMapDocument),
    save: withOne('input', bind(documents.SaveCodeFilesDocument)),
    delete: withOne('input', bind(documents.DeleteCodeFilesDocument)),
  };
}
