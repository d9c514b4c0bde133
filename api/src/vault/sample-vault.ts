import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Project } from '../store/entities/project.ts';
import { appendEntries } from '../threads/append-entries.ts';
import { decisions } from './sample/decisions.ts';
import { handbook } from './sample/handbook.ts';
import { records } from './sample/records.ts';
import { sampleThreads } from './sample/threads.ts';
import { saveNotes } from './save-notes.ts';

export const sampleNotes = [...handbook, ...decisions, ...records];

const defaultName = 'My notes';

/** Gives a person their first project, with notes to ask about; does nothing for one who has it. */
export async function seedSampleVault(em: EntityManager, userId: string): Promise<void> {
  await ensureDefaultProject(em, userId);
}

/**
 * The project that is meant when none is named, made on first use. Everybody starts with the sample notes, and only
 * then: notes that were deleted do not come back.
 */
export async function ensureDefaultProject(em: EntityManager, userId: string): Promise<Project> {
  const existing = await em.findOne(Project, { userId, isDefault: true });
  if (existing) return existing;
  await em.transactional(async (transaction) => {
    const id = randomUUID();
    // Of two first uses at once the second waits here until the first has committed, and then adds nothing.
    const made = await transaction.execute<{ id: string }[]>(insertSql, [id, userId, defaultName]);
    if (made.length === 0) return;
    await saveNotes(transaction, id, sampleNotes);
    await appendEntries(transaction, id, sampleThreads);
  });
  return em.findOneOrFail(Project, { userId, isDefault: true });
}

const insertSql = `
  insert into projects (id, user_id, name, is_default) values (?, ?, ?, true)
  on conflict (user_id) where is_default do nothing
  returning id`;
