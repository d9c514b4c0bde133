import { estimateTokenCount } from 'tokenx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import { type CodeKit, places, startCodeKit } from './code-kit.ts';

let kit: CodeKit;
beforeAll(async () => {
  kit = await startCodeKit();
});
afterAll(() => kit.stop());

describe('searching code', () => {
  it('finds lines by words in any order, whatever the case, the definition first', async () => {
    const [best] = await kit.search('backoff RETRY');

    expect(best).toMatchObject({ path: 'src/worker.ts', line: 4 });
    expect(best?.snippet).toMatch(/^export function retryWithBackoff\(job: Job\): void \{\n {2}const queue/);
    expect(best?.score).toBeGreaterThan(0);
    expect(places(await kit.search('createQueue'))[0]).toBe('src/queue.ts:35');
  });

  it('finds names by their parts and beginnings, and other texts than code', async () => {
    expect(places(await kit.search('with backoff'))).toContain('src/worker.ts:4');
    expect(places(await kit.search('max_ag'))).toContain('tools/cache.py:4');
    expect(places(await kit.search('retry policy'))).toEqual(expect.arrayContaining(['docs/queue.md:3']));
  });

  it('finds an exact text with signs in it, and with quotes nothing else', async () => {
    expect(places(await kit.search('this.#jobs.push(job)'))[0]).toBe('src/queue.ts:18');
    expect(places(await kit.search('"entry.at < time.time()"'))).toEqual(['tools/cache.py:17']);
    expect(await kit.search('"time.time() < entry.at"')).toEqual([]);
  });

  it('finds what stands in the middle of a word', async () => {
    expect(places(await kit.search('ithBackof'))).toEqual(['src/worker.ts:4']);
  });

  it('keeps to a part of the paths', async () => {
    const paths = async (path: string) => new Set((await kit.search('queue', { path })).map((hit) => hit.path));

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
      expect(await kit.search(query), query.slice(0, 20)).toEqual([]);
    }
    expect(codesOf(await kit.user.query('{ searchCode(query: "a", limit: 0) { path } }'))).toEqual(['BAD_USER_INPUT']);
  });

  it('shows a long line around the match', async () => {
    await kit.save([
      { path: 'dist/min.js', text: `${'var a=1;'.repeat(400)}needleInHaystack();${'b();'.repeat(400)}` },
    ]);

    const [hit] = await kit.search('"needleInHaystack()"');

    expect(hit).toMatchObject({ path: 'dist/min.js', line: 1 });
    expect(hit?.snippet).toContain('needleInHaystack()');
    expect(hit?.snippet.length).toBeLessThanOrEqual(500);
  });
});

describe('definitions and references', () => {
  const definitions = (name: string) =>
    kit.user.ask<{ codeDefinitions: { definitions: unknown[]; totalCount: number; nearest: string[] } }>(
      `query ($name: String!) { codeDefinitions(name: $name) {
        totalCount nearest definitions { path code symbol { name kind container line endLine signature } } } }`,
      { name },
    );
  const references = (name: string) =>
    kit.user.ask<{ codeReferences: { references: { path: string; line: number }[]; totalCount: number } }>(
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
      await kit.user.ask<{ repositoryMap: { text: string; shownFiles: number; files: number } }>(
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

describe('another person', () => {
  it('finds nothing of it, and cannot name the project', async () => {
    const other = await kit.newUser();
    const { projects } = await kit.user.ask<{ projects: { id: string }[] }>('{ projects { id } }');

    expect(await kit.search('createQueue', {}, other)).toEqual([]);
    const reaching = await other.query(
      'query ($id: ID!) { searchCode(projectId: $id, query: "createQueue") { path } }',
      {
        id: projects[0]?.id,
      },
    );
    expect(codesOf(reaching)).toEqual(['NOT_FOUND']);
  });
});
