import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodeKit, files, places, startCodeKit, worker } from './code-kit.ts';
import { samples } from './samples.ts';

let kit: CodeKit;
beforeAll(async () => {
  kit = await startCodeKit();
});
afterAll(() => kit.stop());

describe('files', () => {
  it('are listed by path in pages, with texts and symbols', async () => {
    const { codeFiles } = await kit.user.ask<{
      codeFiles: { totalCount: number; edges: { node: { path: string; text: string } }[]; pageInfo: object };
    }>(`{ codeFiles(first: 2, path: "src/") { totalCount pageInfo { hasNextPage }
      edges { node { path language lines bytes text symbols { name line } } } } }`);

    expect(codeFiles).toMatchObject({ totalCount: 4, pageInfo: { hasNextPage: true } });
    expect(codeFiles.edges.map(({ node }) => node.path)).toEqual(['crate/src/lib.rs', 'src/queue.ts']);
    expect(codeFiles.edges[1]?.node).toMatchObject({
      language: 'typescript',
      lines: 37,
      text: samples['src/queue.ts'],
    });
  });

  it('come back exactly as they were sent, however long their lines are', async () => {
    const texts = [
      '',
      '\n',
      'a',
      'a\r\nb\r\n',
      'x'.repeat(9_000),
      `${'y'.repeat(5_000)}\n`.repeat(3),
      'ä🚀\u2028\n'.repeat(3_000),
    ];
    await kit.save(texts.map((text, index) => ({ path: `exact/${index}.txt`, text })));

    for (const [index, text] of texts.entries()) {
      const answer = await kit.user.ask<{ codeFile: { text: string } }>(
        'query ($path: String!) { codeFile(path: $path) { text } }',
        {
          path: `exact/${index}.txt`,
        },
      );
      expect(answer.codeFile.text === text, `text ${index}`).toBe(true);
    }
  });

  it('that did not change are not written again; what changed is found anew and no longer as it was', async () => {
    expect(await kit.save(files())).toEqual({ created: 0, changed: 0, unchanged: files().length });

    const text = worker.replace('retryWithBackoff', 'retryPatiently');
    expect(await kit.save([{ path: 'src/worker.ts', text }])).toEqual({ created: 0, changed: 1, unchanged: 0 });

    expect(places(await kit.search('retryPatiently'))).toEqual(['src/worker.ts:4']);
    expect(await kit.search('"retryWithBackoff"')).toEqual([]);
    expect(await kit.save([{ path: 'src/worker.ts', text: worker }])).toMatchObject({ changed: 1 });
  });

  it('are deleted by path or by folder', async () => {
    await kit.save(
      ['gone/a.ts', 'gone/b/c.ts', 'gone_d.ts'].map((path) => ({ path, text: 'export const vanishing = 1;' })),
    );
    const remove = (paths: readonly string[]) =>
      kit.user.ask(
        'mutation ($paths: [String!]!) { deleteCodeFiles(input: { paths: $paths }) { ... on DeletedCodeFiles { deleted } } }',
        { paths },
      );

    expect(await remove(['gone/', 'nowhere.ts'])).toEqual({ deleteCodeFiles: { deleted: 2 } });
    expect(places(await kit.search('vanishing'))).toEqual(['gone_d.ts:1']);
    expect(await remove(['gone_d.ts'])).toEqual({ deleteCodeFiles: { deleted: 1 } });
    expect(
      (await kit.user.ask<{ codeDefinitions: object }>('{ codeDefinitions(name: "vanishing") { totalCount } }'))
        .codeDefinitions,
    ).toEqual({ totalCount: 0 });
  });

  it('with faults are all reported, and none is saved', async () => {
    const outcome = await kit.save([
      { path: 'good.ts', text: 'export {}' },
      { path: '../up.ts', text: 'a' },
      { path: 'nul.ts', text: 'a\0' },
      { path: 'good.ts', text: 'again' },
      { path: 'long.ts', text: 'x'.repeat(1_000_001) },
    ]);

    expect(outcome).toEqual({
      problems: [
        { field: 'files.1.path', message: 'Path must not contain . or .. as a part.' },
        { field: 'files.2.text', message: 'It is not a text: it contains the NUL character.' },
        { field: 'files.3.path', message: 'This path is that of file 0 as well.' },
        { field: 'files.4.text', message: 'It must be at most 1,000,000 bytes long; it has 1,000,001.' },
      ],
    });
    expect(await kit.user.ask('{ codeFile(path: "good.ts") { id } }')).toEqual({ codeFile: null });
  });
});
