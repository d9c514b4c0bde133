import type {} from '../../api/test/kit/global-setup.ts';
import { type Kit, startKit, type TestUser } from '../../api/test/kit/kit.ts';
import { createOracleClient, type OracleClient, OracleError } from '../src/index.ts';

/** What one file tries of the client; all other nouns are the other file's. */
export const settingsAndPeople: ReadonlySet<string> = new Set([
  'viewer',
  'agentConfig',
  'modelSettings',
  'users',
  'tokens',
  'organisation',
  'settings',
]);

/** Clients of a person and of an administrator, on a server of their own, that remember what was tried of them. */
export interface TriedSdk {
  readonly kit: Kit;
  readonly user: TestUser;
  readonly client: OracleClient;
  readonly admin: OracleClient;
  /** Functions of these nouns that nobody has asked for. */
  untried(ofNoun: (noun: string) => boolean): readonly string[];
  stop(): Promise<void>;
}

export async function trySdk(): Promise<TriedSdk> {
  const called = new Set<string>();
  const kit = await startKit();
  const user = await kit.newUser({ name: 'Ada' });
  const client = recording(createOracleClient({ url: kit.url, token: user.token }), called);
  const admin = recording(
    createOracleClient({ url: `${kit.url}/graphql`, token: async () => kit.admin.token }),
    called,
  );
  return {
    kit,
    user,
    client,
    admin,
    untried: (ofNoun) =>
      functionsOf(createOracleClient({ url: kit.url, token: 'x' })).filter(
        (name) => ofNoun(name.split('.', 1)[0] ?? '') && !called.has(name),
      ),
    async stop() {
      client.close();
      admin.close();
      await kit.stop();
    },
  };
}

/** The same object; remembers which of its functions were asked for. */
function recording<Target extends object>(target: Target, names: Set<string>, prefix = ''): Target {
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key);
      if (typeof value === 'function') names.add(`${prefix}${String(key)}`);
      return typeof value === 'object' && value !== null ? recording(value, names, `${prefix}${String(key)}.`) : value;
    },
  });
}

function functionsOf(value: object, prefix = ''): readonly string[] {
  return Object.entries(value).flatMap(([key, entry]: [string, unknown]) =>
    typeof entry === 'object' && entry !== null ? functionsOf(entry, `${prefix}${key}.`) : `${prefix}${key}`,
  );
}

export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof OracleError) return error.code;
    throw error;
  }
  return 'no error';
}

export async function take<Item>(items: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const taken: Item[] = [];
  for await (const item of items) if (taken.push(item) >= count) break;
  return taken;
}
