import { expect } from 'vitest';
import { type Kit, type KitOptions, startKit, type TestUser } from '../../kit/kit.ts';
import type { Transport } from '../../kit/live.ts';
import { type ReplyOptions, reply, type ScriptedCall } from '../../kit/model-replies.ts';
import {
  type ModelServer,
  type ModelServerRequest,
  type ScriptEntry,
  startModelServer,
} from '../../kit/model-server.ts';
import { type Asked, askOver, followOver, type Stream } from './stream.ts';
import { settle, type Told } from './told.ts';

/** A server, a scripted model behind it as `openai/scripted`, and questions asked over real subscriptions. */
export interface OracleKit extends Kit {
  readonly models: ModelServer;
  /** Asks and reads to the end; everything that holds for every run is checked. */
  ask(user: TestUser, asked?: Asked, transport?: Transport): Promise<Told>;
  /** Asks and leaves the reading to the test. */
  open(user: TestUser, asked?: Asked, transport?: Transport): Stream;
  follow(user: TestUser, runId: string, after?: number, transport?: Transport): Stream;
  /** Reads a stream to its end and checks what holds for every run. */
  settle(user: TestUser, stream: Stream): Promise<Told>;
  cancel(user: TestUser, runId: string): Promise<boolean>;
  /** What the model says to the coming requests, one entry each; replaces what was left of an earlier script. */
  script(...entries: readonly ScriptEntry[]): Script;
}

export interface Script {
  /** The requests since it was written. */
  requests(): readonly ModelServerRequest[];
  /** The n-th of them, now or when it comes. */
  request(number: number): Promise<ModelServerRequest>;
  /** For all requests after its entries. */
  always(entry: ScriptEntry): Script;
}

const scripted = 'openai/scripted';

/** A turn that calls tools, by default one search that no other turn makes. */
export function calling(calls: string | readonly ScriptedCall[], options?: ReplyOptions & { readonly text?: string }) {
  return reply.toolCalls(
    typeof calls === 'string' ? [{ name: 'vault_search', arguments: { query: calls } }] : calls,
    options,
  );
}

/** For ever another search. */
export const searching: ScriptEntry = ({ number }) => calling(`topic ${number}`);

/** What a request told the model, apart from the conversation. */
export function noticesOf({ body }: ModelServerRequest): readonly string[] {
  return body.messages.flatMap(({ content }) => (content?.startsWith('<notice>') ? [content] : []));
}

/** Role and text of every message that was sent. */
export function messagesOf({ body }: ModelServerRequest): readonly (readonly [string, string | null])[] {
  return body.messages.map(({ role, content }) => [role, content] as const);
}

export async function startOracleKit(options: KitOptions = {}): Promise<OracleKit> {
  const models = await startModelServer();
  const kit = await startKit({
    ...options,
    defaultModel: options.defaultModel ?? scripted,
    providers: { ORACLE_OPENAI_BASE_URL: models.url, ...options.providers },
  });
  const { url } = kit;
  const secrets = new Set<string>();
  let stopping: Promise<void> | undefined;

  async function settled(user: TestUser, stream: Stream): Promise<Told> {
    const told = await settle({ url, user }, await stream.toEnd());
    for (const secret of [told.run.question, told.text, user.token]) if (secret.length > 5) secrets.add(secret);
    return told;
  }

  /** Logs tell that a run ended, not what it was about; and in none of these tests anything of ours may fail. */
  function expectQuietLogs(): void {
    const lines = kit.logs.map((line) => JSON.parse(line) as { readonly level: number | string });
    expect(lines.filter(({ level }) => level === 'error' || level === 'fatal' || Number(level) >= 50)).toEqual([]);
    const all = kit.logs.join();
    expect([...secrets].filter((secret) => all.includes(JSON.stringify(secret).slice(1, -1)))).toEqual([]);
  }
  return {
    ...kit,
    models,
    ask: (user, asked = {}, transport) => settled(user, askOver({ url, user, transport }, asked)),
    open: (user, asked = {}, transport) => askOver({ url, user, transport }, asked),
    follow: (user, runId, after = 0, transport) => followOver({ url, user, transport }, runId, after),
    settle: settled,
    cancel: async (user, runId) =>
      (await user.ask<{ cancelRun: boolean }>('mutation ($runId: ID!) { cancelRun(runId: $runId) }', { runId }))
        .cancelRun,
    script: (...entries) => writeScript(models, entries),
    stop() {
      stopping ??= kit
        .stop()
        .then(() => models.stop())
        .then(expectQuietLogs);
      return stopping;
    },
  };
}

function writeScript(models: ModelServer, entries: readonly ScriptEntry[]): Script {
  const from = models.requests.length;
  const left = [...entries];
  let rest: ScriptEntry = reply.error(400, { message: 'The script of this test has no reply left.' });
  models.otherwise((request) => {
    const entry = left.shift() ?? rest;
    return typeof entry === 'function' ? entry(request) : entry;
  });
  const script: Script = {
    requests: () => models.requests.slice(from),
    request: (number) => models.request(from + number),
    always(entry) {
      rest = entry;
      return script;
    },
  };
  return script;
}
