import { NoteDocument, NotesDocument, ProjectsDocument, SaveNoteDocument } from './generated/documents.ts';
import type { UserId } from './generated/ids.ts';
import type {
  NoteFragment,
  NoteQueryVariables,
  NotesQuery,
  NotesQueryVariables,
  ProjectsQuery,
  SaveNoteInput,
  SaveNoteMutation,
} from './generated/types.ts';
import { walkPages } from './pages.ts';
import type { Request, RequestOptions } from './request.ts';

/** One page of notes, with the cursor that leads to the next. */
export type NotePage = NotesQuery['notes'];

/** The note as it stands, or what is wrong with the input: told apart by `__typename`. */
export type SaveNoteResult = SaveNoteMutation['saveNote'];

/** A set of notes that belongs to one person. */
export type Project = ProjectsQuery['projects'][number];

/** The notes that runs can search and read. Without a `projectId`, those of the caller's default project. */
export interface NotesApi {
  /** Null when there is no note at this path. */
  get(which: NoteQueryVariables, options?: RequestOptions): Promise<NoteFragment | null>;
  /** One page; `pageInfo.endCursor` is the next page's `after`. */
  list(which?: NotesQueryVariables, options?: RequestOptions): Promise<NotePage>;
  /** All that match, page by page as you read; `first` is the size of a page. */
  all(which?: Omit<NotesQueryVariables, 'after'>, options?: RequestOptions): AsyncGenerator<NoteFragment, void>;
  /** Writes a note: a new one, or in place of the one at this path. */
  save(input: SaveNoteInput, options?: RequestOptions): Promise<SaveNoteResult>;
}

/** What knowledge is kept in. */
export interface ProjectsApi {
  /** The default one first. Without a `userId`, the caller's own; another's are for administrators. */
  list(userId?: UserId, options?: RequestOptions): Promise<readonly Project[]>;
}

/** Binds the notes to a way of sending requests. */
export function makeNotesApi(request: Request): NotesApi {
  const list: NotesApi['list'] = async (which, options) => (await request(NotesDocument, which, options)).notes;
  return {
    list,
    all: (which, options) => walkPages((after) => list({ ...which, after }, options)),
    get: async (which, options) => (await request(NoteDocument, which, options)).note,
    save: async (input, options) => (await request(SaveNoteDocument, { input }, options)).saveNote,
  };
}

/** Binds the projects to a way of sending requests. */
export function makeProjectsApi(request: Request): ProjectsApi {
  return { list: async (userId, options) => (await request(ProjectsDocument, { userId }, options)).projects };
}
