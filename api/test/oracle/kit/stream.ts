import type { TestUser } from '../../kit/kit.ts';
import { type Live, overWebSocket, type Transport } from '../../kit/live.ts';
import { type Chunk, oracleQuery, oracleRun } from './chunks.ts';

/** A question as a client sends it. */
export interface Asked {
  readonly question?: string;
  readonly conversationId?: string;
  readonly nodeId?: string;
  readonly projectId?: string;
  readonly model?: string;
  readonly decisionTree?: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly whenBusy?: 'REJECT' | 'CANCEL_PREVIOUS';
  readonly idempotencyKey?: string;
}

/** One subscription to a run, read chunk by chunk. */
export interface Stream {
  /** What was read so far. */
  readonly chunks: readonly Chunk[];
  /** The next chunk; undefined after the end. A refusal fails the test. */
  next(): Promise<Chunk | undefined>;
  /** Reads on to the first chunk that fits. */
  until(fits: (chunk: Chunk) => boolean): Promise<Chunk>;
  /** Reads on until there is no more. */
  toEnd(): Promise<readonly Chunk[]>;
  /** Stops listening; the run does not care. */
  stop(): Promise<void>;
}

interface Data {
  readonly chunk: Chunk;
}

export interface Reader {
  readonly url: string;
  readonly user: Pick<TestUser, 'token'>;
  readonly transport?: Transport | undefined;
}

export function askOver({ url, user, transport = overWebSocket }: Reader, asked: Asked): Stream {
  const input = { question: 'What is this about?', ...asked };
  return streamOf(transport<Data>({ url, token: user.token }, oracleQuery, { input }));
}

export function followOver({ url, user, transport = overWebSocket }: Reader, runId: string, after = 0): Stream {
  return streamOf(transport<Data>({ url, token: user.token }, oracleRun, { runId, after }));
}

export function streamOf(live: Live<Data>): Stream {
  const chunks: Chunk[] = [];

  async function next(): Promise<Chunk | undefined> {
    const answer = await live.next();
    if (answer === undefined) return undefined;
    if (!answer.data) throw new Error(`Refused: ${JSON.stringify(answer.errors)}`);
    chunks.push(answer.data.chunk);
    return answer.data.chunk;
  }

  return {
    chunks,
    next,
    async until(fits) {
      for (let chunk = await next(); chunk; chunk = await next()) if (fits(chunk)) return chunk;
      throw new Error(`The stream ended before the chunk came: ${JSON.stringify(chunks.at(-1))}`);
    },
    async toEnd() {
      while (await next());
      await live.stop();
      return chunks;
    },
    stop: () => live.stop(),
  };
}
