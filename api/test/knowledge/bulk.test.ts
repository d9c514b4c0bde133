import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KnowledgeKit, startKnowledgeKit } from './kit.ts';

let kit: KnowledgeKit;
beforeAll(async () => {
  kit = await startKnowledgeKit();
});
afterAll(() => kit.stop());

describe('saving many notes', () => {
  it('counts what was created, changed and unchanged, and names what could not be saved', async () => {
    const { projectId } = await kit.newOwner();
    await kit.vault.writeMany(projectId, [
      { path: 'a.md', body: 'one' },
      { path: 'b.md', body: 'two' },
    ]);

    const saved = await kit.vault.writeMany(projectId, [
      { path: 'a.md', body: 'one' },
      { path: 'b.md', body: 'changed' },
      { path: 'c.md', body: 'new' },
      { path: '../up.md', body: 'bad\0' },
      { path: 'cafe\u0301.md', body: 'x' },
      { path: 'caf\u00e9.md', body: 'y' },
    ]);

    expect(saved).toEqual({
      created: 2,
      changed: 1,
      unchanged: 1,
      failures: [
        {
          path: '../up.md',
          message: 'Path must not contain . or .. as a part. Body must not contain the NUL character.',
        },
        { path: 'caf\u00e9.md', message: 'Another note of the same path was given.' },
      ],
    });
    expect((await kit.vault.list(projectId, '')).total).toBe(4);
  });

  it('takes five hundred at once, and nothing at all', async () => {
    const { projectId } = await kit.newOwner();
    const notes = Array.from({ length: 500 }, (_, n) => ({
      path: `n/${n}.md`,
      body: `# Note ${n}\n\nSee [[n/${n + 1}]].`,
    }));

    expect(await kit.vault.writeMany(projectId, notes)).toMatchObject({ created: 500, failures: [] });
    expect(await kit.vault.writeMany(projectId, notes)).toMatchObject({ created: 0, unchanged: 500 });
    expect(await kit.vault.writeMany(projectId, [])).toEqual({ created: 0, changed: 0, unchanged: 0, failures: [] });
  });

  it('lets many writers of the same notes at once get through', async () => {
    const { projectId } = await kit.newOwner();
    const notes = Array.from({ length: 30 }, (_, n) => ({ path: `${n}.md`, body: `[[${n + 1}]]` }));

    const saved = await Promise.all(
      Array.from({ length: 6 }, (_, writer) =>
        kit.vault.writeMany(
          projectId,
          (writer % 2 ? notes : notes.toReversed()).map(({ path, body }) => ({ path, body: `${body} ${writer}` })),
        ),
      ),
    );

    expect(saved.reduce((sum, { created }) => sum + created, 0)).toBe(30);
    const links = await kit.database.query<{ notes: string }>(
      'select note_id, count(*) as notes from note_links where project_id = $1 group by note_id having count(*) <> 1',
      [projectId],
    );
    expect(links).toEqual([]);
  });
});

describe('appending many entries', () => {
  it('makes threads, passes over what is there already, and names what could not be appended', async () => {
    const { projectId } = await kit.newOwner();
    const first = await kit.threads.appendMany(projectId, [
      { title: 'Caching', kind: 'THOUGHT', text: 'Fifteen minutes?' },
      { title: 'caching ', kind: 'DECISION', text: 'Fifteen minutes.' },
      {
        title: 'Piers',
        kind: 'RESEARCH',
        text: 'There are nine.',
        at: new Date('2026-01-02T03:04:05Z'),
        author: 'Ruth',
      },
    ]);

    const second = await kit.threads.appendMany(projectId, [
      { title: 'Caching', kind: 'DECISION', text: 'Fifteen minutes.' },
      { title: 'Caching', kind: 'INSIGHT', text: 'It was the clock.' },
      { title: 'Caching', kind: 'INSIGHT', text: 'It was the clock.' },
      { title: '', kind: 'THOUGHT', text: '' },
      { threadId: randomUUID(), kind: 'THOUGHT', text: 'Nowhere' },
      { threadId: 'no id', kind: 'THOUGHT', text: 'Nowhere' },
    ]);

    expect(first).toEqual({ threadsCreated: 2, appended: 3, unchanged: 0, failures: [] });
    expect(second).toEqual({
      threadsCreated: 0,
      appended: 1,
      unchanged: 2,
      failures: [
        { index: 3, message: 'Title must not be empty. Text must not be empty.' },
        { index: 4, message: 'There is no such thread.' },
        { index: 5, message: 'There is no such thread.' },
      ],
    });
    expect(
      await kit.database.query('select title, entry_count from threads where project_id = $1 order by title', [
        projectId,
      ]),
    ).toEqual([
      { title: 'Caching', entry_count: 3 },
      { title: 'Piers', entry_count: 1 },
    ]);
  });

  it('numbers entries without gaps when many append at once', async () => {
    const { projectId } = await kit.newOwner();

    await Promise.all(
      Array.from({ length: 12 }, (_, writer) =>
        kit.threads.append(projectId, { title: 'Busy', kind: 'THOUGHT', text: `From ${writer}` }),
      ),
    );

    const rows = await kit.database.query<{ number: number }>(
      'select number from thread_entries where project_id = $1 order by number',
      [projectId],
    );
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
  });
});
