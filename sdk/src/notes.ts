import { type Bind, everyPage, withOne } from './call.ts';
import * as documents from './generated/documents.ts';
import type {
  DeleteNoteMutationVariables,
  MoveNoteInput,
  MoveNoteMutation,
  NoteFragment,
  NoteLinksQuery,
  NoteLinksQueryVariables,
  NotePageFragment,
  NoteQueryVariables,
  NotesQueryVariables,
  SaveNoteInput,
  SaveNoteMutation,
  SearchNotesQuery,
  SearchNotesQueryVariables,
} from './generated/types.ts';
import type { RequestOptions } from './request.ts';

/** The note as it stands, what is wrong with the input, or what somebody else wrote meanwhile: by `__typename`. */
export type SaveNoteResult = SaveNoteMutation['saveNote'];
/** What was moved and rewritten, or why it was not: told apart by `__typename`. */
export type MoveNoteResult = MoveNoteMutation['moveNote'];
/** One place where words were found. */
export type NoteHit = SearchNotesQuery['searchNotes'][number];
/** What a note links to, and what links to it. */
export type NoteLinks = NonNullable<NoteLinksQuery['note']>;

/** The notes that runs can search and read. Without a `projectId`, those of the caller's default project. */
export interface NotesApi {
  /** Null when there is no note at this path. */
  get(which: NoteQueryVariables, options?: RequestOptions): Promise<NoteFragment | null>;
  /** One page; `pageInfo.endCursor` is the next page's `after`. */
  list(which?: NotesQueryVariables, options?: RequestOptions): Promise<NotePageFragment>;
  /** All that match, page by page as you read; `first` is the size of a page. */
  all(which?: Omit<NotesQueryVariables, 'after'>, options?: RequestOptions): AsyncGenerator<NoteFragment, void>;
  /** The best passages first; with `everywhere`, of all the caller's projects. */
  search(which: SearchNotesQueryVariables, options?: RequestOptions): Promise<readonly NoteHit[]>;
  /** Links of a note, and pages of its backlinks. Null when there is no note at this path. */
  links(which: NoteLinksQueryVariables, options?: RequestOptions): Promise<NoteLinks | null>;
  /** Writes a note: a new one, or in place of the one at this path. */
  save(input: SaveNoteInput, options?: RequestOptions): Promise<SaveNoteResult>;
  /** Moves a note; links to it are rewritten. */
  move(input: MoveNoteInput, options?: RequestOptions): Promise<MoveNoteResult>;
  /** False when there was none. */
  delete(which: DeleteNoteMutationVariables, options?: RequestOptions): Promise<boolean>;
}

/** Binds the notes to a way of sending requests. */
export function makeNotesApi(bind: Bind): NotesApi {
  const list = bind(documents.NotesDocument);
  return {
    get: bind(documents.NoteDocument),
    list,
    all: everyPage(list),
    search: bind(documents.SearchNotesDocument),
    links: bind(documents.NoteLinksDocument),
    save: withOne('input', bind(documents.SaveNoteDocument)),
    move: withOne('input', bind(documents.MoveNoteDocument)),
    delete: bind(documents.DeleteNoteDocument),
  };
}
