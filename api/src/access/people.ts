import { randomUUID } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import DataLoader from 'dataloader';
import { z } from 'zod';
import type { FieldProblem } from '../agent/settings.ts';
import type { Database } from '../store/database.ts';
import { User } from '../store/entities/user.ts';
import { type Page, type PageRequestEitherWay, pageOf } from '../store/page.ts';
import { isIdentifier } from './identifier.ts';
import { findProblems } from './problems.ts';

const NewUserSchema = z.object({
  email: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(
      z
        .email({ error: 'Email must be an address such as name@example.com.' })
        .max(254, { error: 'Email must be at most 254 characters long.' }),
    ),
  name: z
    .string()
    .trim()
    .min(1, { error: 'Name must not be empty.' })
    .max(200, { error: 'Name must be at most 200 characters long.' })
    .regex(/^\P{Cc}*$/u, { error: 'Name must not contain control characters.' }),
  role: z.enum(['USER', 'ADMIN']),
});

export type NewUser = z.input<typeof NewUserSchema>;
export type UserSort = 'NAME' | 'EMAIL' | 'ROLE' | 'CREATED_AT';

const sortColumns = { NAME: 'sortName', EMAIL: 'email', ROLE: 'role', CREATED_AT: 'createdAt' } as const;

export class People {
  /** Batches within a tick and caches nothing, so that a live subscription never sees yesterday's row. */
  readonly #byId: DataLoader<string, User | undefined>;

  constructor(private readonly database: Database) {
    this.#byId = new DataLoader(
      async (ids) => {
        const found = await database.fork().find(User, { id: { $in: [...ids] } });
        const users = new Map(found.map((user) => [user.id, user]));
        return ids.map((id) => users.get(id));
      },
      { cache: false },
    );
  }

  async find(id: string): Promise<User | undefined> {
    return isIdentifier(id) ? this.#byId.load(id.toLowerCase()) : undefined;
  }

  list(
    request: PageRequestEitherWay & { search?: string; sort: UserSort; direction: 'ASC' | 'DESC' },
  ): Promise<Page<User>> {
    const orderBy = [{ [sortColumns[request.sort]]: request.direction }, { id: request.direction }];
    return pageOf(this.database.fork(), User, { ...request, where: whereFound(request.search), orderBy });
  }

  /** The ids of everybody whom a search finds, at most so many. */
  async idsFor(search: string, limit: number): Promise<readonly string[]> {
    const found = await this.database
      .fork()
      .find(User, whereFound(search), { fields: ['id'], orderBy: { sortName: 'ASC', id: 'ASC' }, limit });
    return found.map(({ id }) => id);
  }

  async create(input: NewUser): Promise<User | readonly FieldProblem[]> {
    const parsed = NewUserSchema.safeParse(input);
    if (!parsed.success) return findProblems(parsed.error, input);
    const em = this.database.fork();
    const user = em.create(User, { id: randomUUID(), ...parsed.data });
    try {
      await em.flush();
      return user;
    } catch (error) {
      if (!(error instanceof UniqueConstraintViolationException)) throw error;
      const message = `${parsed.data.email} belongs to somebody already.`;
      return [{ field: 'email', message, value: input.email, min: undefined, max: undefined }];
    }
  }
}

/** Everybody whose name or address contains the text; without one, everybody. */
function whereFound(search = '') {
  if (search.trim() === '') return {};
  const pattern = `%${search.replaceAll('\0', '').replace(/[\\%_]/g, '\\$&')}%`;
  return { $or: [{ name: { $ilike: pattern } }, { email: { $ilike: pattern } }] };
}
