import { randomUUID } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { FieldProblem } from '../agent/settings.ts';
import type { Database } from '../store/database.ts';
import { Project } from '../store/entities/project.ts';
import { User } from '../store/entities/user.ts';

const longestName = 100;
const mostProjects = 200;

/** Makes, renames and deletes the projects of people. Whose they are is the caller's to check. */
export class ProjectService {
  constructor(private readonly database: Database) {}

  create(userId: string, name: string): Promise<Project | readonly FieldProblem[]> {
    return this.#named(userId, name, async (em, tidy) => {
      if ((await em.count(Project, { userId })) >= mostProjects)
        return [problem('name', `A person may have ${mostProjects} projects at most. Delete one first.`, name)];
      const project = em.create(Project, { id: randomUUID(), userId, name: tidy });
      await em.flush();
      return project;
    });
  }

  rename({ id, userId }: Project, name: string): Promise<Project | readonly FieldProblem[]> {
    return this.#named(
      userId,
      name,
      async (em, tidy) => {
        await em.nativeUpdate(Project, { id }, { name: tidy });
        return em.findOneOrFail(Project, { id }, { refresh: true }); // the names were read above
      },
      id,
    );
  }

  /** With all that is in it. Conversations stay, and go on in the default project. */
  async delete({ id, isDefault }: Project): Promise<'deleted' | readonly FieldProblem[]> {
    if (isDefault) return [problem('id', 'The default project cannot be deleted. Delete the notes in it instead.', id)];
    await this.database.fork().transactional(async (em) => {
      await em.nativeDelete(Project, { id });
      await em.execute('update conversations set project_id = null where project_id = ?', [id]);
    });
    return 'deleted';
  }

  /** The person's row is locked, so that of two projects of one name only one is made. */
  #named(
    userId: string,
    name: string,
    work: (em: EntityManager, name: string) => Promise<Project | readonly FieldProblem[]>,
    self?: string,
  ): Promise<Project | readonly FieldProblem[]> {
    const tidy = name
      .toWellFormed()
      .normalize('NFC')
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim();
    if (tidy === '') return Promise.resolve([problem('name', 'Name must not be empty.', name)]);
    if (tidy.length > longestName) {
      const message = `Name must be at most ${longestName} characters long.`;
      return Promise.resolve([problem('name', message, name.slice(0, 2 * longestName))]);
    }
    return this.database.fork().transactional(async (em) => {
      await em.findOne(User, { id: userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      const others = await em.find(Project, { userId });
      const taken = others.some((other) => other.id !== self && other.name.toLowerCase() === tidy.toLowerCase());
      if (taken) return [problem('name', `There is a project called "${tidy}" already.`, name)];
      return work(em, tidy);
    });
  }
}

function problem(field: string, message: string, value: string): FieldProblem {
  const bounded = field === 'name';
  return { field, message, value, min: bounded ? 1 : undefined, max: bounded ? longestName : undefined };
}
