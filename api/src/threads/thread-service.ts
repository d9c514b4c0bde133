import { isIdentifier } from '../access/identifier.ts';
import type { Database } from '../store/database.ts';
import { Thread } from '../store/entities/thread.ts';
import { ThreadEntry } from '../store/entities/thread-entry.ts';
import { appendEntries, appendManyEntries } from './append-entries.ts';
import { entryProblems } from './entry-text.ts';
import type { AppendedEntries, AppendOutcome, NewEntry } from './threads.ts';

/** Threads and their entries. Every method trusts the project id that it is given. */
export class ThreadService {
  constructor(private readonly database: Database) {}

  async find(id: string): Promise<Thread | undefined> {
    if (!isIdentifier(id)) return undefined;
    return (await this.database.fork().findOne(Thread, { id })) ?? undefined;
  }

  /** An archived thread comes back with a new entry. */
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
}
