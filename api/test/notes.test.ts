import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from './kit/client.ts';
import { type Kit, startKit, type TestUser } from './kit/kit.ts';

const save = `mutation ($input: SaveNoteInput!) {
  saveNote(input: $input) {
    __typename
    ... on Note { id path title body hash createdAt updatedAt }
    ... on InvalidInput { message problems { field message value min max } }
  }
}`;

interface Saved {
  readonly saveNote: Record<string, unknown> & { readonly problems: { field: string; message: string }[] };
}
interface Listed {
  readonly notes: {
    readonly edges: { cursor: string; node: { path: string; body?: string } }[];
    readonly totalCount: number;
    readonly pageInfo: { hasNextPage: boolean; endCursor: string };
  };
}

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.stop());

async function projectOf(user: TestUser): Promise<string> {
  const { projects } = await user.ask<{ projects: { id: string }[] }>('{ projects { id name isDefault createdAt } }');
  return projects[0]?.id ?? '';
}

describe('saving a note', () => {
  it('puts it into the default project, where it can be read again', async () => {
    const user = await kit.newUser();

    const { saveNote } = await user.ask<Saved>(save, { input: { path: 'plans/summer.md', body: '# Summer\n\nSwim.' } });
    const { note } = await user.ask('{ note(path: "plans/summer.md") { path title body } }');

    expect(saveNote).toMatchObject({ __typename: 'Note', path: 'plans/summer.md', title: 'Summer' });
    expect(note).toEqual({ path: 'plans/summer.md', title: 'Summer', body: '# Summer\n\nSwim.' });
  });

  it('replaces what stands at that path, and keeps its id', async () => {
    const user = await kit.newUser();

    const first = await user.ask<Saved>(save, { input: { path: 'a', body: 'one' } });
    const second = await user.ask<Saved>(save, { input: { path: 'a', body: 'two', projectId: await projectOf(user) } });

    expect(second.saveNote).toMatchObject({ id: first.saveNote.id, body: 'two', title: 'a' });
  });

  it.each([
    ['', 'Path must not be empty.'],
    ['   ', 'Path must not be empty.'],
    ['/etc/passwd', 'Path must be relative: leave out the / at the start.'],
    ['a/../b', 'Path must not contain . or .. as a part.'],
    ['./a', 'Path must not contain . or .. as a part.'],
    ['a//b', 'Path must not have empty parts, as in a//b.'],
    ['a/ /b', 'Path must not have empty parts, as in a//b.'],
    ['folder/', 'Path must end in the name of the note, not in /.'],
    ['a\0b', 'Path must not contain control characters.'],
    ['a\nb', 'Path must not contain control characters.'],
    ['x'.repeat(501), 'Path must be at most 500 characters long.'],
  ])('refuses the path %j with a sentence', async (path, message) => {
    const { saveNote } = await kit.admin.ask<Saved>(save, { input: { path, body: 'text' } });

    expect(saveNote.__typename).toBe('InvalidInput');
    expect(saveNote.problems.map((problem) => [problem.field, problem.message])).toEqual([['path', message]]);
  });

  it('reports path and body together, and does not send a huge body back', async () => {
    const body = `\u00e9${'x'.repeat(1_000_000)}`;

    const { saveNote } = await kit.admin.ask<Saved>(save, { input: { path: '..', body } });
    const nul = await kit.admin.ask<Saved>(save, { input: { path: 'a', body: 'a\0b' } });

    expect(saveNote.problems).toEqual([
      { field: 'path', message: 'Path must not contain . or .. as a part.', value: '..', min: 1, max: 500 },
      {
        field: 'body',
        message: 'Body must be at most 1,000,000 bytes long; this one has 1,000,002.',
        value: null,
        min: null,
        max: 1_000_000,
      },
    ]);
    expect(nul.saveNote.problems[0]?.message).toBe('Body must not contain the NUL character.');
  });

  it('keeps an empty body, odd characters and the largest size', async () => {
    for (const body of ['', 'a\r\nb\t\u0001 \u{1f6a2}', 'x'.repeat(1_000_000)]) {
      const { saveNote } = await kit.admin.ask<Saved>(save, { input: { path: 'odd.md', body } });
      expect(saveNote.body).toBe(body);
    }
  });
});

describe('whose notes', () => {
  it('answers a foreign project exactly as a missing one, for every field', async () => {
    const [owner, other] = [await kit.newUser(), await kit.newUser()];
    const foreign = await projectOf(owner);

    for (const projectId of [foreign, randomUUID(), 'no-id-at-all', '']) {
      const answers = [
        await other.query(save, { input: { projectId, path: 'a', body: 'b' } }),
        await other.query('query ($id: ID) { note(projectId: $id, path: "welcome") { id } }', { id: projectId }),
        await other.query('query ($id: ID) { notes(projectId: $id) { totalCount } }', { id: projectId }),
      ];
      for (const answer of answers) {
        expect(codesOf(answer)).toEqual(['NOT_FOUND']);
        expect(answer.errors?.[0]?.message).toBe('There is no such project.');
      }
    }
    expect((await owner.ask('{ note(path: "a") { id } }')).note).toBeNull();
  });

  it('keeps the projects of others from all but administrators', async () => {
    const [owner, other] = [await kit.newUser(), await kit.newUser()];
    const query = 'query ($id: ID) { projects(userId: $id) { name } }';

    expect(codesOf(await other.query(query, { id: owner.id }))).toEqual(['NOT_FOUND']);
    expect(await kit.admin.ask(query, { id: owner.id })).toEqual({ projects: [{ name: 'My notes' }] });
  });

  it('is closed to strangers', async () => {
    for (const query of ['{ projects { id } }', '{ notes { totalCount } }', '{ note(path: "a") { id } }'])
      expect(codesOf(await kit.stranger.query(query))).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await kit.stranger.query(save, { input: { path: '..', body: '' } }))).toEqual(['UNAUTHENTICATED']);
  });
});

describe('listing notes', () => {
  it('goes through them by path, page by page, with the sample notes for a newcomer', async () => {
    const user = await kit.newUser();
    const query =
      'query ($after: String) { notes(first: 4, after: $after) { totalCount pageInfo { hasNextPage endCursor } edges { cursor node { path body } } } }';

    const paths: string[] = [];
    let after: string | undefined;
    do {
      const { notes } = await user.ask<Listed>(query, { after });
      expect(notes.totalCount).toBe(10);
      paths.push(...notes.edges.map(({ node }) => node.path));
      expect(notes.edges.every(({ node }) => node.body?.startsWith('# '))).toBe(true);
      after = notes.pageInfo.hasNextPage ? notes.pageInfo.endCursor : undefined;
    } while (after);

    expect(paths).toHaveLength(10);
    expect(new Set(paths).size).toBe(10);
  });

  it('finds by title, path and words of the text, and takes % and NUL for what they are', async () => {
    const user = await kit.newUser();
    const matching = async (search: string) => {
      const { notes } = await user.ask<Listed>(
        'query ($search: String) { notes(search: $search) { totalCount edges { node { path } } } }',
        { search },
      );
      return notes.edges.map(({ node }) => node.path);
    };

    expect(await matching('GLOSS')).toEqual(['glossary.md']);
    expect(await matching('08-wee')).toEqual(['meetings/2026-04-08-weekly.md']);
    expect(await matching('redis')).toEqual(['decisions/caching.md']);
    expect(await matching('%')).toEqual([]);
    expect(await matching('GLO\0SS')).toEqual(['glossary.md']);
  });

  it('refuses a bad page', async () => {
    expect(codesOf(await kit.admin.query('{ notes(first: 0) { totalCount } }'))).toEqual(['BAD_USER_INPUT']);
    expect(codesOf(await kit.admin.query('{ notes(after: "x") { totalCount } }'))).toEqual(['BAD_USER_INPUT']);
  });
});
