import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, type Kit, startKit, type TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { createGate, type ScriptEntry } from '../kit/model-server.ts';
import { calling, noticesOf, type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import type { Told } from '../oracle/kit/told.ts';

let kit: OracleKit;
let other: Kit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
  other = await startKit({ database: kit.database });
  user = await kit.newUser();
});
afterAll(async () => {
  await other.stop();
  await kit.stop();
});

const save = (path: string, body: string, who: Client = user) =>
  who.ask('mutation ($input: SaveNoteInput!) { saveNote(input: $input) { __typename } }', { input: { path, body } });
const move = (path: string, newPath: string) =>
  user.ask('mutation ($input: MoveNoteInput!) { moveNote(input: $input) { __typename } }', {
    input: { path, newPath },
  });
const remove = (path: string) => user.ask('mutation ($path: String!) { deleteNote(path: $path) }', { path });

const reading = (...paths: readonly string[]) =>
  calling(paths.map((path, index) => ({ id: `r${index}`, name: 'vault_read', arguments: { path } })));
const said = (told: Told) => told.system('NOTIFICATION').map(({ message }) => message);

interface StaleEvent {
  readonly path: string;
  readonly change: string;
}

async function staleEvents(runId: string): Promise<readonly StaleEvent[]> {
  const { run } = await user.ask<{ run: { events: { edges: { node: { payload: StaleEvent } }[] } } }>(
    'query ($id: ID!) { run(id: $id) { events(name: "source.stale") { edges { node { payload } } } } }',
    { id: runId },
  );
  return run.events.edges.map(({ node }) => node.payload);
}

/** Runs what the script says; while the second request waits, the change is made and noticed. */
async function changingMeanwhile(
  first: ScriptEntry,
  change: () => Promise<unknown>,
  noticed: number,
  second: ScriptEntry = calling('something else'),
) {
  const gate = createGate();
  const waited: ScriptEntry = async (request) => {
    await gate.opened;
    return typeof second === 'function' ? second(request) : second;
  };
  const script = kit.script(first, waited, reply.text('Done.'));
  const stream = kit.open(user);
  const { runId } = await stream.until(() => true);
  await script.request(2);
  await change();
  await expect.poll(async () => (await staleEvents(runId)).length, { timeout: 10_000 }).toBe(noticed);
  gate.open();
  const told = await kit.settle(user, stream);
  return { told, notices: script.requests().map((request) => noticesOf(request).join()) };
}

describe('a note that was read and then', () => {
  it('is changed during the run is told to the person and, with its next request, to the model', async () => {
    await save('during/changed.md', 'May.');
    const { told, notices } = await changingMeanwhile(
      reading('during/changed.md'),
      () => save('during/changed.md', 'June.'),
      1,
    );

    expect(said(told)).toEqual(['during/changed.md changed since it was read.']);
    expect(notices.map((text) => text.includes('during/changed.md,changed,'))).toEqual([false, false, true]);
  });

  it('is moved or deleted during the run is told as that', async () => {
    await save('during/old.md', 'Moved.');
    await save('during/gone.md', 'Deleted.');
    const { told, notices } = await changingMeanwhile(
      reading('during/old.md', 'during/gone.md'),
      async () => {
        await move('during/old.md', 'during/new.md');
        await remove('during/gone.md');
      },
      2,
    );

    expect(said(told).join('\n').split('\n').toSorted()).toEqual([
      'during/gone.md was deleted since it was read.',
      'during/old.md was moved to during/new.md since it was read.',
    ]);
    expect(notices[2]).toContain('during/gone.md,was deleted,');
    expect(await staleEvents(told.runId)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: 'during/old.md', change: 'MOVED', newPath: 'during/new.md' }),
        expect.objectContaining({ path: 'during/gone.md', change: 'DELETED' }),
      ]),
    );
  });

  it('is changed through another server during the run is told as well', async () => {
    await save('during/elsewhere.md', 'One.');
    const { told } = await changingMeanwhile(
      calling('elsewhere'),
      () => save('during/elsewhere.md', 'Two.', other.as(user.token)),
      1,
    );

    expect(said(told)).toEqual(['during/elsewhere.md changed since it was read.']);
  });

  it('is changed while the last answer is written is told to the person before the end', async () => {
    await save('during/last.md', 'May.');
    const { told } = await changingMeanwhile(
      reading('during/last.md'),
      () => save('during/last.md', 'June.'),
      1,
      reply.text('In May.'),
    );

    expect(told.text).toBe('In May.');
    expect(said(told)).toEqual(['during/last.md changed since it was read.']);
  });

  it('is read again is known as it then was', async () => {
    await save('during/again.md', 'One.');
    const gate = createGate();
    const script = kit.script(
      reading('during/again.md'),
      async () => {
        await gate.opened;
        return reading('during/again.md');
      },
      calling('nothing new'),
      reply.text('Two.'),
    );
    const stream = kit.open(user);
    const { runId, conversationId } = await stream
      .until(() => true)
      .then(async ({ runId }) => ({
        runId,
        conversationId: (
          await user.ask<{ run: { conversationId: string } }>('query ($id: ID!) { run(id: $id) { conversationId } }', {
            id: runId,
          })
        ).run.conversationId,
      }));
    await script.request(2);
    await save('during/again.md', 'Two.');
    await expect.poll(async () => (await staleEvents(runId)).length).toBe(1);
    gate.open();
    await kit.settle(user, stream);
    kit.script(reply.text('Still two.'));

    expect(await staleEvents(runId)).toHaveLength(1);
    expect(said(await kit.ask(user, { conversationId }))).toEqual([]);
  });
});

describe('since an earlier exchange', () => {
  it('what was changed, moved, both or deleted is told as that, and nothing else is', async () => {
    for (const name of ['changed', 'moved', 'both', 'gone', 'kept', 'touched', 'again'])
      await save(`since/${name}.md`, `${name} one`);
    kit.script(
      reading('since/changed.md', 'since/moved.md', 'since/both.md', 'since/gone.md', 'since/kept.md'),
      reading('since/touched.md', 'since/again.md'),
      reply.text('Done.'),
    );
    const first = await kit.ask(user);
    await save('since/changed.md', 'changed two');
    await move('since/moved.md', 'since/moved-away.md');
    await move('since/both.md', 'since/both-away.md');
    await save('since/both-away.md', 'both two');
    await remove('since/gone.md');
    await save('since/touched.md', 'touched two');
    await save('since/touched.md', 'touched one');
    await remove('since/again.md');
    await save('since/again.md', 'again one');
    const script = kit.script(reply.text('Next.'));
    const next = await kit.ask(user, { conversationId: first.conversationId });

    expect(said(next).join('\n').split('\n').toSorted()).toEqual([
      'since/both.md was moved to since/both-away.md and changed since it was read.',
      'since/changed.md changed since it was read.',
      'since/gone.md was deleted since it was read.',
      'since/moved.md was moved to since/moved-away.md since it was read.',
    ]);
    expect(script.requests().flatMap(noticesOf).join()).toContain('since/gone.md,was deleted,');
    kit.script(reply.text('Elsewhere.'));
    expect(said(await kit.ask(user))).toEqual([]);
  });

  it('what changed between its reading and the end of that run is told in the next', async () => {
    await save('since/between.md', 'One.');
    kit.script(reading('since/between.md'), async () => {
      await save('since/between.md', 'Two.');
      return reply.text('One.');
    });
    const first = await kit.ask(user);
    kit.script(reply.text('Next.'));

    expect(said(await kit.ask(user, { conversationId: first.conversationId }))).toEqual([
      'since/between.md changed since it was read.',
    ]);
  });

  it('what the conversation itself wrote and moved is no news to it, then and later', async () => {
    await save('own/plan.md', 'One.');
    await save('own/list.md', 'One.');
    kit.script(
      reading('own/plan.md', 'own/list.md'),
      calling([
        { id: 'w', name: 'vault_write', arguments: { path: 'own/plan.md', body: 'Two.' } },
        { id: 'm', name: 'vault_move', arguments: { path: 'own/list.md', newPath: 'own/moved.md' } },
      ]),
      calling('nothing'),
      reply.text('Done.'),
    );
    const first = await kit.ask(user);
    kit.script(reply.text('Next.'));
    const next = await kit.ask(user, { conversationId: first.conversationId });
    await save('own/plan.md', 'Three.');
    kit.script(reply.text('Then.'));
    const then = await kit.ask(user, { conversationId: first.conversationId });

    expect(said(first)).toEqual([]);
    expect(said(next)).toEqual([]);
    expect(said(then)).toEqual(['own/plan.md changed since it was read.']);
  });
});
