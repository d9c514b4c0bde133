import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ImportKit, startImportKit } from './import-kit.ts';

let kit: ImportKit;
beforeAll(async () => {
  kit = await startImportKit();
});
afterEach(() => kit.clear());
afterAll(() => kit.stop());

describe('importing threads', () => {
  const entries = async (project: string) =>
    kit.database.query<{ title: string; kind: string; text: string }>(
      `select thread.title, kind, text from thread_entries as entry join threads as thread on thread.id = entry.thread_id
       where thread.project_id = $1 order by thread.title, number`,
      [await kit.projectId(project)],
    );

  it('reads JSON Lines, reports bad ones, and adds nothing twice', async () => {
    const project = kit.newProject();
    const folder = kit.folderOf({
      'threads.jsonl': [
        '{"thread":"Caching","kind":"decision","text":"Fifteen minutes.","at":"2026-11-16T09:30:00Z","author":"Ada"}',
        'not json',
        '',
        '{"thread":"Caching","kind":"guess","text":"x"}',
        '{"thread":"Caching","kind":"THOUGHT","text":"Or ten?"}',
        '{"thread":"Trains","kind":"insight","text":"They are late.","at":"yesterday"}',
        '{"thread":"Trains","kind":"insight","text":""}',
        '{"thread":"Trains","kind":"insight","text":"They are late."}',
      ].join('\n'),
    });
    const file = join(folder.path, 'threads.jsonl');

    const result = await kit.bring(['--threads', file], project);

    expect(result).toMatchObject({ code: 1, counts: { created: 3, unchanged: 0, failed: 4 } });
    expect(result.stdout).toContain('threads.jsonl:2: it is not JSON');
    expect(result.stdout).toContain('threads.jsonl:4: kind must be one of thought, decision, research, insight');
    expect(result.stdout).toContain('threads.jsonl:6: at must be a time such as 2026-11-16T09:30:00Z');
    expect(result.stdout).toContain('threads.jsonl:7: Text must not be empty.');
    expect((await kit.bring(['--threads', file], project)).counts).toMatchObject({
      created: 0,
      unchanged: 3,
      failed: 4,
    });
    expect(await entries(project)).toEqual([
      { title: 'Caching', kind: 'DECISION', text: 'Fifteen minutes.' },
      { title: 'Caching', kind: 'THOUGHT', text: 'Or ten?' },
      { title: 'Trains', kind: 'INSIGHT', text: 'They are late.' },
    ]);
  });

  it('reads Markdown', async () => {
    const project = kit.newProject();
    const folder = kit.folderOf({
      'threads.md':
        '# Caching\n\n## decision 2026-11-16T09:30:00Z\n\nFifteen minutes.\n\n```sh\n# no heading\n```\n\n## thought\nOr ten?\n\n# Trains\n## rumour\nLate.\n',
    });

    const result = await kit.bring(['--threads', join(folder.path, 'threads.md')], project);

    expect(result).toMatchObject({ code: 1, counts: { created: 2, failed: 1 } });
    expect(result.stdout).toContain('threads.md:15: kind must be one of');
    expect(await entries(project)).toMatchObject([
      { title: 'Caching', kind: 'DECISION', text: 'Fifteen minutes.\n\n```sh\n# no heading\n```' },
      { title: 'Caching', kind: 'THOUGHT', text: 'Or ten?' },
    ]);
  });
});
