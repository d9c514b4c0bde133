import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { defineTool } from '../../src/tools/tool.ts';
import { codesOf } from '../kit/client.ts';
import type { TestUser } from '../kit/kit.ts';
import { closing, reply, step } from '../kit/model-replies.ts';
import { createGate } from '../kit/model-server.ts';
import type { Chunk } from './kit/chunks.ts';
import { expectToGoOn } from './kit/go-on.ts';
import { calling, type OracleKit, startOracleKit } from './kit/oracle-kit.ts';
import { seeded } from './kit/seeded.ts';

/** Answers when it is told to stop, and not before. */
const waits = defineTool({
  name: 'waits',
  description: 'Waits until it is stopped.',
  input: z.object({}),
  run: (_input, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('Stopped.')))),
});
const quick = defineTool({
  name: 'quick',
  description: 'Answers at once.',
  input: z.object({ number: z.int() }),
  run: async ({ number }) => ({ number }),
});

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit({ tools: createToolRegistry([waits, quick]) });
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

const isContent = (chunk: Chunk) => chunk.__typename === 'ContentChunk';
const hanging = () => reply.stream([step.text('On and on. '), step.hang()]);

async function onlyRun(): Promise<string> {
  const { runs } = await user.ask<{ runs: { edges: { node: { id: string } }[] } }>(
    '{ runs { edges { node { id } } } }',
  );
  const [edge] = runs.edges;
  if (!edge || runs.edges.length > 1) throw new Error(`There are ${runs.edges.length} runs.`);
  return edge.node.id;
}

/** Asks until there is a run under way. */
async function nextRun(): Promise<string> {
  for (;;) {
    const { runs } = await user.ask<{ runs: { edges: { node: { id: string } }[] } }>(
      '{ runs(filter: { status: RUNNING }) { edges { node { id } } } }',
    );
    if (runs.edges[0]) return runs.edges[0].node.id;
  }
}

describe('cancelling', () => {
  it('before the first word: the request to the provider is let go of', async () => {
    const script = kit.script(reply.hang());
    const stream = kit.open(user);
    const reading = kit.settle(user, stream);
    const { closed } = await script.request(1);
    const ended = await kit.cancel(user, await onlyRun());
    const told = await reading;
    await closed;

    expect(ended).toBe(true);
    expect(told).toMatchObject({ reason: 'CANCELLED', text: '', ending: { turns: 1, usage: { totalTokens: 0 } } });
    await expectToGoOn(kit, user, told);
  });

  it('as soon as there is a run, 20 times: it ends all the same', async () => {
    kit.script().always(reply.hang());
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const reading = kit.settle(user, kit.open(user));
      const ended = await kit.cancel(user, await nextRun());

      expect(ended).toBe(true);
      expect(await reading).toMatchObject({ reason: 'CANCELLED', text: '' });
    }
  });

  it('while it is streaming: what was said is kept', async () => {
    const script = kit.script(hanging());
    const stream = kit.open(user);
    const { runId } = await stream.until(isContent);
    const ended = await kit.cancel(user, runId);
    const told = await kit.settle(user, stream);
    await (await script.request(1)).closed;

    expect(ended).toBe(true);
    expect(told).toMatchObject({ reason: 'CANCELLED', text: 'On and on. ' });
    expect(told.ending.usage.outputTokens).toBeGreaterThan(0);
    await expectToGoOn(kit, user, told);
  });

  it('in a tool: it is told to stop, its sibling’s result is kept, and its fate is recorded', async () => {
    kit.script(
      calling([
        { id: 'first', name: 'quick', arguments: { number: 1 } },
        { id: 'second', name: 'waits', arguments: {} },
      ]),
    );
    const stream = kit.open(user);
    const { runId } = await stream.until((chunk) => chunk.__typename === 'ToolResultChunk');
    await kit.cancel(user, runId);
    const told = await kit.settle(user, stream);

    expect(told.ending).toMatchObject({
      reason: 'CANCELLED',
      unfinishedTools: [{ callId: 'second', name: 'waits', fate: 'STOPPED' }],
    });
    expect(told.of('ToolResultChunk').map(({ callId, ok }) => [callId, ok])).toEqual([
      ['first', true],
      ['second', false],
    ]);
    await expectToGoOn(kit, user, told);
  });

  it('with more calls waiting than may run: those are not started', async () => {
    kit.script(
      calling([
        { id: 'first', name: 'waits', arguments: {} },
        { id: 'second', name: 'quick', arguments: { number: 2 } },
      ]),
    );
    const stream = kit.open(user, { config: { maxParallelTools: 1 } });
    const { runId } = await stream.until((chunk) => chunk.__typename === 'ToolCallChunk' && chunk.status === 'RUNNING');
    await kit.cancel(user, runId);
    const told = await kit.settle(user, stream);

    expect(told.reason).toBe('CANCELLED');
    expect(
      told
        .of('ToolCallChunk')
        .filter(({ callId }) => callId === 'second')
        .map(({ status }) => status),
    ).toEqual(['PENDING', 'NOT_RUN']);
    await expectToGoOn(kit, user, told);
  });

  it('in a retry wait: it is not waited for', async () => {
    const script = kit.script(reply.error(429, { headers: { 'retry-after': '300' } }));
    const reading = kit.settle(user, kit.open(user));
    await (await script.request(1)).closed;
    await kit.cancel(user, await onlyRun());
    const told = await reading;

    expect(told).toMatchObject({ reason: 'CANCELLED', text: '' });
    expect(script.requests()).toHaveLength(1);
    await expectToGoOn(kit, user, told);
  });

  it('between turns: whatever the moment, the next turn is the last that may have begun', async () => {
    // It waits in its fortieth turn, lest a quick machine comes to the end of the run first.
    const quickly = (number: number) => calling([{ name: 'quick', arguments: { number } }]);
    const script = kit.script().always(({ number }) => (number < 40 ? quickly(number) : hanging()));
    const stream = kit.open(user, { config: { maxIterations: 50 } });
    const { runId } = await stream.until((chunk) => chunk.__typename === 'ToolResultChunk');
    await kit.cancel(user, runId);
    const turns = script.requests().length;
    const told = await kit.settle(user, stream);

    expect(told.reason).toBe('CANCELLED');
    expect(script.requests().length - turns).toBeLessThanOrEqual(1); // one may have been on its way
    await expectToGoOn(kit, user, told);
  });

  it('twice, one after the other and at once: one call ended it, and there is one end', async () => {
    kit.script(hanging());
    const stream = kit.open(user);
    const { runId } = await stream.until(isContent);
    const answers = await Promise.all([kit.cancel(user, runId), kit.cancel(user, runId), kit.cancel(kit.admin, runId)]);
    const late = await kit.cancel(user, runId);
    const told = await kit.settle(user, stream);

    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(late).toBe(false);
    expect(told.reason).toBe('CANCELLED');
  });

  it('from another tab or by an administrator ends it like one’s own', async () => {
    const { issueToken } = await user.ask<{ issueToken: { token: string } }>(
      'mutation { issueToken(input: { name: "another tab" }) { ... on IssuedToken { token } } }',
    );
    const otherTab: TestUser = { ...user, ...kit.as(issueToken.token) };
    for (const canceller of [otherTab, kit.admin]) {
      kit.script(hanging());
      const stream = kit.open(user);
      const { runId } = await stream.until(isContent);

      expect(await kit.cancel(canceller, runId)).toBe(true);
      expect(await kit.settle(user, stream)).toMatchObject({ reason: 'CANCELLED', text: 'On and on. ' });
    }
  });

  it('by somebody else is refused as if there were no such run, and the run goes on', async () => {
    const gate = createGate();
    kit.script(reply.stream([step.text('Still '), step.wait(gate.opened), step.text('here.'), ...closing('stop')]));
    const stream = kit.open(user);
    const { runId } = await stream.until(isContent);
    const stranger = await kit.newUser();
    const refused = await stranger.query('mutation ($runId: ID!) { cancelRun(runId: $runId) }', { runId });
    gate.open();

    expect(codesOf(refused)).toEqual(['NOT_FOUND']);
    expect(await kit.settle(user, stream)).toMatchObject({ reason: 'COMPLETED', text: 'Still here.' });
  });

  it('racing the end, 50 times: one end, and the call is told the truth', async () => {
    const random = seeded(20_26);
    for (let attempt = 0; attempt < 50; attempt += 1) {
      const gate = createGate();
      kit.script(reply.stream([step.text('Almost '), step.wait(gate.opened), step.text('done.'), ...closing('stop')]));
      const stream = kit.open(user);
      const { runId } = await stream.until(isContent);
      const reading = kit.settle(user, stream);
      const cancelling = kit.cancel(user, runId);
      await breaths(Math.floor(random() * 1_000));
      gate.open();
      const [ended, told] = await Promise.all([cancelling, reading]);

      expect(['CANCELLED', 'COMPLETED']).toContain(told.reason);
      expect(ended).toBe(told.reason === 'CANCELLED');
    }
  });
});

/** So many turns of the event loop: an order of events, not a length of time. */
async function breaths(count: number): Promise<void> {
  for (let breath = 0; breath < count; breath += 1) await setImmediate();
}
