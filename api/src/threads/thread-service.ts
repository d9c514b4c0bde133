import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { isIdentifier } from '../access/identifier.ts';
import type { FieldProblem } from '../agent/settings.ts';
import type { Database } from '../store/database.ts';
import { Thread } from '../store/entities/thread.ts';
import { ThreadEntry } from '../store/entities/thread-entry.ts';
import { type Page, type PageRequest, pageOf } from '../store/page.ts';
import { nearest } from '../vault/nearest.ts';
import { appendEntries, appendManyEntries } from './append-entries.ts';
import { entryProblems, tidyTitle, titleKey, titleProblems } from './entry-text.ts';
import { type EntryPageRequest, pageOfEntries } from './page-of-entries.ts';
import { seekEntries } from './seek-entries.ts';
import type {
  AppendedEntries,
  AppendOutcome,
  EntryHit,
  NewEntry,
  ReadThreadOutcome,
  SeekRequest,
  ThreadList,
  Threads,
} from './threads.ts';

const comparedTitles = 1_000;
const suggestedTitles = 3;

/** Threads and their entries. Every method that takes a project's id trusts it. */
export class ThreadService implements Threads {
  constructor(private readonly database: Database) {}

  async find(id: string): Promise<Thread | undefined> {
    if (!isIdentifier(id)) return undefined;
    return (await this.database.fork().findOne(Thread, { id })) ?? undefined;
  }

  async append(projectId: string, entry: NewEntry): Promise<AppendOutcome> {
    const problems = entryProblems(entry);
    if (problems.length > 0) return { type: 'invalid', problems };
    const em = this.database.fork();
    const [added] = await appendEntries(em, projectId, [entry]);
    if (!added?.id) return { type: 'missing' };
    const made = await em.findOneOrFail(ThreadEntry, { id: added.id });
    return { type: 'appended', entry: made, thread: await em.findOneOrFail(Thread, { id: made.threadId }) };
  }

  /** Appends what can be appended of many entries and reports the rest; see `appendManyEntries`. */
  appendMany(projectId: string, entries: readonly NewEntry[]): Promise<AppendedEntries> {
    return appendManyEntries(this.database.fork(), projectId, entries);
  }

  async list(projectId: string, limit: number): Promise<ThreadList> {
    const [threads, total] = await this.database
      .fork()
      .findAndCount(Thread, { projectId, archivedAt: null }, { orderBy: latestFirst, limit });
    return { threads, total };
  }

  async read(
    projectId: string,
    wanted: string,
    { from, limit }: { readonly from?: number | undefined; readonly limit: number },
  ): Promise<ReadThreadOutcome> {
    const em = this.database.fork();
    const thread = await em.findOne(Thread, {
      projectId,
      ...(isIdentifier(wanted) ? { id: wanted } : { key: titleKey(wanted) }),
    });
    if (!thread) return { type: 'missing', nearest: await nearestTitles(em, projectId, wanted) };
    const start = from ?? Math.max(1, thread.entryCount - limit + 1);
    const where = { threadId: thread.id, number: { $gte: start } };
    return { type: 'found', thread, entries: await em.find(ThreadEntry, where, { orderBy: { number: 'asc' }, limit }) };
  }

  seek(projectId: string, request: SeekRequest): Promise<readonly EntryHit[]> {
    return seekEntries(this.database.fork(), projectId, request);
  }

  /** The latest activity first. */
  page(
    projectId: string,
    { search, archived, ...request }: PageRequest & { readonly search: string; readonly archived: boolean },
  ): Promise<Page<Thread>> {
    const pattern = `%${titleKey(search).replace(/[\\%_]/g, '\\$&')}%`;
    return pageOf(this.database.fork(), Thread, {
      ...request,
      where: {
        projectId,
        ...(archived ? {} : { archivedAt: null }),
        ...(search.trim() === '' ? {} : { key: { $like: pattern } }),
      },
      orderBy: latestFirst,
    });
  }

  entriesOf(thread: Pick<Thread, 'id' | 'entryCount'>, request: EntryPageRequest): Promise<Page<ThreadEntry>> {
    return pageOfEntries(this.database.fork(), thread, request);
  }

  async rename(thread: Thread, title: string): Promise<Thread | readonly FieldProblem[]> {
    const problems = titleProblems(title);
    if (problems.length > 0) return problems;
    const tidy = tidyTitle(title);
    try {
      return await this.database.fork().transactional(async (em) => {
        await em.nativeUpdate(Thread, { id: thread.id }, { title: tidy, key: titleKey(title) });
        // Entries are found by the words of the title as well.
        await em.execute('update thread_entries set title = ? where thread_id = ?', [tidy, thread.id]);
        return em.findOneOrFail(Thread, { id: thread.id });
      });
    } catch (error) {
      if (!(error instanceof UniqueConstraintViolationException)) throw error;
      const message = `There is a thread called "${tidy}" already.`;
      return [{ field: 'title', message, value: title, min: undefined, max: undefined }];
    }
  }

  async archive({ id }: Thread, archived: boolean): Promise<Thread> {
    const em = this.database.fork();
    const unlike = { id, archivedAt: archived ? null : { $ne: null } };
    await em.nativeUpdate(Thread, unlike, { archivedAt: archived ? new Date() : null });
    return em.findOneOrFail(Thread, { id });
  }

  /** True when this call deleted it. */
  async delete({ id }: Thread): Promise<boolean> {
    return (await this.database.fork().nativeDelete(Thread, { id })) > 0;
  }
}

const latestFirst = [{ updatedAt: 'desc' as const }, { id: 'desc' as const }];

async function nearestTitles(em: EntityManager, projectId: string, wanted: string): Promise<readonly string[]> {
  const others = await em.find(
    Thread,
    { projectId },
    { fields: ['title'], orderBy: latestFirst, limit: comparedTitles },
  );
  return nearest(
    wanted,
    others.map(({ title }) => title),
    suggestedTitles,
  );
}
