import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type MeasuredProcess, startMeasured } from './measured-process.ts';
import { createPeople } from './people.ts';
import { type Connection, connect, connectEvents } from './streams.ts';
import { chunksOfRun } from './workload.ts';

/** A server that streams the workload of the benchmark. */
export interface Contender {
  readonly server: MeasuredProcess;
  connect(stream: number): Promise<Connection>;
  request(round: number, stream: number): string;
  /** It is at work before it is measured for so many times the usual time; once unless said otherwise. */
  readonly warmth?: number;
}

export type ContenderName = keyof typeof makers;

export const benchToken = 'the-token-of-the-benchmark';
const runsPerPerson = 5;
const selection = `{
  __typename ... on StreamChunk { runId seq fromSeq at } ... on ContentChunk { text } ... on ThinkingChunk { text }
  ... on ToolCallChunk { callId name arguments turn status } ... on ToolResultChunk { callId name ok result error }
  ... on DoneChunk { terminationReason conversationId nodeId ending { message turns durationMs } }
}`;
export const askQuery = `subscription ($input: OracleQueryInput!) { oracleQuery(input: $input) ${selection} }`;
export const followQuery = `subscription ($runId: ID!) { oracleRun(runId: $runId) ${selection} }`;
const schemaFile = fileURLToPath(new URL('../../schema.graphql', import.meta.url));

/** What servers are given to send, recorded from a real run. */
interface Recorded {
  readonly runId: string;
  /** As graphql-transport-ws messages, with the last one. */
  readonly frames: readonly string[];
  readonly chunks: readonly object[];
}

const question = (query: string, variables: object) => ({ query, variables });
const asking = question(askQuery, { input: { question: 'Why?' } });
const following = (runId: string) => question(followQuery, { runId });
const message = (payload: object) => (round: number, stream: number) =>
  JSON.stringify({ id: `${round}-${stream}`, type: 'subscribe', payload });
const body = (payload: object) => () => JSON.stringify(payload);

interface Setting {
  readonly databaseUrl: string;
  readonly oracle: MeasuredProcess;
  readonly people: readonly string[];
  readonly recorded: Recorded;
}

const makers = {
  'raw ws, frames prebuilt and corked': ({ recorded }) => raw('corked', recorded.frames),
  'raw ws, one send per chunk': ({ recorded }) => raw('single', recorded.frames),
  'raw SSE, one write per chunk': ({ recorded }) => rawEvents(recorded),
  'graphql-ws': ({ recorded }) => stock('graphql-ws', recorded),
  'graphql-ws through Yoga': ({ recorded }) => stock('yoga', recorded),
  'Yoga SSE': ({ recorded }) => stockEvents(recorded),
  'AI SDK, loop and UI stream': () => aiSdk(),
  'Oracle Agent, delivery over ws': (setting) => fed(setting, 'ws'),
  'Oracle Agent, delivery as SSE': (setting) => fed(setting, 'sse'),
  'Oracle Agent, whole, over ws': (setting) => whole(setting, 'ws'),
  'Oracle Agent, whole, as SSE': (setting) => whole(setting, 'sse'),
  'Oracle Agent, whole but nothing stored, over ws': (setting) => unstored(setting),
} satisfies Readonly<Record<string, (setting: Setting) => Promise<Contender>>>;

export const contenderNames = Object.keys(makers) as readonly ContenderName[];

/** Servers of the benchmark, each in a process of its own, started when first asked for. */
export class Contenders {
  readonly #started = new Map<ContenderName, Promise<Contender>>();
  readonly #servers = new Set<MeasuredProcess>();
  #setting: Promise<Setting> | undefined;

  /** `streams` says how many the product must run at once. */
  constructor(
    private readonly databaseUrl: string,
    private readonly streams: number,
  ) {}

  async get<Name extends ContenderName>(names: readonly Name[]): Promise<Readonly<Record<Name, Contender>>> {
    const found: [Name, Contender][] = [];
    for (const name of names) found.push([name, await this.#get(name)]);
    return Object.fromEntries(found) as Record<Name, Contender>;
  }

  async stop(): Promise<void> {
    await Promise.allSettled([this.#setting, ...this.#started.values()]);
    await Promise.all([...this.#servers].map((server) => server.stop()));
  }

  #get(name: ContenderName): Promise<Contender> {
    const starting = this.#started.get(name) ?? this.#start(name);
    this.#started.set(name, starting);
    return starting;
  }

  async #start(name: ContenderName): Promise<Contender> {
    this.#setting ??= this.#prepare();
    const contender = await makers[name](await this.#setting);
    this.#servers.add(contender.server);
    return contender;
  }

  async #prepare(): Promise<Setting> {
    const { databaseUrl, streams } = this;
    const oracle = await startMeasured('oracle-server', databaseUrl, benchToken);
    this.#servers.add(oracle);
    const people = await createPeople(oracle.url, benchToken, Math.ceil(streams / runsPerPerson), randomUUID());
    return { databaseUrl, oracle, people, recorded: await record(oracle, people[0] ?? '') };
  }
}

/** Starts them for this piece of work alone. */
export async function withContenders<Name extends ContenderName, Result>(
  databaseUrl: string,
  names: readonly Name[],
  streams: number,
  work: (contenders: Readonly<Record<Name, Contender>>) => Promise<Result>,
): Promise<Result> {
  const contenders = new Contenders(databaseUrl, streams);
  try {
    return await work(await contenders.get(names));
  } finally {
    await contenders.stop();
  }
}

/** From a replay: who listens live and is slow gets deltas merged. */
async function record(oracle: MeasuredProcess, token: string): Promise<Recorded> {
  const connection = await connect(oracle.url, token);
  let runId = '';
  await connection.stream(message(asking)(-1, 0), (frame) => {
    runId ||= JSON.parse(frame.toString('utf8')).payload.data.oracleQuery.runId;
  });
  const frames: string[] = [];
  await connection.stream(message(following(runId))(-2, 0), (frame) => frames.push(frame.toString('utf8')));
  connection.close();
  const chunks = frames.flatMap((frame) => JSON.parse(frame).payload?.data.oracleRun ?? []);
  if (chunks.length !== chunksOfRun) throw new Error(`${chunks.length} chunks were recorded, not ${chunksOfRun}.`);
  return { runId, frames, chunks };
}

async function raw(manner: string, frames: readonly string[]): Promise<Contender> {
  const server = await startMeasured('raw-server', manner);
  server.send({ frames });
  return { server, connect: () => connect(server.url), request: () => 'go' };
}

async function rawEvents({ chunks }: Recorded): Promise<Contender> {
  const server = await startMeasured('raw-server', 'sse');
  const events = chunks.map((chunk) => `event: next\ndata: ${JSON.stringify({ data: { oracleQuery: chunk } })}\n\n`);
  server.send({ frames: [...events, 'event: complete\ndata:\n\n'] });
  return { server, connect: async () => connectEvents(server.url), request: () => 'go' };
}

async function stock(manner: string, { chunks }: Recorded): Promise<Contender> {
  const server = await startMeasured('stock-server', manner, schemaFile);
  server.send({ chunks });
  return { server, connect: () => connect(server.url, ''), request: message(asking) };
}

async function stockEvents({ chunks }: Recorded): Promise<Contender> {
  const server = await startMeasured('stock-server', 'yoga', schemaFile);
  server.send({ chunks });
  return { server, connect: async () => connectEvents(server.url), request: body(asking) };
}

async function aiSdk(): Promise<Contender> {
  const server = await startMeasured('ai-server');
  return { server, connect: async () => connectEvents(server.url, { event: 'data: {' }), request: body({}) };
}

/** Everything of the product but the loop and the log: these streams come from memory. */
async function fed({ databaseUrl, recorded }: Setting, transport: 'ws' | 'sse'): Promise<Contender> {
  const server = await startMeasured('oracle-server', databaseUrl, benchToken, 'fed');
  const asked = following(recorded.runId);
  return transport === 'ws'
    ? { server, connect: () => connect(server.url, benchToken), request: message(asked) }
    : { server, connect: async () => connectEvents(server.url, { token: benchToken }), request: body(asked) };
}

/** Everything: each stream is a run of its own, stored before it is delivered. */
async function whole({ oracle, people }: Setting, transport: 'ws' | 'sse'): Promise<Contender> {
  const tokenOf = (stream: number) => people[stream % people.length] ?? '';
  return transport === 'ws'
    ? { server: oracle, connect: (stream) => connect(oracle.url, tokenOf(stream)), request: message(asking) }
    : {
        server: oracle,
        connect: async (stream) => connectEvents(oracle.url, { token: tokenOf(stream) }),
        request: body(asking),
      };
}

/** Everything but the log: what is said is delivered and forgotten. As warm as the whole, which two contenders share. */
async function unstored({ databaseUrl, people }: Setting): Promise<Contender> {
  const server = await startMeasured('oracle-server', databaseUrl, benchToken, 'unstored');
  return {
    server,
    connect: (stream) => connect(server.url, people[stream % people.length] ?? ''),
    request: message(asking),
    warmth: 2,
  };
}
