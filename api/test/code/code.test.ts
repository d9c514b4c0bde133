import { estimateTokenCount } from 'tokenx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import { type Kit, startKit, type TestUser } from '../kit/kit.ts';
import { samples } from './samples.ts';

let kit: Kit;
let user: TestUser;
beforeAll(async () => {
  kit = await startKit();
  user = await kit.newUser();
  await save(files());
});
afterAll(() => kit.stop());

const files = () => [
  ...Object.entries(samples).map(([path, text]) => ({ path, text })),
  { path: 'src/worker.ts', text: worker },
  { path: 'src/report.ts', text: "import { createQueue } from './queue.ts';\n\nexport const queue = createQueue();\n" },
  { path: 'docs/queue.md', text: '# The queue\n\nEvery job has a retry policy; see createQueue.\n' },
];

const worker = `import { createQueue, type Job } from './queue.ts';

/** Tries again after a while, longer each time. */
export function retryWithBackoff(job: Job): void {
  const queue = createQueue();
  queue.add(job);
}
`;

interface Saved {
  readonly saveCodeFiles: Readonly<Record<string, unknown>>;
}

async function save(sent: readonly { path: string; text: string }[], as = user) {
  const { saveCodeFiles } = await as.ask<Saved>(
    `mutation ($files: [CodeFileInput!]!) { saveCodeFiles(input: { files: $files }) {
      ... on SavedCodeFiles { created changed unchanged } ... on InvalidInput { problems { field message } } } }`,
    { files: sent },
  );
  return saveCodeFiles;
}

interface Hit {
  readonly path: string;
  readonly line: number;
  readonly snippet: string;
  readonly score: number;
}

async function search(query: string, options: { path?: string; limit?: number } = {}, as = user) {
  const { searchCode } = await as.ask<{ searchCode: readonly Hit[] }>(
    `query ($query: String!, $path: String, $limit: Int) {
      searchCode(query: $query, path: $path, limit: $limit) { path line snippet score } }`,
    { query, ...options },
  );
  return searchCode;
}

const places = (hits: readonly { path: string; line: number }[]) => hits.map(({ path, line }) => `${path}:${line}`);

describe('searching code', () => {
  it('finds lines by words in any order, whatever the case, the definition first', async () => {
    const [best] = await search('backoff RETRY');

    expect(best).toMatchObject({ path: 'src/worker.ts', line: 4 });
    expect(best?.snippet).toMatch(/^export function retryWithBackoff\(job: Job\): void \{\n {2}const queue/);
    expect(best?.score).toBeGreaterThan(0);
    expect(places(await search('createQueue'))[0]).toBe('src/queue.ts:35');
  });

  it('finds names by their parts and beginnings, and other texts than code', async () => {
    expect(places(await search('with backoff'))).toContain('src/worker.ts:4');
    expect(places(await search('max_ag'))).toContain('tools/cache.py:4');
    expect(places(await search('retry policy'))).toEqual(expect.arrayContaining(['docs/queue.md:3']));
  });

  it('finds an exact text with signs in it, and with quotes nothing else', async () => {
    expect(places(await search('this.#jobs.push(job)'))[0]).toBe('src/queue.ts:18');
    expect(places(await search('"entry.at < time.time()"'))).toEqual(['tools/cache.py:17']);
    expect(await search('"time.time() < entry.at"')).toEqual([]);
  });

  it('finds what stands in the middle of a word', async () => {
    expect(places(await search('ithBackof'))).toEqual(['src/worker.ts:4']);
  });

  it('keeps to a part of the paths', async () => {
    const paths = async (path: string) => new Set((await search('queue', { path })).map((hit) => hit.path));

    expect(await paths('docs/')).toEqual(new Set(['docs/queue.md']));
    expect(await paths('*.md')).toEqual(new Set(['docs/queue.md']));
    expect(await paths('src/*.ts')).toEqual(new Set(['src/queue.ts', 'src/report.ts', 'src/worker.ts']));
    expect(await paths('%')).toEqual(new Set());
  });

  it('answers odd queries with nothing rather than an error', async () => {
    for (const query of [
      '',
      '   ',
      '\0',
      '"',
      '""',
      "'",
      '\\',
      '!!',
      '&|()',
      ':*',
      'zzzzzz',
      '\ud800',
      'x'.repeat(5_000),
    ]) {
      expect(await search(query), query.slice(0, 20)).toEqual([]);
    }
    expect(codesOf(await user.query('{ searchCode(query: "a", limit: 0) { path } }'))).toEqual(['BAD_USER_INPUT']);
  });

  it('shows a long line around the match', async () => {
    await save([{ path: 'dist/min.js', text: `${'var a=1;'.repeat(400)}needleInHaystack();${'b();'.repeat(400)}` }]);

    const [hit] = await search('"needleInHaystack()"');

    expect(hit).toMatchObject({ path: 'dist/min.js', line: 1 });
    expect(hit?.snippet).toContain('needleInHaystack()');
    expect(hit?.snippet.length).toBeLessThanOrEqual(500);
  });
});

describe('definitions and references', () => {
  const definitions = (name: string) =>
    user.ask<{ codeDefinitions: { definitions: unknown[]; totalCount: number; nearest: string[] } }>(
      `query ($name: String!) { codeDefinitions(name: $name) {
        totalCount nearest definitions { path code symbol { name kind container line endLine signature } } } }`,
      { name },
    );
  const references = (name: string) =>
    user.ask<{ codeReferences: { references: { path: string; line: number }[]; totalCount: number } }>(
      `query ($name: String!) { codeReferences(name: $name) { totalCount references { path line text within } } }`,
      { name },
    );

  it('are found by name, with the text', async () => {
    expect(await definitions('createQueue')).toEqual({
      codeDefinitions: {
        totalCount: 1,
        nearest: [],
        definitions: [
          {
            path: 'src/queue.ts',
            code: "export function createQueue(): JobQueue<Job> {\n  throw new Error('No retry policy was given.');\n}",
            symbol: {
              name: 'createQueue',
              kind: 'FUNCTION',
              container: null,
              line: 35,
              endLine: 37,
              signature: 'function createQueue(): JobQueue<Job>',
            },
          },
        ],
      },
    });
  });

  it('are found with their container first, and in another case', async () => {
    const first = async (name: string) => (await definitions(name)).codeDefinitions.definitions[0];

    expect(await first('Ring.drain')).toMatchObject({ path: 'crate/src/lib.rs', symbol: { container: 'Ring' } });
    expect(await first('Ring::drain()')).toMatchObject({ symbol: { container: 'Ring' } });
    expect(await first('JobQueue.drain')).toMatchObject({ path: 'src/queue.ts' });
    expect(await first('createqueue')).toMatchObject({ symbol: { name: 'createQueue' } });
    expect((await definitions('drain')).codeDefinitions.totalCount).toBe(3);
  });

  it('suggest the nearest name when there is none', async () => {
    expect((await definitions('createQueu')).codeDefinitions).toMatchObject({
      totalCount: 0,
      nearest: ['createQueue'],
    });
    expect((await definitions('\0')).codeDefinitions).toMatchObject({ totalCount: 0, nearest: [] });
  });

  it('tell every line that uses a name, and what it stands in', async () => {
    expect((await references('createQueue')).codeReferences).toEqual({
      totalCount: 4,
      references: [
        { path: 'src/report.ts', line: 1, text: "import { createQueue } from './queue.ts';", within: null },
        { path: 'src/report.ts', line: 3, text: 'export const queue = createQueue();', within: 'queue' },
        { path: 'src/worker.ts', line: 1, text: "import { createQueue, type Job } from './queue.ts';", within: null },
        { path: 'src/worker.ts', line: 5, text: 'const queue = createQueue();', within: 'retryWithBackoff' },
      ],
    });
  });
});

describe('the repository map', () => {
  const map = async (tokens: number) =>
    (
      await user.ask<{ repositoryMap: { text: string; shownFiles: number; files: number } }>(
        'query ($tokens: Int) { repositoryMap(tokens: $tokens) { text shownFiles files } }',
        { tokens },
      )
    ).repositoryMap;

  it('begins with what others use most, stays within its tokens and is the same every time', async () => {
    const whole = await map(5_000);

    expect(whole.text).toMatch(/^src\/queue\.ts\n/);
    expect(whole.text).toContain('  35: function createQueue(): JobQueue<Job>');
    expect(whole.text).toContain('docs/queue.md');
    expect(whole.shownFiles).toBe(whole.files);
    for (const tokens of [100, 150, 250]) {
      const cut = await map(tokens);
      expect(estimateTokenCount(cut.text)).toBeLessThanOrEqual(tokens);
      expect(cut.text.length).toBeLessThan(whole.text.length);
      expect(await map(tokens)).toEqual(cut);
    }
  });

  it('of a project without code is empty', async () => {
    const other = await kit.newUser();

    expect(await other.ask('{ repositoryMap { text shownFiles files } }')).toEqual({
      repositoryMap: { text: '', shownFiles: 0, files: 0 },
    });
  });
});

describe('files', () => {
  it('are listed by path in pages, with texts and symbols', async () => {
    const { codeFiles } = await user.ask<{
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
    await save(texts.map((text, index) => ({ path: `exact/${index}.txt`, text })));

    for (const [index, text] of texts.entries()) {
      const answer = await user.ask<{ codeFile: { text: string } }>(
        'query ($path: String!) { codeFile(path: $path) { text } }',
        {
          path: `exact/${index}.txt`,
        },
      );
      expect(answer.codeFile.text === text, `text ${index}`).toBe(true);
    }
  });

  it('that did not change are not written again; what changed is found anew and no longer as it was', async () => {
    expect(await save(files())).toEqual({ created: 0, changed: 0, unchanged: files().length });

    const text = worker.replace('retryWithBackoff', 'retryPatiently');
    expect(await save([{ path: 'src/worker.ts', text }])).toEqual({ created: 0, changed: 1, unchanged: 0 });

    expect(places(await search('retryPatiently'))).toEqual(['src/worker.ts:4']);
    expect(await search('"retryWithBackoff"')).toEqual([]);
    expect(await save([{ path: 'src/worker.ts', text: worker }])).toMatchObject({ changed: 1 });
  });

  it('are deleted by path or by folder', async () => {
    await save(
      ['gone/a.ts', 'gone/b/c.ts', 'gone_d.ts'].map((path) => ({ path, text: 'export const vanishing = 1;' })),
    );
    const remove = (paths: readonly string[]) =>
      user.ask(
        'mutation ($paths: [String!]!) { deleteCodeFiles(input: { paths: $paths }) { ... on DeletedCodeFiles { deleted } } }',
        { paths },
      );

    expect(await remove(['gone/', 'nowhere.ts'])).toEqual({ deleteCodeFiles: { deleted: 2 } });
    expect(places(await search('vanishing'))).toEqual(['gone_d.ts:1']);
    expect(await remove(['gone_d.ts'])).toEqual({ deleteCodeFiles: { deleted: 1 } });
    expect(
      (await user.ask<{ codeDefinitions: object }>('{ codeDefinitions(name: "vanishing") { totalCount } }'))
        .codeDefinitions,
    ).toEqual({ totalCount: 0 });
  });

  it('with faults are all reported, and none is saved', async () => {
    const outcome = await save([
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
    expect(await user.ask('{ codeFile(path: "good.ts") { id } }')).toEqual({ codeFile: null });
  });
});

describe('another person', () => {
  it('finds nothing of it, and cannot name the project', async () => {
    const other = await kit.newUser();
    const { projects } = await user.ask<{ projects: { id: string }[] }>('{ projects { id } }');

    expect(await search('createQueue', {}, other)).toEqual([]);
    const reaching = await other.query(
      'query ($id: ID!) { searchCode(projectId: $id, query: "createQueue") { path } }',
      {
        id: projects[0]?.id,
      },
    );
    expect(codesOf(reaching)).toEqual(['NOT_FOUND']);
  });
});
