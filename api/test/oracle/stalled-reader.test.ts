import diagnostics from 'node:diagnostics_channel';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { eventsOf } from '../kit/live.ts';
import { closing, reply, type Step, step } from '../kit/model-replies.ts';
import { createGate } from '../kit/model-server.ts';
import { openRawSocket } from '../kit/raw-socket.ts';
import { type Chunk, oracleRun } from './kit/chunks.ts';
import { type OracleKit, startOracleKit } from './kit/oracle-kit.ts';
import { expectNumbered, expectReplayed, type Told } from './kit/told.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

/** A text sent so often in one answer that a few hundred of them are more than the system holds for a reader. */
const copies = Array.from({ length: 28 }, (_, index) => `copy${index}: text`).join(' ');
const manyCopies = oracleRun.replace('... on ContentChunk { text }', `... on ContentChunk { text ${copies} }`);
const paragraph = '"'.repeat(960); // written as twice as many
/** Several times what should wait in the server for a reader, and a fraction of what it has not read. */
const mostBuffered = 384 * 1024;

/** A run that says what the test wants when the test wants it, and has somebody who reads along. */
async function begin() {
  const steps: Step[] = [...reply.stream([step.text('Start. ')])];
  let gate = createGate();
  steps.push(step.wait(gate.opened));
  kit.script(steps);
  const stream = kit.open(user, { config: { tokenBudget: 200_000 } });
  const { runId } = await stream.until((chunk) => chunk.__typename === 'ContentChunk');

  /** Steps may be added while the model waits. */
  function goOn(more: readonly Step[]): void {
    const opening = gate;
    gate = createGate();
    steps.push(...more, step.wait(gate.opened));
    opening.open();
  }
  return {
    runId,
    /** Resolves when it was said to the one who reads. */
    async say(count: number, text: string): Promise<void> {
      goOn([...Array.from({ length: count }, (_, index) => step.text(`${index} ${text} `)), step.text('Enough. ')]);
      await stream.until((chunk) => chunk.__typename === 'ContentChunk' && chunk.text.endsWith('Enough. '));
    },
    end(): Promise<Told> {
      goOn(closing('stop'));
      gate.open();
      return kit.settle(user, stream);
    },
  };
}

/** What only a reader who stands still gets: the server's own buffer for it, and what it hears at last. */
interface Stalled {
  /** Bytes that wait in the server. */
  buffered(): number;
  readOn(): Promise<readonly Chunk[]>;
}

async function expectAllInTheEnd(stall: (runId: string) => Promise<Stalled>): Promise<void> {
  const run = await begin();
  const stalled = await stall(run.runId);
  let buffered: number[] = [];
  // The system may take more after a while: only what waits many times in a row waits for the reader.
  for (let times = 0; buffered.length < 8 && times < 60; times += 1) {
    await (buffered.length === 0 ? run.say(20, paragraph) : run.say(100, 'More.'));
    buffered = stalled.buffered() === 0 ? [] : [...buffered, stalled.buffered()];
  }
  const told = await run.end();
  buffered.push(stalled.buffered());
  const heard = await stalled.readOn();

  expect(buffered.length).toBe(9);
  expect(buffered).not.toContain(0);
  expect(Math.max(...buffered)).toBeLessThan(mostBuffered);
  expect(told.reason).toBe('COMPLETED');
  expectNumbered(heard);
  expectReplayed(heard, await kit.follow(user, told.runId).toEnd());
  expect(heard.at(-1)).toEqual(told.done);
  expect(heard.some(({ fromSeq, seq }) => fromSeq < seq)).toBe(true);
}

describe('a reader that stalls delays nobody, and gets everything when it reads again', () => {
  it('over WebSocket', () =>
    expectAllInTheEnd(async (runId) => {
      const connected = nextConnection();
      const reader = await openRawSocket(kit.url, { params: { authorization: `Bearer ${user.token}` } });
      const connection = await connected;
      const first = await reader.answer(manyCopies, { runId, after: 0 });
      reader.socket.pause();
      return {
        buffered: () => connection.writableLength,
        async readOn() {
          reader.socket.resume();
          const heard = [chunkOf(first?.payload)];
          while (heard.at(-1)?.__typename !== 'DoneChunk') heard.push(chunkOf((await reader.next())?.payload));
          await reader.close();
          return heard;
        },
      };
    }));

  it('over server-sent events', () =>
    expectAllInTheEnd(async (runId) => {
      const connected = nextConnection();
      const unread = await subscribe(runId);
      const connection = await connected;
      return {
        buffered: () => connection.writableLength,
        async readOn() {
          const heard: Chunk[] = [];
          for await (const { event, data } of eventsOf(unread))
            if (event === 'next') heard.push(chunkOf(JSON.parse(data)));
          return heard;
        },
      };
    }));
});

/** The server's side of the connection that is made next. */
function nextConnection(): Promise<Socket> {
  const channel = 'net.server.socket';
  return new Promise((resolve) => {
    const take = (message: unknown) => {
      const { socket } = message as { readonly socket: Socket };
      if (socket.localPort !== Number(new URL(kit.url).port)) return;
      diagnostics.unsubscribe(channel, take);
      resolve(socket);
    };
    diagnostics.subscribe(channel, take);
  });
}

/** Without the copies. */
function chunkOf(payload: unknown): Chunk {
  const { chunk } = (payload as { readonly data: { readonly chunk: Chunk } }).data;
  return Object.fromEntries(Object.entries(chunk).filter(([key]) => !key.startsWith('copy'))) as unknown as Chunk;
}

/** The answer's head is in and nothing of its body has been asked for. */
function subscribe(runId: string): Promise<IncomingMessage> {
  const body = JSON.stringify({ query: manyCopies, variables: { runId, after: 0 } });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    accept: 'text/event-stream',
    authorization: `Bearer ${user.token}`,
  };
  return new Promise((resolve, reject) => {
    httpRequest(`${kit.url}/graphql`, { method: 'POST', headers, agent: false }, resolve).on('error', reject).end(body);
  });
}
