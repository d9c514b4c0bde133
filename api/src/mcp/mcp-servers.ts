import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import DataLoader from 'dataloader';
import { notFound } from '../access/access-error.ts';
import { isIdentifier } from '../access/identifier.ts';
import type { FieldProblem } from '../agent/settings.ts';
import type { Outcome } from '../settings/outcome.ts';
import { announce } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import { McpServer } from '../store/entities/mcp-server.ts';
import { type Page, type PageRequest, pageOf } from '../store/page.ts';
import type { McpConnections } from './mcp-connections.ts';
import { recordChanges, recordOne } from './record-changes.ts';
import { applyInput, newServer, type ServerInput } from './server-input.ts';

export type ServerOutcome = Outcome<McpServer>;

const mostPeople = 1_000;

/** What administrators decide about MCP servers. Every change is in the audit log. */
export class McpServers {
  readonly #people: DataLoader<string, readonly string[]>;

  constructor(
    private readonly database: Database,
    private readonly connections: McpConnections,
    /** The first words of built-in tools: a server of that name could take their place. */
    private readonly reservedNames: ReadonlySet<string>,
  ) {
    this.#people = new DataLoader((serverIds) => loadPeople(database.fork(), serverIds), { cache: false });
  }

  page(request: PageRequest): Promise<Page<McpServer>> {
    return pageOf(this.database.fork(), McpServer, {
      ...request,
      where: {},
      orderBy: [{ name: 'ASC' }, { id: 'ASC' }],
    });
  }

  async find(id: string): Promise<McpServer | undefined> {
    if (!isIdentifier(id)) return undefined;
    return (await this.database.fork().findOne(McpServer, { id })) ?? undefined;
  }

  /** Who is on the allow-list of a server. */
  peopleOf(serverId: string): Promise<readonly string[]> {
    return this.#people.load(serverId);
  }

  async add(actorId: string, input: ServerInput): Promise<ServerOutcome> {
    const applied = applyInput(newServer, input, this.reservedNames);
    if ('problems' in applied) return { type: 'invalid', problems: applied.problems };
    return this.#saving(applied.values.name, async (em) => {
      const server = em.create(McpServer, { ...applied.values, version: 1 });
      recordChanges(em, actorId, server, newServer, applied.values);
      await em.flush();
      return { type: 'saved', settings: server };
    });
  }

  async update(
    actorId: string,
    id: string,
    input: ServerInput & { readonly expectedVersion?: number | null | undefined },
  ): Promise<ServerOutcome> {
    return this.#saving(input.name ?? '', async (em) => {
      const server = await lock(em, id);
      const before = { ...server, command: server.command ?? null, url: server.url ?? null };
      const applied = applyInput(before, input, this.reservedNames);
      if ('problems' in applied) return { type: 'invalid', problems: applied.problems };
      if (input.expectedVersion != null && input.expectedVersion !== server.version)
        return { type: 'conflict', settings: server };
      const { values } = applied;
      const { name, command, args, environment, url, headers, timeoutSeconds, enabled, everyone } = values;
      const after = { name, command, args, environment, url, headers, timeoutSeconds, enabled, everyone };
      Object.assign(server, after, { version: server.version + 1, updatedAt: new Date() });
      recordChanges(em, actorId, server, before, values);
      await em.flush();
      return { type: 'saved', settings: server };
    });
  }

  async remove(actorId: string, id: string): Promise<void> {
    await this.#changing(async (em) => {
      const server = await lock(em, id);
      recordOne(em, actorId, server, 'server', { transport: server.transport }, null);
      em.remove(server);
      await em.flush();
      return server;
    });
  }

  /** Replaces the allow-list. */
  async setAccess(
    actorId: string,
    id: string,
    access: { readonly everyone: boolean; readonly userIds: readonly string[] },
  ): Promise<ServerOutcome> {
    const listed = access.userIds.map((userId) => userId.toLowerCase());
    const userIds = [...new Set(listed)];
    let outcome: ServerOutcome | undefined;
    const server = await this.#changing(async (em) => {
      const locked = await lock(em, id);
      const problems = await unknownPeople(em, listed);
      if (problems.length > 0) {
        outcome = { type: 'invalid', problems };
        return locked;
      }
      const [before = []] = await loadPeople(em, [id]);
      await em.execute('delete from mcp_access where server_id = ?', [locked.id]);
      await em.execute('insert into mcp_access (server_id, user_id) select ?, unnest(?::uuid[])', [
        locked.id,
        `{${userIds.join(',')}}`,
      ]);
      const shown = (everyone: boolean, people: readonly string[]) => ({ everyone, users: people });
      const old = shown(locked.everyone, before);
      Object.assign(locked, { everyone: access.everyone, version: locked.version + 1, updatedAt: new Date() });
      recordOne(em, actorId, locked, 'access', old, shown(access.everyone, userIds.toSorted()));
      await em.flush();
      return locked;
    });
    return outcome ?? { type: 'saved', settings: server };
  }

  /** Two servers of one name are the caller's to mend. */
  async #saving(name: string, work: (em: EntityManager) => Promise<ServerOutcome>): Promise<ServerOutcome> {
    try {
      const outcome = await this.database.fork().transactional(async (em) => {
        const result = await work(em);
        if (result.type === 'saved') await announce(em, { type: 'mcp-changed', serverId: result.settings.id });
        return result;
      });
      this.connections.changed();
      return outcome;
    } catch (error) {
      if (!(error instanceof UniqueConstraintViolationException)) throw error;
      return { type: 'invalid', problems: [problem('name', `There is a server called "${name}" already.`, name)] };
    }
  }

  async #changing(work: (em: EntityManager) => Promise<McpServer>): Promise<McpServer> {
    const server = await this.database.fork().transactional(async (em) => {
      const changed = await work(em);
      await announce(em, { type: 'mcp-changed', serverId: changed.id });
      return changed;
    });
    this.connections.changed();
    return server;
  }
}

async function lock(em: EntityManager, id: string): Promise<McpServer> {
  const server = isIdentifier(id)
    ? await em.findOne(McpServer, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    : undefined;
  if (!server) throw notFound('MCP server');
  return server;
}

async function loadPeople(em: EntityManager, serverIds: readonly string[]): Promise<string[][]> {
  const rows: { server_id: string; user_id: string }[] = await em.execute(
    'select server_id, user_id from mcp_access where server_id = any (?::uuid[]) order by user_id',
    [`{${serverIds.join(',')}}`],
  );
  const byServer = Map.groupBy(rows, (row) => row.server_id);
  return serverIds.map((id) => (byServer.get(id) ?? []).map((row) => row.user_id));
}

async function unknownPeople(em: EntityManager, userIds: readonly string[]): Promise<FieldProblem[]> {
  if (userIds.length > mostPeople) return [problem('userIds', `At most ${mostPeople} people can be listed.`)];
  const possible = userIds.filter(isIdentifier);
  const rows: { id: string }[] = await em.execute('select id from users where id = any (?::uuid[])', [
    `{${possible.join(',')}}`,
  ]);
  const known = new Set(rows.map((row) => row.id));
  return userIds.flatMap((userId, index) =>
    known.has(userId) ? [] : problem(`userIds.${index}`, 'There is no such user.', userId),
  );
}

function problem(field: string, message: string, value?: unknown): FieldProblem {
  return { field, message, value, min: undefined, max: undefined };
}
