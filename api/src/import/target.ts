import { randomUUID } from 'node:crypto';
import type { Database } from '../store/database.ts';
import { Project } from '../store/entities/project.ts';
import { User } from '../store/entities/user.ts';
import { ensureDefaultProject } from '../vault/sample-vault.ts';
import { type ImportOptions, UsageError } from './options.ts';

/** Where an import goes. Without an id the project is yet to be made, which a dry run does not do. */
export interface Target {
  readonly projectId: string | undefined;
  readonly projectName: string;
  readonly email: string;
}

export async function findTarget(
  database: Database,
  { user: email, project: name, dryRun }: Pick<ImportOptions, 'user' | 'project' | 'dryRun'>,
): Promise<Target> {
  const em = database.fork();
  const user =
    email === undefined
      ? await em.findOne(User, { role: 'ADMIN' }, { orderBy: { createdAt: 'asc' } })
      : await em.findOne(User, { email: email.trim().toLowerCase() });
  if (!user)
    throw new UsageError(email === undefined ? 'There is no administrator.' : `Nobody has the address ${email}.`);
  const found =
    name === undefined
      ? await em.findOne(Project, { userId: user.id, isDefault: true })
      : await em.findOne(Project, { userId: user.id, name }, { orderBy: { createdAt: 'asc', id: 'asc' } });
  const project = found ?? (dryRun ? undefined : await makeProject(database, user.id, name));
  return { projectId: project?.id, projectName: project?.name ?? name ?? 'the default project', email: user.email };
}

async function makeProject(database: Database, userId: string, name: string | undefined): Promise<Project> {
  const em = database.fork();
  if (name === undefined) return ensureDefaultProject(em, userId);
  return em.transactional(async (transaction) => {
    // Two imports that start together make one project, not two of a name.
    await transaction.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`${userId} ${name}`]);
    const made = await transaction.findOne(Project, { userId, name });
    return made ?? transaction.create(Project, { id: randomUUID(), userId, name, isDefault: false });
  });
}
