import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';
import { eventsOf, transports } from '../../test/kit/live.ts';
import { createGate } from '../../test/kit/model-server.ts';
import { openRawSocket } from '../../test/kit/raw-socket.ts';
import { contentAt, type Delivery, type DeliveryOptions, doneAt, query, startDelivery } from './test/delivery.ts';

let delivery: Delivery;
afterEach(() => delivery.stop());

/** A subscription that has begun, and how to read the rest of it. */
async function begin(follow: (typeof transports)[number][1], options: DeliveryOptions) {
  delivery = await startDelivery(options);
  const live = follow<{ run: unknown }>({ url: delivery.url }, query);
  const first = live.next();
  return {
    first,
    async rest() {
      const answers = [];
      for (let answer = await live.next(); answer; answer = await live.next()) answers.push(answer);
      return answers;
    },
  };
}

const answerOf = (seq: number, slow: string) => ({ data: { run: { seq, slow } } });
const theEnd = { data: { run: {} } };

describe.each(transports)('an event that only the executor can answer, over %s', (_name, follow) => {
  /** The second chunk waits for the gate. */
  function gated() {
    const gate = createGate();
    const asked = Promise.withResolvers<void>();
    const slow = (seq: number) => {
      if (seq !== 2) return 'at once';
      asked.resolve();
      return gate.opened.then(() => 'later');
    };
    return { gate, slow, asked: asked.promise };
  }

  it('comes in its place: those after it wait for it', async () => {
    const { gate, slow, asked } = gated();
    const { first, rest } = await begin(follow, { slow });
    delivery.offer(contentAt(1), contentAt(2), contentAt(3));

    expect(await first).toEqual(answerOf(1, 'at once'));
    await asked;
    delivery.offer(contentAt(4), doneAt(5));
    gate.open();
    expect(await rest()).toEqual([answerOf(2, 'later'), answerOf(3, 'at once'), answerOf(4, 'at once'), theEnd]);
    await delivery.left;
  });

  it('still comes when the source has ended meanwhile, and is the last', async () => {
    const { gate, slow, asked } = gated();
    const { first, rest } = await begin(follow, { slow });
    delivery.offer(contentAt(1), contentAt(2), contentAt(3));
    await asked;
    delivery.closeSource();
    gate.open();

    expect(await first).toEqual(answerOf(1, 'at once'));
    expect(await rest()).toEqual([answerOf(2, 'later')]);
  });

  it('does not come any more when the token has ended meanwhile, which is said at once', async () => {
    const { gate, slow, asked } = gated();
    const { first, rest } = await begin(follow, { slow });
    delivery.offer(contentAt(1), contentAt(2), contentAt(3));
    await asked;
    delivery.endToken();

    expect(await first).toEqual(answerOf(1, 'at once'));
    expect(await rest()).toEqual([{ data: { run: 'The token has ended.' } }]);
    gate.open();
    await delivery.left;
  });

  it('ends the subscription, with an error that is masked, when the executor fails', async () => {
    const mask = (error: unknown) => {
      if (error instanceof GraphQLError) throw new Error('There is no room for the log.');
      return new GraphQLError('Something went wrong on our side.');
    };
    const { first, rest } = await begin(follow, {
      slow: (seq) => (seq === 2 ? Promise.reject(new Error('A secret.')) : 'at once'),
      mask,
    });
    delivery.offer(contentAt(1), contentAt(2), contentAt(3));

    expect(await first).toEqual(answerOf(1, 'at once'));
    const [last, ...others] = await rest();
    expect(last?.errors).toMatchObject([{ message: 'Something went wrong on our side.' }]);
    expect(others).toEqual([]);
    await delivery.left;
  });
});

describe.each([
  ['WebSocket', unreadOverWebSocket],
  ['server-sent events', unreadOverSse],
] as const)('a reader who does not read, over %s', (_name, subscribe) => {
  it('makes the executor wait too, and gets everything once it reads', async () => {
    const count = 400;
    const long = 'x'.repeat(100_000); // all of them are more than the system holds for a reader
    let asked = 0;
    delivery = await startDelivery({
      slow(seq) {
        asked = seq;
        return Promise.resolve(long);
      },
    });
    const read = await subscribe(delivery.url);
    delivery.offer(...Array.from({ length: count }, (_, index) => contentAt(index + 1)), doneAt(count + 1));
    await calm(() => asked);

    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(count);
    const answers = await read();
    expect(answers.map(({ data }) => data.run.seq)).toEqual([
      ...Array.from({ length: count }, (_, index) => index + 1),
      undefined,
    ]);
    expect(answers.slice(0, -1).every(({ data }) => data.run.slow === long)).toBe(true);
  });
});

type Answers = readonly { readonly data: { readonly run: { readonly seq?: number; readonly slow?: string } } }[];

async function unreadOverWebSocket(url: string): Promise<() => Promise<Answers>> {
  const { socket, send, next, close } = await openRawSocket(url);
  socket.pause();
  send({ id: 'one', type: 'subscribe', payload: { query } });
  return async () => {
    socket.resume();
    const answers = [];
    for (let frame = await next(); frame?.type === 'next'; frame = await next()) answers.push(frame.payload);
    await close();
    return answers as Answers;
  };
}

async function unreadOverSse(url: string): Promise<() => Promise<Answers>> {
  const body = JSON.stringify({ query });
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
  const request = httpRequest(`${url}/graphql`, { method: 'POST', headers }).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return async () => {
    const answers = [];
    for await (const { event, data } of eventsOf(response)) if (event === 'next') answers.push(JSON.parse(data));
    return answers as Answers;
  };
}

/** Resolves when the value has begun to change and has stopped, for so many rounds of the event loop. */
async function calm(value: () => number, rounds = 500): Promise<void> {
  for (let last = 0, unchanged = 0; last === 0 || unchanged < rounds; unchanged += 1) {
    await new Promise(setImmediate);
    if (value() !== last) unchanged = 0;
    last = value();
  }
}
