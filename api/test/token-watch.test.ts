import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TokenWatch } from '../src/access/token-watch.ts';
import { Viewer } from '../src/access/viewer.ts';
import type { Change } from '../src/store/changes.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { createProxiedDatabase, type ProxiedDatabase } from './kit/database-proxy.ts';
import { type Kit, startKit, type TestUser } from './kit/kit.ts';

let proxied: ProxiedDatabase;
let kit: Kit;
let database: Database;
beforeAll(async () => {
  proxied = await createProxiedDatabase();
  kit = await startKit({ database: proxied });
  database = await openDatabase(proxied.url);
});
afterAll(async () => {
  await database.close();
  await kit.stop();
  await proxied.drop();
});

/** A feed that says nothing by itself: as if every announcement were lost. */
function silentFeed() {
  const handlers = new Set<(change: Change) => void>();
  return {
    listen(handler: (change: Change) => void) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    close: async () => undefined,
    tell(change: Change) {
      for (const handler of handlers) handler(change);
    },
  };
}

const viewerOf = ({ id, tokenId }: TestUser) => new Viewer(id, 'USER', tokenId, null);
const revoke = ({ tokenId }: TestUser) =>
  proxied.query('update tokens set revoked_at = now() where id = $1', [tokenId]);

describe('watching a token', () => {
  it('notices one that was revoked between signing in and watching', async () => {
    const user = await kit.newUser();
    const watch = new TokenWatch(database, silentFeed());
    await revoke(user);

    await new Promise<void>((resolve) => watch.watch({ tokenEnded: resolve }, viewerOf(user)));
    watch.close();
  });

  it('notices, once the database is back, what was revoked while it was away', async () => {
    const user = await kit.newUser();
    const feed = silentFeed();
    const watch = new TokenWatch(database, feed);
    let ended = false;
    const end = new Promise<void>((resolve) => {
      const tokenEnded = () => {
        ended = true;
        resolve();
      };
      watch.watch({ tokenEnded }, viewerOf(user));
    });
    await expect.poll(() => database.ping().then(() => ended)).toBe(false);

    await proxied.cut();
    await revoke(user);
    feed.tell({ type: 'changes-missed' });
    await expect(database.ping()).rejects.toThrow();
    expect(ended).toBe(false);
    await proxied.heal();
    await end;
    watch.close();
  });
});
