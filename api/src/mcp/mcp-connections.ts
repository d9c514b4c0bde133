import type { Logger } from '../logger.ts';
import type { ChangeFeed } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import { McpServer } from '../store/entities/mcp-server.ts';
import { type ConnectionSettings, connectionKey } from './connection-settings.ts';
import { McpConnection } from './mcp-connection.ts';

/** The servers that are switched on, and this process's connections to them. All runs share a connection. */
export class McpConnections {
  readonly #connections = new Map<string, McpConnection>();
  readonly #closing = new Set<Promise<void>>();
  readonly #stopListening: () => void;
  #enabled: Promise<readonly McpServer[]> | undefined;
  #closed = false;

  constructor(
    private readonly database: Database,
    changes: ChangeFeed,
    private readonly log: Logger,
  ) {
    this.#stopListening = changes.listen((change) => {
      if (change.type === 'mcp-changed' || change.type === 'changes-missed') this.changed();
    });
  }

  /** Read once, and again after every change: most questions are asked where there are none. */
  enabled(): Promise<readonly McpServer[]> {
    this.#enabled ??= this.#load();
    return this.#enabled;
  }

  /** The connection to a server as it is now configured; undefined when this process is stopping. */
  to(settings: ConnectionSettings): McpConnection | undefined {
    if (this.#closed) return undefined;
    const known = this.#connections.get(settings.id);
    // Whoever comes with older settings has not heard yet.
    if (known && (isSame(known.settings, settings) || known.settings.version > settings.version)) return known;
    if (known) this.#end(known);
    const connection = new McpConnection(settings, this.log);
    this.#connections.set(settings.id, connection);
    return connection;
  }

  /** Somebody changed something: servers that are gone, switched off or reached another way are let go of. */
  changed(): void {
    this.#enabled = undefined;
    if (this.#connections.size === 0 || this.#closed) return;
    this.enabled().then(
      (servers) => this.#keep(servers),
      () => undefined, // the database is away; the feed tells when changes were missed
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopListening();
    for (const connection of this.#connections.values()) this.#end(connection);
    await Promise.all(this.#closing);
  }

  #keep(servers: readonly McpServer[]): void {
    const byId = new Map(servers.map((server) => [server.id, server]));
    for (const connection of [...this.#connections.values()]) {
      const server = byId.get(connection.settings.id);
      if (!server || !isSame(server, connection.settings)) this.#end(connection);
    }
  }

  #end(connection: McpConnection): void {
    if (this.#connections.get(connection.settings.id) === connection) this.#connections.delete(connection.settings.id);
    const closing = connection.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  async #load(): Promise<readonly McpServer[]> {
    const loading = this.database.fork().find(McpServer, { enabled: true }, { orderBy: { name: 'asc' } });
    // A failure is not remembered.
    loading.catch(() => {
      this.#enabled = undefined;
    });
    return loading;
  }
}

function isSame(one: ConnectionSettings, other: ConnectionSettings): boolean {
  return one.name === other.name && connectionKey(one) === connectionKey(other);
}
