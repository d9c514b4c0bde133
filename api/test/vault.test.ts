import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/store/database.ts';
import { sampleNotes } from '../src/vault/sample-vault.ts';
import { VaultService } from '../src/vault/vault-service.ts';
import { type Kit, startKit } from './kit/kit.ts';

let kit: Kit;
let vault: VaultService;
let close: () => Promise<void>;
/** The sample vault of the first administrator. */
let sample: string;
beforeAll(async () => {
  kit = await startKit();
  const database = await openDatabase(kit.database.url);
  close = () => database.close();
  vault = new VaultService(database);
  sample = (await vault.defaultProject(kit.admin.id)).id;
});
afterAll(async () => {
  await close();
  await kit.stop();
});

async function projectWith(...paths: readonly string[]): Promise<string> {
  const user = await kit.newUser();
  const { id } = await vault.defaultProject(user.id);
  await kit.database.query('delete from notes where project_id = $1', [id]);
  for (const path of paths) await vault.write(id, { path, body: `About ${path}` });
  return id;
}

const found = async (projectId: string, query: string, limit = 5) =>
  (await vault.search(projectId, { query, limit })).map((hit) => hit.path);

describe('search', () => {
  it.each([
    ['How long are timetables cached?', 'decisions/caching.md'],
    ['Why is there no Redis?', 'decisions/caching.md'],
    ['What happened on 21 May?', 'incidents/2026-05-21-stale-timetable.md'],
    ['Who may release on a Friday?', 'handbook/release-process.md'],
    ['What does a new colleague do in the first week?', 'handbook/onboarding.md'],
    ['When does Oskar start?', 'meetings/2026-04-08-weekly.md'],
    ['What is a rehearsal server?', 'glossary.md'],
    ['How often are backups taken?', 'decisions/database.md'],
  ])('finds the answer to “%s” in %s', async (question, path) => {
    expect((await found(sample, question)).slice(0, 2)).toContain(path);
  });

  it('shows the best passage as plain text of whole lines, with its line', async () => {
    const [hit] = await vault.search(sample, { query: 'backups restored Monday', limit: 5 });

    expect(hit).toMatchObject({ path: 'decisions/database.md', title: 'One PostgreSQL database', line: 9 });
    expect(hit?.snippet).toMatch(/^Backups are taken every hour and kept for 30 days\. Marek restores one/);
    const body = sampleNotes.find(({ path }) => path === hit?.path)?.body ?? '';
    expect(body.split('\n')[8]).toMatch(/^Backups are taken/);
  });

  it('keeps snippets within 500 characters and scores between 0 and 1, best first', async () => {
    const hits = await vault.search(sample, { query: 'timetable release server harbour', limit: 20 });

    const scores = hits.map((hit) => hit.score);
    expect(hits.length).toBeGreaterThan(3);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
    expect(hits.every((hit) => hit.snippet.length <= 500 && hit.snippet.length > 0)).toBe(true);
  });

  it('takes the last word as a beginning', async () => {
    expect(await found(sample, 'glos')).toContain('glossary.md');
    expect(await found(sample, 'timetabl')).toContain('decisions/caching.md');
    expect(await found(sample, 'stale timet')).toContain('incidents/2026-05-21-stale-timetable.md');
  });

  it('takes quotes and a minus at their word', async () => {
    expect(await found(sample, '"night duty" -phone')).not.toContain('handbook/on-call.md');
    expect(await found(sample, '"night duty"')).toContain('handbook/on-call.md');
    expect(await found(sample, '"memory cached"')).toEqual([]);
  });

  it('ranks a word in the title above one in the text', async () => {
    const projectId = await projectWith();
    await vault.write(projectId, { path: 'a.md', body: '# Other\n\nA lighthouse, among other things.' });
    await vault.write(projectId, { path: 'b.md', body: '# The lighthouse\n\nIt is white.' });

    expect(await found(projectId, 'lighthouse')).toEqual(['b.md', 'a.md']);
  });

  it.each([
    '',
    '   ',
    'the of and',
    '!!!',
    "'",
    ':*',
    '\\',
    '"',
    '-',
    '((',
    'a\0b',
    '\ud800',
    'x'.repeat(5_000),
    '& | !',
  ])('answers %j without failing', async (query) => {
    expect(await vault.search(sample, { query, limit: 5 })).toBeInstanceOf(Array);
  });

  it('finds the place of a passage that holds tags, or stands in one very long line', async () => {
    const projectId = await projectWith();
    const filler = 'word '.repeat(3_000);
    await vault.write(projectId, { path: 'tags.md', body: `${'word\n'.repeat(3_000)}<p>the <b>zeppelin</b></p>` });
    await vault.write(projectId, { path: 'long.md', body: `${filler} submarine ${filler}` });

    const [tags] = await vault.search(projectId, { query: 'zeppelin', limit: 1 });
    const [long] = await vault.search(projectId, { query: 'submarine', limit: 1 });
    expect(tags?.snippet).toMatch(/^word .*<p>the <b>zeppelin<\/b><\/p>$/);
    expect(tags?.line).toBeGreaterThan(2_900);
    expect(long).toMatchObject({ line: 1 });
    expect(long?.snippet).toContain('submarine');
  });

  it('leaves out notes that share much less with the question than the best does', async () => {
    const projectId = await projectWith();
    await vault.write(projectId, { path: 'all.md', body: 'red green blue yellow' });
    await vault.write(projectId, { path: 'half.md', body: 'red green' });
    await vault.write(projectId, { path: 'one.md', body: 'red' });

    expect(await found(projectId, 'red green blue yellow')).toEqual(['all.md', 'half.md']);
    expect(await found(projectId, 'red')).toHaveLength(3);
  });

  it('never sees another project', async () => {
    const [mine, theirs] = [await projectWith(), await projectWith()];
    await vault.write(theirs, { path: 'secret.md', body: 'The kingfisher flies at dawn.' });

    expect(await found(mine, 'kingfisher')).toEqual([]);
    expect(await found(theirs, 'kingfisher')).toEqual(['secret.md']);
  });
});

describe('reading', () => {
  it('finds a note by its path, with or without .md and as links have it', async () => {
    for (const path of [
      'decisions/caching.md',
      'decisions/caching',
      '[[decisions/caching]]',
      '/decisions/caching.md',
    ]) {
      const outcome = await vault.read(sample, path);
      expect(outcome.type === 'found' && outcome.note.title).toBe('Caching of timetables');
    }
  });

  it('names the nearest paths when there is none', async () => {
    expect(await vault.read(sample, 'decisions/cahcing.md')).toEqual({
      type: 'missing',
      nearest: expect.arrayContaining(['decisions/caching.md']),
    });
    expect(await vault.read(sample, 'onboarding')).toEqual({ type: 'missing', nearest: ['handbook/onboarding.md'] });
    expect(await vault.read(sample, 'zzzzzzzzzzzzzzzz')).toEqual({ type: 'missing', nearest: [] });
  });

  it('never reads or suggests from another project', async () => {
    const [mine, theirs] = [await projectWith('mine.md'), await projectWith('theirs.md')];

    expect(await vault.read(mine, 'theirs.md')).toEqual({ type: 'missing', nearest: [] });
    expect((await vault.read(theirs, 'theirs.md')).type).toBe('found');
  });
});

describe('listing', () => {
  it('shows what lies in a folder, and how much lies in each below', async () => {
    const top = await vault.list(sample, '');

    expect(top.folders).toEqual([
      { path: 'decisions', notes: 3 },
      { path: 'handbook', notes: 3 },
      { path: 'incidents', notes: 1 },
      { path: 'meetings', notes: 1 },
    ]);
    expect(top.notes.map(({ path, title }) => [path, title])).toEqual([
      ['glossary.md', 'Glossary'],
      ['welcome.md', 'Welcome to the sample vault'],
    ]);
    expect(top).toMatchObject({ folder: '', total: 10, more: false });
    expect((await vault.list(sample, '/handbook/')).notes.map(({ path }) => path)).toEqual([
      'handbook/on-call.md',
      'handbook/onboarding.md',
      'handbook/release-process.md',
    ]);
  });

  it('takes a folder by its whole name, and a percent sign as itself', async () => {
    const projectId = await projectWith('a/one.md', 'ab/two.md', 'a%/three.md');

    expect((await vault.list(projectId, 'a')).total).toBe(1);
    expect((await vault.list(projectId, 'a%')).notes.map(({ path }) => path)).toEqual(['a%/three.md']);
    expect((await vault.list(projectId, 'none')).total).toBe(0);
  });

  it('is bounded, and says so', async () => {
    const projectId = await projectWith();
    await kit.database.query(
      `insert into notes (id, project_id, path, title, body, hash)
       select gen_random_uuid(), $1, place || n, 'x', 'x', 'x' from generate_series(1, 150) n, unnest(array['n', 'f/', 'f' || n || '/']) place`,
      [projectId],
    );

    const top = await vault.list(projectId, '');
    expect(top).toMatchObject({ total: 450, more: true });
    expect([top.folders.length, top.notes.length]).toEqual([100, 100]);
  });
});

describe('writing', () => {
  it('creates, replaces, and leaves alone what is the same', async () => {
    const projectId = await projectWith();

    const created = await vault.write(projectId, { path: 'a.md', body: '# One' });
    const replaced = await vault.write(projectId, { path: 'a.md', body: '# Two' });
    const unchanged = await vault.write(projectId, { path: 'a.md', body: '# Two' });

    expect([created.type, replaced.type, unchanged.type]).toEqual(['created', 'replaced', 'unchanged']);
    const notes = [created, replaced, unchanged].flatMap((outcome) => ('note' in outcome ? [outcome.note] : []));
    expect(notes.map(({ title }) => title)).toEqual(['One', 'Two', 'Two']);
    expect(new Set(notes.map(({ id }) => id)).size).toBe(1);
    expect(new Set(notes.map(({ hash }) => hash)).size).toBe(2);
    expect(notes[2]?.updatedAt).toEqual(notes[1]?.updatedAt);
  });

  it('takes one name for one path, however its letters are composed', async () => {
    const projectId = await projectWith();

    await vault.write(projectId, { path: 'caf\u00e9.md', body: 'one' });
    expect((await vault.write(projectId, { path: 'cafe\u0301.md', body: 'two' })).type).toBe('replaced');
  });

  it('lets writers of one path race without losing the note or failing', async () => {
    const projectId = await projectWith();

    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) => vault.write(projectId, { path: 'a.md', body: `version ${n}` })),
    );
    expect(outcomes.filter(({ type }) => type === 'created')).toHaveLength(1);
    expect((await vault.list(projectId, '')).total).toBe(1);
  });

  it.each([
    ['words that are all different', (n: number) => `w${n.toString(36)} `],
    ['compound words', (n: number) => `${n.toString(36)}a-${n.toString(36)}b-${n.toString(36)}c `],
    [
      'letters of three bytes',
      (n: number) => `${String.fromCodePoint(0x4e00 + (n % 20_000), 0x4e00 + ((n * 7) % 19_997))} `,
    ],
    ['addresses', (n: number) => `https://example${n}.com/a/b${n}?c=${n} `],
    ['one endless word', () => 'x'],
  ])('saves a megabyte of %s', async (_name, word) => {
    const projectId = await projectWith();
    const words = Array.from({ length: 200_000 }, (_, n) => word(n)).join('');
    const body = Buffer.from(words.repeat(5)).subarray(0, 900_000).toString();

    expect((await vault.write(projectId, { path: 'big.md', body })).type).toBe('created');
  });
});

describe('the default project', () => {
  it('is made once, with the sample notes, when first uses race', async () => {
    const user = await kit.newUser();

    const projects = await Promise.all(Array.from({ length: 8 }, () => vault.defaultProject(user.id)));

    expect(new Set(projects.map(({ id }) => id)).size).toBe(1);
    expect((await vault.list(projects[0]?.id ?? '', '')).total).toBe(sampleNotes.length);
  });

  it('is the first administrator’s from the start, and is left alone by a second start', async () => {
    const before = await startKit();
    await before.database.query("delete from notes where path <> 'welcome.md'");
    const again = await startKit({ database: before.database });

    const { notes } = await again.admin.ask<{ notes: { totalCount: number } }>('{ notes { totalCount } }');
    expect(notes.totalCount).toBe(1);
    await again.stop();
    await before.stop();
  });

  it('has links that lead somewhere', () => {
    const paths = new Set(sampleNotes.map(({ path }) => path));
    const links = sampleNotes.flatMap(({ body }) =>
      [...body.matchAll(/\[\[([^\]|]+)/g)].map((match) => `${match[1]}.md`),
    );

    expect(links.length).toBeGreaterThan(15);
    expect(links.filter((link) => !paths.has(link))).toEqual([]);
  });
});
