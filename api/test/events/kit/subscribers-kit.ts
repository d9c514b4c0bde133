import { afterAll, afterEach, beforeAll } from 'vitest';
import type { TestUser } from '../../kit/kit.ts';
import { type OracleKit, startOracleKit } from '../../oracle/kit/oracle-kit.ts';
import { Declared } from './declared.ts';
import { makeSubscriberFolder, type SubscriberFolder } from './subscriber-folder.ts';

interface UsedSubscribers {
  readonly folder: SubscriberFolder;
  /** Declares subscribers until the test has ended. */
  declare(subscribers: Readonly<Record<string, string>>): Promise<void>;
}

/** A server for the tests of a file, somebody who asks there, and a folder for subscribers of their own. */
export function useSubscribers(
  onStart: (started: { readonly kit: OracleKit; readonly user: TestUser }) => void | Promise<void>,
): UsedSubscribers {
  const folder = makeSubscriberFolder();
  const declared = new Declared(folder);
  let kit: OracleKit;
  let user: TestUser;
  beforeAll(async () => {
    kit = await startOracleKit({ dataDir: folder.dataDir });
    user = await kit.newUser();
    await onStart({ kit, user });
  });
  afterEach(() => declared.remove(user));
  afterAll(async () => {
    await kit.stop();
    folder.dispose();
  });
  return { folder, declare: (subscribers) => declared.declare(user, subscribers) };
}
