import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { calling, type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import { samples } from './samples.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
  user = await kit.newUser();
  await user.ask(
    'mutation ($files: [CodeFileInput!]!) { saveCodeFiles(input: { files: $files }) { ... on SavedCodeFiles { created } } }',
    {
      files: [
        ...Object.entries(samples).map(([path, text]) => ({ path, text })),
        {
          path: 'src/report.ts',
          text: "import { createQueue } from './queue.ts';\n\nexport const queue = createQueue();\n",
        },
      ],
    },
  );
});
afterAll(() => kit.stop());

/** One call in a run of its own: what the model was told, and what the person sees. */
async function use(name: string, input: object, as = user) {
  kit.script(calling([{ name, arguments: input }]), reply.text('Done.'));
  const told = await kit.ask(as);
  const [result] = told.of('ToolResultChunk');
  return { ok: result?.ok, result: result?.result, error: result?.error, sources: told.of('SourceChunk') };
}

describe('search_code', () => {
  it('answers with lines, each of them a source', async () => {
    const { result, sources } = await use('search_code', { query: 'retry policy', limit: 3 });

    expect(result).toMatchObject({ hits: [{ path: 'src/queue.ts', line: 36, score: expect.any(Number) }] });
    expect(sources).toMatchObject([
      { kind: 'CODE', path: 'src/queue.ts', line: 36, snippet: expect.stringContaining('No retry policy') },
    ]);
    expect(sources[0]?.score).toBeGreaterThan(0);
  });

  it('says what to try when nothing is found', async () => {
    expect(await use('search_code', { query: 'xylophone', path: 'src' })).toMatchObject({
      ok: true,
      result: { hits: [], note: 'No code matches there. Try fewer or other words, or get_repo_map.' },
      sources: [],
    });
  });
});

describe('find_definition', () => {
  it('answers with the code and cites it', async () => {
    const { result, sources } = await use('find_definition', { name: 'Ring.push' });

    expect(result).toEqual({
      definitions: [
        {
          path: 'crate/src/lib.rs',
          line: 18,
          endLine: 21,
          name: 'push',
          kind: 'method',
          in: 'Ring',
          code: expect.stringMatching(/^ {4}pub fn push\(&mut self, item: T\) \{\n[\s\S]*\}$/),
        },
      ],
    });
    expect(sources).toMatchObject([
      { kind: 'CODE', path: 'crate/src/lib.rs', line: 18, title: 'pub fn push(&mut self, item: T)' },
    ]);
  });

  it('suggests a name when there is no such definition', async () => {
    expect(await use('find_definition', { name: 'createQueu' })).toMatchObject({
      ok: false,
      error: expect.stringContaining('There is no definition of "createQueu". Did you mean createQueue?'),
    });
  });
});

describe('find_references', () => {
  it('answers with the lines that use a name and cites them', async () => {
    const { result, sources } = await use('find_references', { name: 'createQueue' });

    expect(result).toEqual({
      references: [
        { path: 'src/report.ts', line: 1, text: "import { createQueue } from './queue.ts';" },
        { path: 'src/report.ts', line: 3, text: 'export const queue = createQueue();', in: 'queue' },
      ],
    });
    expect(sources.map(({ kind, path, line }) => [kind, path, line])).toEqual([
      ['CODE', 'src/report.ts', 1],
      ['CODE', 'src/report.ts', 3],
    ]);
  });

  it('tells what is defined and never used from what is not there', async () => {
    expect((await use('find_references', { name: 'open_cache' })).result).toEqual({
      references: [],
      note: '"open_cache" is defined in tools/cache.py and used nowhere else.',
    });
    expect((await use('find_references', { name: 'qqqqqqqq' })).error).toContain(
      'There is no definition of "qqqqqqqq". Use search_code.',
    );
  });

  it('says how many there are when it shows fewer', async () => {
    expect((await use('find_references', { name: 'createQueue', limit: 1 })).result).toMatchObject({ note: '1 of 2.' });
  });
});

describe('get_repo_map', () => {
  it('answers with the map', async () => {
    const { result } = await use('get_repo_map', {});

    expect(result).toMatchObject({ map: expect.stringMatching(/^src\/queue\.ts\n/), files: 6, shown: 6 });
  });
});

describe('in a project without code', () => {
  it('every tool says so', async () => {
    const other = await kit.newUser();

    for (const [name, input] of [
      ['search_code', { query: 'createQueue' }],
      ['find_definition', { name: 'createQueue' }],
      ['find_references', { name: 'createQueue' }],
      ['get_repo_map', {}],
    ] as const) {
      const { ok, error, sources } = await use(name, input, other);
      expect({ ok, error, sources }, name).toEqual({
        ok: false,
        error: expect.stringContaining('No code is indexed in this project'),
        sources: [],
      });
    }
  });

  it('another project’s id in the arguments changes nothing', async () => {
    const other = await kit.newUser();
    const { projects } = await user.ask<{ projects: { id: string }[] }>('{ projects { id } }');

    const { error } = await use('find_definition', { name: 'createQueue', projectId: projects[0]?.id }, other);

    expect(error).toContain('No code is indexed in this project');
  });
});
