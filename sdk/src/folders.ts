import type { Bind } from './call.ts';
import { CodeFolderDocument, NoteFolderDocument } from './generated/documents.ts';
import type { CodeFolderQueryVariables, FolderPageFragment, NoteFolderQueryVariables } from './generated/types.ts';
import type { RequestOptions } from './request.ts';

/** One page of what lies directly in a folder. */
export type FolderPage = FolderPageFragment;

/** Notes and code by folders. Without a `projectId`, those of the caller's default project. */
export interface FoldersApi {
  /** Folders first, then notes; without a `path` the outermost folder. */
  notes(which?: NoteFolderQueryVariables, options?: RequestOptions): Promise<FolderPage>;
  /** Folders first, then files of code; without a `path` the outermost folder. */
  code(which?: CodeFolderQueryVariables, options?: RequestOptions): Promise<FolderPage>;
}

/** Binds the folders to a way of sending requests. */
export function makeFoldersApi(bind: Bind): FoldersApi {
  return { notes: bind(NoteFolderDocument), code: bind(CodeFolderDocument) };
}
