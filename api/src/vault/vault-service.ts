import { type FilterQuery, raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { isIdentifier } from '../access/identifier.ts';
import type { Database } from '../store/database.ts';
import { Note } from '../store/entities/note.ts';
import { Project } from '../store/entities/project.ts';
import { type FolderEntry, folderPage } from '../store/folder-page.ts';
import { type Page, type PageRequest, pageByText, pageOf } from '../store/page.ts';
import { listFolder } from './list-folder.ts';
import { moveNote } from './move-note.ts';
import { nearest } from './nearest.ts';
import type { NoteLink } from './note-links.ts';
import { NoteLoaders } from './note-loaders.ts';
import { canonicalPath, noteProblems } from './note-text.ts';
import { ensureDefaultProject } from './sample-vault.ts';
import { type NewNote, type SavedNotes, saveManyNotes, saveNotes } from './save-notes.ts';
import { searchNotes } from './search-notes.ts';
import type { FolderListing, MoveOutcome, NoteHit, NoteRecord, ReadOutcome, Vault, WriteOutcome } from './vault.ts';
import { linkedPath } from './wikilinks.ts';

const comparedPaths = 1_000;
const suggestedPaths = 3;

/** Projects and their notes. Except for finding projects, every method trusts the project id that it is given. */
export class VaultService implements Vault {
  readonly #loaders: NoteLoaders;

  constructor(private readonly database: Database) {
    this.#loaders = new NoteLoaders(database);
  }

  async findProject(id: string): Promise<Project | undefined> {
    return isIdentifier(id) ? this.#loaders.projects.load(id.toLowerCase()) : undefined;
  }

  /** The project that is meant when none is named. Made on first use, with the sample notes in it. */
  defaultProject(userId: string): Promise<Project> {
    return ensureDefaultProject(this.database.fork(), userId);
  }

  /** The default one first, then by name. */
  async projectsOf(userId: string): Promise<readonly Project[]> {
    await this.defaultProject(userId);
    return this.database
      .fork()
      .find(Project, { userId }, { orderBy: [{ isDefault: 'desc' }, { name: 'asc' }, { id: 'asc' }] });
  }

  search(projectId: string, request: { readonly query: string; readonly limit: number }): Promise<readonly NoteHit[]> {
    return searchNotes(this.database.fork(), [projectId], request);
  }

  /** In all projects of a person at once. */
  async searchAll(
    userId: string,
    request: { readonly query: string; readonly limit: number },
  ): Promise<readonly NoteHit[]> {
    const projects = await this.projectsOf(userId);
    const ids = projects.map(({ id }) => id);
    return searchNotes(this.database.fork(), ids, request);
  }

  /** Also takes a path as links have it: without `.md`, or between brackets. */
  async read(projectId: string, path: string): Promise<ReadOutcome> {
    const em = this.database.fork();
    const note = await findNote(em, projectId, path, ['body']);
    if (note) return { type: 'found', note };
    const others = await em.find(
      Note,
      { projectId },
      { fields: ['path'], orderBy: { path: 'asc' }, limit: comparedPaths },
    );
    return {
      type: 'missing',
      nearest: nearestPaths(
        plainPath(path),
        others.map((other) => other.path),
      ),
    };
  }

  list(projectId: string, folder: string): Promise<FolderListing> {
    return listFolder(this.database.fork(), projectId, folder);
  }

  /** What lies directly in a folder, in pages. */
  folder(projectId: string, request: PageRequest & { readonly folder: string }): Promise<Page<FolderEntry>> {
    return folderPage(this.database.fork(), 'notes', projectId, request);
  }

  async write(projectId: string, given: NewNote): Promise<WriteOutcome> {
    const problems = noteProblems(given.path, given.body);
    if (problems.length > 0) return { type: 'invalid', problems };
    const path = canonicalPath(given.path);
    const em = this.database.fork();
    const outcome = (await saveNotes(em, projectId, [given])).get(path) ?? 'conflict';
    const note = await em.findOne(Note, { projectId, path }, { populate: ['body'] });
    if (outcome === 'conflict' || !note) return { type: 'conflict', current: note ?? undefined };
    return { type: outcome, note };
  }

  /** Saves what can be saved of many notes and reports the rest; see `saveManyNotes`. */
  writeMany(projectId: string, notes: readonly NewNote[]): Promise<SavedNotes> {
    return saveManyNotes(this.database.fork(), projectId, notes);
  }

  async move(projectId: string, path: string, newPath: string): Promise<MoveOutcome> {
    const found = await this.read(projectId, path);
    if (found.type === 'missing') return found;
    return this.database.fork().transactional((em) => moveNote(em, found.note, newPath));
  }

  /** True when this call deleted it. */
  async delete(projectId: string, path: string): Promise<boolean> {
    const em = this.database.fork();
    const note = await findNote(em, projectId, path);
    return note ? (await em.nativeDelete(Note, { id: note.id })) > 0 : false;
  }

  async linksOf(note: Pick<NoteRecord, 'id'>): Promise<readonly NoteLink[]> {
    return (await this.#loaders.links.load(note.id)) ?? [];
  }

  async backlinksOf(note: Pick<NoteRecord, 'id'>, { first, after }: PageRequest): Promise<Page<Note>> {
    const page = await this.#loaders.backlinks.load({ id: note.id, first, after });
    return page ?? pageByText<Note>({ first }).page([], 0, ({ path }) => path);
  }

  find(id: string): Promise<Note | undefined> {
    return this.#loaders.notes.load(id);
  }

  /** By path. Bodies are not read; see `bodyOf`. */
  page(projectId: string, { search = '', ...request }: PageRequest & { search?: string }): Promise<Page<Note>> {
    return pageOf(this.database.fork(), Note, {
      ...request,
      where: search.trim() === '' ? { projectId } : { projectId, $or: mentioning(search.replaceAll('\0', '')) },
      orderBy: [{ path: 'asc' }, { id: 'asc' }],
    });
  }

  async bodyOf(note: Pick<NoteRecord, 'id'> & { readonly body?: string | undefined }): Promise<string> {
    return note.body ?? (await this.#loaders.bodies.load(note.id)) ?? '';
  }
}

function mentioning(text: string): FilterQuery<Note>[] {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const words = raw((alias) => `${alias}.search @@ websearch_to_tsquery('english', searchable(?))`, [text]);
  return [{ title: { $ilike: pattern } }, { path: { $ilike: pattern } }, { [words]: [] }];
}

async function findNote(
  em: EntityManager,
  projectId: string,
  path: string,
  populate: readonly 'body'[] = [],
): Promise<Note | undefined> {
  const wanted = plainPath(path);
  const found = await em.find(Note, { projectId, path: { $in: [wanted, `${wanted}.md`] } }, { populate });
  return found.find((candidate) => candidate.path === wanted) ?? found[0];
}

function plainPath(path: string): string {
  return linkedPath(path.replace(/^\[\[(.*)\]\]$/, '$1'));
}

/** A name alone is enough to find a note in whatever folder. */
function nearestPaths(wanted: string, paths: readonly string[]): readonly string[] {
  const name = wanted.slice(wanted.lastIndexOf('/') + 1);
  const byName = new Map(paths.map((path) => [path.slice(path.lastIndexOf('/') + 1), path]));
  const named = nearest(name, [...byName.keys()], suggestedPaths).map((found) => byName.get(found) ?? found);
  return [...new Set([...nearest(wanted, paths, suggestedPaths), ...named])].slice(0, suggestedPaths);
}
