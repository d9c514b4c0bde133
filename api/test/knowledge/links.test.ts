import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import type { TestUser } from '../kit/kit.ts';
import { type KnowledgeKit, startKnowledgeKit } from './kit.ts';

let kit: KnowledgeKit;
beforeAll(async () => {
  kit = await startKnowledgeKit();
});
afterAll(() => kit.stop());

interface NoteAnswer {
  readonly note: {
    readonly body: string;
    readonly links: { target: string; line: number; times: number; note: { path: string } | null }[];
    readonly backlinks: { totalCount: number; edges: { cursor: string; node: { path: string } }[] };
  };
}

async function projectWith(notes: Readonly<Record<string, string>>) {
  const { user, projectId } = await kit.newOwner();
  await kit.vault.writeMany(
    projectId,
    Object.entries(notes).map(([path, body]) => ({ path, body })),
  );
  const look = (path: string) => lookAt(user, projectId, path);
  const body = async (path: string) => (await look(path)).body;
  const move = async (from: string, newPath: string) =>
    (await user.ask<{ moveNote: Record<string, unknown> }>(moveNote, { input: { projectId, path: from, newPath } }))
      .moveNote;
  return { user, projectId, look, body, move };
}

async function lookAt(user: TestUser, projectId: string, path: string) {
  const { note } = await user.ask<NoteAnswer>(
    `query ($projectId: ID, $path: String!) { note(projectId: $projectId, path: $path) {
      body links { target line times note { path } } backlinks { totalCount edges { cursor node { path } } }
    } }`,
    { projectId, path },
  );
  return note;
}

const moveNote = `mutation ($input: MoveNoteInput!) { moveNote(input: $input) {
  __typename
  ... on MovedNote { from notesRewritten linksRewritten note { path title body } }
  ... on NoteConflict { message current { path } }
  ... on InvalidInput { message problems { field message } }
} }`;

const backlinks = (note: NoteAnswer['note']) => note.backlinks.edges.map(({ node }) => node.path);

describe('links of notes', () => {
  it('lead to a path, with or without .md, or to a name that one note alone has', async () => {
    const { look } = await projectWith({
      'plans/summer.md': '# Summer',
      'a/twin.md': '',
      'b/twin.md': '',
      'index.md': '[[plans/summer]] [[plans/summer.md|x]]\n![[summer#Part]] [[twin]] [[nowhere]] `[[plans/summer]]`',
    });

    expect((await look('index')).links).toEqual([
      { target: 'plans/summer', line: 1, times: 1, note: { path: 'plans/summer.md' } },
      { target: 'plans/summer.md', line: 1, times: 1, note: { path: 'plans/summer.md' } },
      { target: 'nowhere', line: 2, times: 1, note: null },
      { target: 'summer', line: 2, times: 1, note: { path: 'plans/summer.md' } },
      { target: 'twin', line: 2, times: 1, note: null },
    ]);
    expect(backlinks(await look('plans/summer'))).toEqual(['index.md']);
    expect(backlinks(await look('a/twin'))).toEqual([]);
  });

  it('follow what is saved and deleted', async () => {
    const { user, projectId, look } = await projectWith({ 'a.md': '[[b]]', 'b.md': '[[b]] itself' });
    expect(backlinks(await look('b'))).toEqual(['a.md']);

    await kit.vault.write(projectId, { path: 'a.md', body: 'nothing' });
    await kit.vault.write(projectId, { path: 'c.md', body: '[[x/b]] [[b]]' });
    expect(backlinks(await look('b'))).toEqual(['c.md']);

    const remove = 'mutation ($id: ID) { deleteNote(projectId: $id, path: "b.md") }';
    expect(await user.ask(remove, { id: projectId })).toEqual({ deleteNote: true });
    expect(await user.ask(remove, { id: projectId })).toEqual({ deleteNote: false });
    expect((await look('c')).links.map(({ note }) => note)).toEqual([null, null]);

    await kit.vault.write(projectId, { path: 'x/b.md', body: 'back' });
    expect((await look('c')).links.map(({ note }) => note?.path)).toEqual(['x/b.md', 'x/b.md']);
  });

  it('are told in pages, for many notes at once', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 25 }, (_, n) => [`n/${String(n).padStart(2, '0')}.md`, '[[hub]]']),
    );
    const { user, projectId } = await projectWith({ ...many, 'hub.md': '' });
    const query = `query ($id: ID, $after: String) { note(projectId: $id, path: "hub") {
      backlinks(first: 10, after: $after) { totalCount pageInfo { hasNextPage endCursor } edges { node { path } } } } }`;

    const paths: string[] = [];
    let after: string | undefined;
    do {
      const { note } = await user.ask<{
        note: {
          backlinks: {
            totalCount: number;
            pageInfo: { hasNextPage: boolean; endCursor: string };
            edges: { node: { path: string } }[];
          };
        };
      }>(query, { id: projectId, after });
      expect(note.backlinks.totalCount).toBe(25);
      paths.push(...note.backlinks.edges.map(({ node }) => node.path));
      after = note.backlinks.pageInfo.hasNextPage ? note.backlinks.pageInfo.endCursor : undefined;
    } while (after);

    expect(paths).toEqual(Object.keys(many));
    expect(codesOf(await user.query(query, { id: projectId, after: 'x' }))).toEqual(['BAD_USER_INPUT']);
    const { notes } = await user.ask<{ notes: { edges: { node: { links: { note: { path: string } }[] } }[] } }>(
      'query ($id: ID) { notes(projectId: $id, first: 3) { edges { node { links { note { path } } backlinks { totalCount } } } } }',
      { id: projectId },
    );
    expect(notes.edges.slice(1).every(({ node }) => node.links[0]?.note.path === 'hub.md')).toBe(true);
  });
});

describe('moving a note', () => {
  it('rewrites every form of link to it, and nothing else', async () => {
    const { move, body, look } = await projectWith({
      'decisions/caching.md': '# Caching\n\nSelf: [[decisions/caching#Why]]',
      'decisions/caching-2.md': '[[caching-2]]',
      'index.md':
        '[[decisions/caching]] [[decisions/caching.md]] [[decisions/caching|alias]] [[decisions/caching#Why|w]]\n![[caching]] [[caching.md]] | [[caching\\|c]] |\n`[[caching]]`\n```\n[[caching]]\n```\n[[decisions/caching-2]] [[Caching]]',
    });

    const moved = await move('decisions/caching', 'archive/cache policy.md');

    expect(moved).toMatchObject({
      __typename: 'MovedNote',
      from: 'decisions/caching.md',
      notesRewritten: 2,
      linksRewritten: 8,
      note: {
        path: 'archive/cache policy.md',
        title: 'Caching',
        body: '# Caching\n\nSelf: [[archive/cache policy#Why]]',
      },
    });
    expect(await body('index')).toBe(
      '[[archive/cache policy]] [[archive/cache policy.md]] [[archive/cache policy|alias]] [[archive/cache policy#Why|w]]\n![[cache policy]] [[cache policy.md]] | [[cache policy\\|c]] |\n`[[caching]]`\n```\n[[caching]]\n```\n[[decisions/caching-2]] [[Caching]]',
    );
    expect(backlinks(await look('archive/cache policy'))).toEqual(['index.md']);
    expect(await body('decisions/caching-2')).toBe('[[caching-2]]');
  });

  it('writes the whole path where the name alone would not lead there', async () => {
    const { move, body } = await projectWith({ 'a/one.md': '', 'b/two.md': '', 'index.md': '[[one]] [[one.md]]' });

    await move('a/one.md', 'c/two.md');

    expect(await body('index')).toBe('[[c/two]] [[c/two.md]]');
  });

  it('leaves ambiguous links alone, and takes a title from the new name', async () => {
    const { move, body } = await projectWith({ 'a/one.md': 'text', 'b/one.md': '', 'index.md': '[[one]]' });

    expect(await move('a/one', 'a/three.md')).toMatchObject({ linksRewritten: 0, note: { title: 'three' } });
    expect(await body('index')).toBe('[[one]]');
  });

  it('answers clearly when it cannot be done, and changes nothing', async () => {
    const { move, body } = await projectWith({ 'a.md': '', 'b.md': 'B', 'index.md': '[[a]]' });

    expect(await move('a', 'b.md')).toEqual({
      __typename: 'NoteConflict',
      message: 'There is a note at b.md already.',
      current: { path: 'b.md' },
    });
    expect(await move('index.mdd', 'c.md')).toMatchObject({
      __typename: 'InvalidInput',
      problems: [{ field: 'path', message: 'There is no note at "index.mdd". Did you mean index.md?' }],
    });
    expect(await move('a', '../c')).toMatchObject({ problems: [{ field: 'newPath' }] });
    expect(await move('a', 'what#if.md')).toMatchObject({
      message: expect.stringContaining('could not be written'),
    });
    expect(await move('a', 'a.md')).toMatchObject({ __typename: 'MovedNote', linksRewritten: 0 });
    expect([await body('a'), await body('b'), await body('index')]).toEqual(['', 'B', '[[a]]']);
  });

  it('loses nothing when notes are saved and moved at once', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `n${n}`);
    const { projectId, move, look } = await projectWith(Object.fromEntries(names.map((name) => [`${name}.md`, 'x'])));

    await Promise.all([
      ...names.map((name) => move(name, `moved/${name}-new.md`)),
      ...names.map((name) =>
        kit.vault.write(projectId, { path: `from-${name}.md`, body: `[[${name}]] [[moved/${name}-new]]` }),
      ),
    ]);

    for (const name of names) expect(backlinks(await look(`moved/${name}-new`))).toEqual([`from-${name}.md`]);
  });
});
