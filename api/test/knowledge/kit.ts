import { randomUUID } from 'node:crypto';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { ThreadService } from '../../src/threads/thread-service.ts';
import { VaultService } from '../../src/vault/vault-service.ts';
import { type Kit, type KitOptions, startKit, type TestUser } from '../kit/kit.ts';

/** A server with people, and the services behind it for what has no door of its own. */
export interface KnowledgeKit extends Kit {
  readonly vault: VaultService;
  readonly threads: ThreadService;
  /** Somebody with an empty project. */
  newOwner(): Promise<{ readonly user: TestUser; readonly projectId: string }>;
}

export async function startKnowledgeKit(options: KitOptions = {}): Promise<KnowledgeKit> {
  const kit = await startKit(options);
  const database: Database = await openDatabase(kit.database.url);
  return {
    ...kit,
    vault: new VaultService(database),
    threads: new ThreadService(database),
    async newOwner() {
      const user = await kit.newUser();
      const projectId = randomUUID();
      await kit.database.query("insert into projects (id, user_id, name) values ($1, $2, 'Empty')", [
        projectId,
        user.id,
      ]);
      return { user, projectId };
    },
    async stop() {
      await database.close();
      await kit.stop();
    },
  };
}
