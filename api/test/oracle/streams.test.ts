import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import type { TestUser } from '../kit/kit.ts';
import { overSse, overWebSocket, transportsAndWays } from '../kit/live.ts';
import { closing, reply, step } from '../kit/model-replies.ts';
import { createGate } from '../kit/model-server.ts';
import { type Chunk, oracleQuery, oracleRun } from './kit/chunks.ts';
import { calling, type OracleKit, startOracleKit } from './kit/oracle-kit.ts';
import { seeded } from './kit/seeded.ts';
import { expectReplayed, settle } from './kit/told.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

const isContent = (chunk: Chunk) => chunk.__typename === 'ContentChunk';
/** Says one word, waits for the gate, says the rest. */
function halting(gate: { readonly opened: Promise<void> }) {
  return reply.stream([
    step.text('Before. '),
    step.wait(gate.opened),
    ...Array.from({ length: 20 }, (_, index) => step.text(`${index} `)),
    ...closing('stop'),
  ]);
}
const wholeText = `Before. ${Array.from({ length: 20 }, (_, index) => `${index} `).join('')}`;

describe.each(transportsAndWays)('over %s', (_name, transport) => {
  it('unsubscribing does not stop the run', async () => {
    const gate = createGate();
    kit.script(halting(gate));
    const gone = kit.open(user, {}, transport);
    const { runId, seq } = await gone.until(isContent);
    await gone.stop();
    gate.open();
    const rest = await kit.follow(user, runId, seq, transport).toEnd();

    expect(await settle({ url: kit.url, user }, [...gone.chunks, ...rest])).toMatchObject({
      reason: 'COMPLETED',
      text: wholeText,
    });
  });

  it('reconnecting with the last seq during the run goes on without loss or repeat, as often as one likes', async () => {
    const gates = Array.from({ length: 5 }, createGate);
    const parts = gates.flatMap((gate, index) => [
      step.text(`part ${index} `),
      step.text('… '),
      step.wait(gate.opened),
    ]);
    kit.script(calling('welcome'), reply.stream([...parts, ...closing('stop')]));
    const chunks: Chunk[] = [];
    const first = kit.open(user, {}, transport);
    const { runId } = await first.until(isContent);
    chunks.push(...first.chunks);
    await first.stop();
    for (const gate of gates) {
      const again = kit.follow(user, runId, chunks.at(-1)?.seq ?? 0, transport);
      await again.until(isContent);
      chunks.push(...again.chunks);
      await again.stop();
      gate.open();
    }
    chunks.push(...(await kit.follow(user, runId, chunks.at(-1)?.seq ?? 0, transport).toEnd()));

    expect(await settle({ url: kit.url, user }, chunks)).toMatchObject({
      reason: 'COMPLETED',
      text: gates.map((_gate, index) => `part ${index} … `).join(''),
    });
  });

  it('gathers deltas for whoever asks for it: fewer chunks, every seq, the same text', async () => {
    kit.script(
      calling('welcome', { text: 'Looking. ' }),
      reply.text(Array.from({ length: 50 }, (_, word) => `${word} `)),
    );
    const told = await kit.ask(user, {}, transport);
    const runId = told.chunks[0]?.runId;
    const open = (gather: number) =>
      transport<{ chunk: Chunk }>({ url: kit.url, token: user.token }, oracleRun, { runId, gather });
    const live = open(50);
    const chunks: Chunk[] = [];
    await live.until(({ chunk }) => {
      chunks.push(chunk);
      return chunk.__typename === 'DoneChunk';
    });
    await live.stop();
    const text = (all: readonly Chunk[]) => all.map((chunk) => (chunk.__typename === 'ContentChunk' ? chunk.text : ''));

    expect(text(chunks).join('')).toBe(text(told.chunks).join(''));
    expect(chunks.filter(isContent)).toHaveLength(2);
    expect(chunks.map(({ fromSeq }) => fromSeq)).toEqual([1, ...chunks.slice(0, -1).map(({ seq }) => seq + 1)]);
    for (const gather of [-1, 1_001]) {
      const refused = open(gather);
      expect(codesOf((await refused.next()) ?? {})).toContain('BAD_USER_INPUT');
      await refused.stop();
    }
  });

  it('reconnecting after the run, from any seq, gives exactly the rest', async () => {
    kit.script(calling('welcome', { text: 'Looking. ' }), reply.text(['Here ', 'you ', 'are.']));
    const told = await kit.ask(user, {}, transport);
    const rests = await Promise.all(told.chunks.map(({ seq }) => kit.follow(user, told.runId, seq, transport).toEnd()));

    expect(rests).toEqual(told.chunks.map((_chunk, index) => told.chunks.slice(index + 1)));
  });

  it('after the last chunk of a run that has ended there is nothing more', async () => {
    kit.script(reply.text('Brief.'));
    const { runId, done } = await kit.ask(user);

    expect(await kit.follow(user, runId, done.seq, transport).toEnd()).toEqual([]);
    expect(await kit.follow(user, runId, 1_000_000, transport).toEnd()).toEqual([]);
  });

  it('a negative seq is refused', async () => {
    kit.script(reply.text('Yes.'));
    const { runId } = await kit.ask(user);
    const live = transport({ url: kit.url, token: user.token }, oracleRun, { runId, after: -1 });
    const answer = await live.next();
    await live.stop();

    expect(codesOf(answer ?? {})).toEqual(['BAD_USER_INPUT']);
  });

  it('the token’s end closes its subscription, and the run goes on', async () => {
    const { issueToken } = await user.ask<{ issueToken: { id: string; token: string } }>(
      'mutation { issueToken(input: { name: "short" }) { ... on IssuedToken { id token } } }',
    );
    const gate = createGate();
    kit.script(halting(gate));
    const live = transport<{ chunk: Chunk }>({ url: kit.url, token: issueToken.token }, oracleQuery, {
      input: { question: 'How long?' },
    });
    const heard: Chunk[] = [];
    const { data } = await live.until(({ chunk }) => heard.push(chunk) > 0 && isContent(chunk));
    await user.ask('mutation ($id: ID!) { revokeToken(id: $id) }', { id: issueToken.id });
    const last = await live.next();
    const end = await live.next();
    await live.stop();
    gate.open();
    const rest = await kit.follow(user, data.chunk.runId, data.chunk.seq, transport).toEnd();

    expect(codesOf(last ?? {})).toEqual(['UNAUTHENTICATED']);
    expect(end).toBeUndefined();
    expect(await settle({ url: kit.url, user }, [...heard, ...rest])).toMatchObject({
      reason: 'COMPLETED',
      text: wholeText,
    });
  });

  it('without a token nothing is asked and nothing is told', async () => {
    const script = kit.script(reply.text('Never.'));
    const live = transport({ url: kit.url }, oracleQuery, { input: { question: 'Hello?' } });
    const answer = await live.next();
    await live.stop();

    expect(codesOf(answer ?? {})).toEqual(['UNAUTHENTICATED']);
    expect(script.requests()).toEqual([]);
  });
});

describe('several readers of one run', () => {
  it('get identical streams over WebSocket and server-sent events, live and afterwards', async () => {
    const gate = createGate();
    kit.script(calling('welcome'), halting(gate));
    const asked = kit.open(user);
    const { runId } = await asked.until(isContent);
    const others = [overWebSocket, overSse, overSse].map((transport) => kit.follow(user, runId, 0, transport));
    await Promise.all(others.map((other) => other.until(isContent)));
    gate.open();
    const told = await kit.settle(user, asked);
    const live = await Promise.all(others.map((other) => other.toEnd()));
    const replays = await Promise.all([overWebSocket, overSse].map((it) => kit.follow(user, runId, 0, it).toEnd()));

    expect(replays[1]).toEqual(replays[0]);
    for (const chunks of [told.chunks, ...live]) expectReplayed(chunks, replays[0] ?? []);
  });

  it('may come and go as they like: each gets every chunk once', async () => {
    const asked = kit.open(user, { model: 'simulated/long' });
    const first = await asked.next();
    const runId = first?.runId ?? '';
    const readers = Array.from({ length: 8 }, async (_, number) => {
      const random = seeded(number + 1);
      const chunks: Chunk[] = [];
      while (chunks.at(-1)?.__typename !== 'DoneChunk') {
        const visit = kit.follow(user, runId, chunks.at(-1)?.seq ?? 0, number % 2 === 0 ? overWebSocket : overSse);
        for (let left = Math.ceil(random() * 120); left > 0 && (await visit.next()); left -= 1);
        chunks.push(...visit.chunks);
        await visit.stop();
      }
      return chunks;
    });
    const told = await kit.settle(user, asked);
    const replay = await kit.follow(user, runId).toEnd();

    for (const chunks of await Promise.all(readers)) expectReplayed(chunks, replay);
    expect(told.reason).toBe('COMPLETED');
  });
});
