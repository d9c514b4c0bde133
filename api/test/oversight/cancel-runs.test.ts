import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import { type Kit, startKit, type TestUser } from '../kit/kit.ts';
import { overSse } from '../kit/live.ts';

const cancel = 'mutation ($ids: [ID!]!) { cancelRuns(runIds: $ids) { runId outcome } }';
const ask = `subscription ($question: String!) { oracleQuery(input: { question: $question, model: "simulated/slow" }) {
  __typename ... on StreamChunk { runId } } }`;

interface Asked {
  readonly oracleQuery: { readonly __typename: string; readonly runId: string };
}

let kit: Kit;
let other: Kit;
beforeAll(async () => {
  kit = await startKit({ pace: 1_000 });
  other = await startKit({ database: kit.database, pace: 1_000 });
});
afterAll(async () => {
  await other.stop();
  await kit.stop();
});

async function start(server: Kit, user: TestUser) {
  const answer = overSse<Asked>({ url: server.url, token: user.token }, ask, { question: 'Slowly?' });
  const { data } = await answer.until(({ oracleQuery }) => oracleQuery.runId !== '');
  return { id: data.oracleQuery.runId, answer };
}

describe('stopping several runs', () => {
  it('ends those of everybody, on whichever server, and tells of each what became of it', async () => {
    const [ada, bob] = [await kit.newUser(), await kit.newUser()];
    const [here, there] = [await start(kit, ada), await start(other, bob)];
    const missing = randomUUID();

    const stop = async () =>
      (
        await kit.admin.ask<{ cancelRuns: { runId: string; outcome: string }[] }>(cancel, {
          ids: [here.id, there.id, missing, here.id],
        })
      ).cancelRuns;

    expect(await stop()).toEqual([
      { runId: here.id, outcome: 'STOPPED' },
      { runId: there.id, outcome: 'STOPPED' },
      { runId: missing, outcome: 'MISSING' },
    ]);
    expect((await stop()).map(({ outcome }) => outcome)).toEqual(['ENDED_ALREADY', 'ENDED_ALREADY', 'MISSING']);
    await here.answer.until(({ oracleQuery }) => oracleQuery.__typename === 'DoneChunk');
    await Promise.all([here.answer.stop(), there.answer.stop()]);
  });

  it('leaves other people’s alone, as if they were not there', async () => {
    const [ada, bob] = [await kit.newUser(), await kit.newUser()];
    const run = await start(kit, ada);

    expect(await bob.ask(cancel, { ids: [run.id] })).toEqual({ cancelRuns: [{ runId: run.id, outcome: 'MISSING' }] });
    expect(await ada.ask(`{ run(id: "${run.id}") { status } }`)).toEqual({ run: { status: 'RUNNING' } });
    await ada.ask(cancel, { ids: [run.id] });
    await run.answer.stop();
  });

  it('takes a hundred at most', async () => {
    const answer = await kit.admin.query(cancel, { ids: Array.from({ length: 101 }, () => randomUUID()) });
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
  });
});
