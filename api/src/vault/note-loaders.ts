import DataLoader from 'dataloader';
import type { Database } from '../store/database.ts';
import { Note } from '../store/entities/note.ts';
import { Project } from '../store/entities/project.ts';
import type { Page, PageRequest } from '../store/page.ts';
import { backlinksOf, linksOf, type NoteLink } from './note-links.ts';

interface BacklinkRequest extends PageRequest {
  readonly id: string;
}

/** What is asked of many notes in the same moment is read in one query. Nothing is cached. */
export class NoteLoaders {
  readonly notes: DataLoader<string, Note | undefined>;
  readonly projects: DataLoader<string, Project | undefined>;
  readonly bodies: DataLoader<string, string | undefined>;
  readonly links: DataLoader<string, readonly NoteLink[] | undefined>;
  readonly backlinks: DataLoader<BacklinkRequest, Page<Note> | undefined>;

  constructor(database: Database) {
    this.notes = loader(async (ids) => {
      const found = await database.fork().find(Note, { id: { $in: [...ids] } });
      return new Map(found.map((note) => [note.id, note]));
    });
    this.projects = loader(async (ids) => {
      const found = await database.fork().find(Project, { id: { $in: [...ids] } });
      return new Map(found.map((project) => [project.id, project]));
    });
    this.bodies = loader(async (ids) => {
      const found = await database.fork().find(Note, { id: { $in: [...ids] } }, { populate: ['body'] });
      return new Map(found.map((note) => [note.id, note.body]));
    });
    this.links = loader((ids) => linksOf(database.fork(), ids));
    this.backlinks = new DataLoader(
      async (requests) => {
        const pages = await Promise.all(
          [...Map.groupBy(requests, ({ first, after }) => `${first} ${after}`).values()].map((alike) =>
            backlinksOf(
              database.fork(),
              alike.map(({ id }) => id),
              alike[0] ?? {},
            ).then((found) => alike.map((request) => [request, found.get(request.id)] as const)),
          ),
        );
        const byRequest = new Map(pages.flat());
        return requests.map((request) => byRequest.get(request));
      },
      { cache: false },
    );
  }
}

function loader<Value>(
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): DataLoader<string, Value | undefined> {
  return new DataLoader(
    async (ids) => {
      const found = await read(ids);
      return ids.map((id) => found.get(id));
    },
    { cache: false },
  );
}
