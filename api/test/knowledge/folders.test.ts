import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit, type TestUser } from '../kit/kit.ts';

let kit: Kit;
let person: TestUser;
let projectId: string;
beforeAll(async () => {
  kit = await startKit();
  person = await kit.newUser();
  const made = await person.ask<{ createProject: { id: string } }>(
    'mutation { createProject(name: "Folders") { ... on Project { id } } }',
  );
  projectId = made.createProject.id;
  for (const path of ['z.md', 'a.md', 'b/one.md', 'b/two.md', 'b/c/three.md', 'b.md', 'Überblick/x.md', 'b%/y.md']) {
    await person.ask('mutation ($input: SaveNoteInput!) { saveNote(input: $input) { __typename } }', {
      input: { projectId, path, body: `# ${path}` },
    });
  }
  await person.ask('mutation ($input: SaveCodeFilesInput!) { saveCodeFiles(input: $input) { __typename } }', {
    input: {
      projectId,
      files: [
        { path: 'src/main.ts', text: 'x' },
        { path: 'readme.txt', text: 'y' },
      ],
    },
  });
});
afterAll(() => kit.stop());

interface Folder {
  readonly edges: readonly { readonly node: Entry }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly totalCount: number;
}
interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
  readonly files: number;
  readonly title: string | null;
}

async function look(field: string, variables: object = {}, who: TestUser = person): Promise<Folder> {
  const answer = await who.ask<Record<string, Folder>>(
    `query ($projectId: ID, $path: String, $first: Int, $after: String) {
      ${field}(projectId: $projectId, path: $path, first: $first, after: $after) {
        totalCount pageInfo { hasNextPage endCursor } edges { node { path isFolder files title } }
      }
    }`,
    { projectId, ...variables },
  );
  const found = answer[field];
  if (!found) throw new Error('No answer.');
  return found;
}

const show = ({ edges }: Folder) =>
  edges.map(({ node }) => (node.isFolder ? `${node.path}/ ${node.files}` : `${node.path} ${node.title}`));

describe('a folder', () => {
  it('lists folders with what they hold, then files, and nothing from below', async () => {
    const root = await look('noteFolder');

    expect(show(root)).toEqual(['b/ 3', 'b%/ 1', 'Überblick/ 1', 'a.md a.md', 'b.md b.md', 'z.md z.md']);
    expect(root.totalCount).toBe(6);
    expect(show(await look('noteFolder', { path: 'b/' }))).toEqual([
      'b/c/ 1',
      'b/one.md b/one.md',
      'b/two.md b/two.md',
    ]);
    expect(show(await look('noteFolder', { path: 'nowhere' }))).toEqual([]);
    expect(show(await look('codeFolder'))).toEqual(['src/ 1', 'readme.txt null']);
  });

  it('comes in pages that miss and repeat nothing', async () => {
    const found: string[] = [];
    for (let after: string | null = null; ; ) {
      const page: Folder = await look('noteFolder', { first: 2, after });
      found.push(...show(page));
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
    }

    expect(found).toEqual(show(await look('noteFolder')));
  });

  it('refuses cursors that are none, and projects of others', async () => {
    await expect(look('noteFolder', { after: 'nonsense' })).rejects.toThrow('after must be a cursor');
    const other = await kit.newUser();
    await expect(look('noteFolder', {}, other)).rejects.toThrow('no such project');
  });
});
