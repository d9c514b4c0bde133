import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { noteStatements } from './statements.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** A database behind a connection that can be taken away. Its own `query` goes straight to the server. */
export interface ProxiedDatabase extends TestDatabase {
  /** Drops every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Keeps the connections but carries nothing any more, as when a cable is pulled. */
  stall(): void;
  /** Lets everything through again; what was stalled is dropped. */
  heal(): Promise<void>;
  /** What was executed since this was last asked, oldest first; see noteStatements. */
  statements(): readonly string[];
}

export async function createProxiedDatabase(): Promise<ProxiedDatabase> {
  const database = await createTestDatabase();
  const target = new URL(database.url);
  const sockets = new Set<Socket>();
  const statements: string[] = [];
  let stalled = false;

  const server = createServer((incoming) => {
    const outgoing = connect(Number(target.port), target.hostname);
    noteStatements(incoming, (statement) => void statements.push(statement));
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => void (stalled || to.write(data)));
      from.on('error', () => undefined); // a close follows
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }
  async function cut(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    drop();
    await closed;
  }

  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(database.url);
  url.port = String(port);
  return {
    url: url.href,
    query: database.query,
    cut,
    stall() {
      stalled = true;
    },
    async heal() {
      if (stalled) drop();
      stalled = false;
      if (!server.listening) await listen(port);
    },
    statements: () => statements.splice(0),
    async drop() {
      await cut();
      await database.drop();
    },
  };
}
