import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit, type TestUser } from './kit/kit.ts';
import { eventsOf } from './kit/live.ts';
import { openRawSocket } from './kit/raw-socket.ts';

const changes = 1_000;
/** What the operating system may hold for a reader, and some to spare. */
const few = 50;
/** Answers of a megabyte, so that those buffers fill soon. */
const tokens = 300;
const lists = Array.from({ length: 12 }, (_, index) => `list${index}: tokens { id name createdAt expiresAt status }`);
const query = `subscription { settingsChanged { agentConfig { version } ${lists.join(' ')} } }`;

interface Event {
  readonly data: { readonly settingsChanged: { readonly agentConfig: { readonly version: number } } };
}
const versionOf = (payload: unknown) => (payload as Event).data.settingsChanged.agentConfig.version;

let kit: Kit;
let user: TestUser;
beforeAll(async () => {
  kit = await startKit();
  user = await kit.newUser();
  await kit.database.query(
    `insert into tokens (id, user_id, name, hash)
     select gen_random_uuid(), $1, repeat('n', 100), 'unknown-' || n from generate_series(1, ${tokens}) n`,
    [user.id],
  );
});
afterAll(() => kit.stop());

/** Quicker than through the API, and for a reader the very same: each change is a transaction that announces itself. */
async function changeSettings(): Promise<number> {
  await user.ask('mutation { updateAgentConfig(input: { maxIterations: 7 }) { __typename } }');
  await kit.database.query(`do $$ begin
    for n in 1..${changes} loop
      update user_settings set agent_config_version = agent_config_version + 1 where user_id = '${user.id}';
      perform pg_notify('oracle_changes', '{"type":"settings-changed","userId":"${user.id}"}');
      commit;
    end loop;
  end $$`);
  const { agentConfig } = await user.ask<{ agentConfig: { version: number } }>('{ agentConfig { version } }');
  return agentConfig.version;
}

describe(`a reader that does not read during ${changes} changes`, () => {
  it('is told of them as a few over WebSocket, the latest among them, while others are served', async () => {
    const reader = await openRawSocket(kit.url, { params: { authorization: `Bearer ${user.token}` } });
    const first = await reader.answer(query);
    reader.socket.pause();
    const latest = await changeSettings();

    reader.socket.resume();
    let read = 0;
    for (let version = versionOf(first?.payload); version < latest; read += 1) {
      version = versionOf((await reader.next())?.payload);
    }
    expect(latest).toBeGreaterThan(changes);
    expect(read).toBeLessThan(few);
    await reader.close();
  });

  it('is told of them as a few over server-sent events, the latest among them, while others are served', async () => {
    const response = await subscribe();
    const latest = await changeSettings();

    let read = 0;
    for await (const { event, data } of eventsOf(response)) {
      if (event === 'next') read += 1;
      if (event === 'next' && versionOf(JSON.parse(data)) === latest) break;
    }
    expect(latest).toBeGreaterThan(changes);
    expect(read).toBeLessThan(few);
    response.destroy();
  });
});

/** The answer's head is in and nothing of its body has been asked for. */
function subscribe(): Promise<IncomingMessage> {
  const body = JSON.stringify({ query });
  return new Promise((resolve, reject) => {
    httpRequest(
      `${kit.url}/graphql`,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          accept: 'text/event-stream',
          authorization: `Bearer ${user.token}`,
        },
      },
      resolve,
    )
      .on('error', reject)
      .end(body);
  });
}
