import { type FilterQuery, raw } from '@mikro-orm/core';
import DataLoader from 'dataloader';
import { isIdentifier } from '../access/identifier.ts';
import type { Database } from '../store/database.ts';
import { Note } from '../store/entities/note.ts';
import { Project } from '../store/entities/project.ts';
import { type Page, type PageRequest, pageOf } from '../store/page.ts';
import { listFolder } from './list-folder.ts';
import { nearest } from './nearest.ts';
import { canonicalPath, noteProblems } from './note-text.ts';
import { ensureDefaultProject } from './sample-vault.ts';
import { type NewNote, type SavedNotes, saveManyNotes, saveNotes } from './save-notes.ts';
import { searchNotes } from './search-notes.ts';
import type { FolderListing, NoteHit, NoteRecord, ReadOutcome, Vault, WriteOutcome } from './vault.ts';

const comparedPaths = 1_000;
const suggestedPaths = 3;

/** Projects and their notes. Except for finding projects, every method trusts the project id that it is given. */
export class VaultService implements Vault {
  readonly #bodies: DataLoader<string, string>;

  constructor(private readonly database: Database) {
    this.#bodies = new DataLoader(
      async (ids) => {
        const found = await database.fork().find(Note, { id: { $in: [...ids] } }, { populate: ['body'] });
        const bodies = new Map(found.map((note) => [note.id, note.body]));
        return ids.map((id) => bodies.get(id) ?? '');
      },
      { cache: false },
    );
  }

  async findProject(id: string): Promise<Project | undefined> {
    if (!isIdentifier(id)) return undefined;
    return (await this.database.fork().findOne(Project, { id })) ?? undefined;
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
    return searchNotes(this.database.fork(), projectId, request);
  }

  /** Also takes a path as links have it: without `.md`, or between brackets. */
  async read(projectId: string, path: string): Promise<ReadOutcome> {
    const wanted = canonicalPath(path)
      .replaceAll('\0', '')
      .toWellFormed()
      .replace(/^\[\[(.*)\]\]$/, '$1')
      .replace(/^\.?\//, '');
    const em = this.database.fork();
    const found = await em.find(Note, { projectId, path: { $in: [wanted, `${wanted}.md`] } }, { populate: ['body'] });
    const note = found.find((candidate) => candidate.path === wanted) ?? found[0];
    if (note) return { type: 'found', note };
    const others = await em.find(
      Note,
      { projectId },
      { fields: ['path'], orderBy: { path: 'asc' }, limit: comparedPaths },
    );
    return {
      type: 'missing',
      nearest: nearestPaths(
        wanted,
        others.map((other) => other.path),
      ),
    };
  }

  list(projectId: string, folder: string): Promise<FolderListing> {
    return listFolder(this.database.fork(), projectId, folder);
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

  /** By path. Bodies are not read; see `bodyOf`. */
  page(projectId: string, { search = '', ...request }: PageRequest & { search?: string }): Promise<Page<Note>> {
    return pageOf(this.database.fork(), Note, {
      ...request,
      where: search.trim() === '' ? { projectId } : { projectId, $or: mentioning(search.replaceAll('\0', '')) },
      orderBy: [{ path: 'asc' }, { id: 'asc' }],
    });
  }

  bodyOf(note: Pick<NoteRecord, 'id'> & { readonly body?: string | undefined }): Promise<string> {
    return note.body === undefined ? this.#bodies.load(note.id) : Promise.resolve(note.body);
  }
}

function mentioning(text: string): FilterQuery<Note>[] {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const words = raw((alias) => `${alias}.search @@ websearch_to_tsquery('english', searchable(?))`, [text]);
  return [{ title: { $ilike: pattern } }, { path: { $ilike: pattern } }, { [words]: [] }];
}

/** A name alone is enough to find a note in whatever folder. */
function nearestPaths(wanted: string, paths: readonly string[]): readonly string[] {
  const name = wanted.slice(wanted.lastIndexOf('/') + 1);
  const byName = new Map(paths.map((path) => [path.slice(path.lastIndexOf('/') + 1), path]));
  const named = nearest(name, [...byName.keys()], suggestedPaths).map((found) => byName.get(found) ?? found);
  return [...new Set([...nearest(wanted, paths, suggestedPaths), ...named])].slice(0, suggestedPaths);
}
