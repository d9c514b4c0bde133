import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../kit/client.ts';
import { buildServer, ServerFolder } from '../kit/server-process.ts';
import { askOver } from '../oracle/kit/stream.ts';
import { runImportProcess, SampleFolder } from './import-kit.ts';

let folder: ServerFolder;
let sample: SampleFolder;
beforeAll(async () => {
  await buildServer();
  folder = new ServerFolder();
  sample = new SampleFolder().write({
    'notes/tram.md': '# Trams\n\nThe tram leaves at noon.',
    'code/timetable.py': 'def next_tram(stop):\n    return stop.times[0]\n',
  });
}, 120_000);
afterAll(async () => {
  sample.dispose();
  await folder.dispose();
});

const args = () => ['--vault', `${sample.path}/notes`, '--code', `${sample.path}/code`];

it('brings things into the embedded database, alone and beside a server that runs on it, and they can be asked about', {
  timeout: 120_000,
}, async () => {
  const environment = { ORACLE_DATA_DIR: folder.dataDir, ORACLE_ADMIN_TOKEN: 'the-token-of-this-test' };

  const alone = await runImportProcess(args(), environment);

  expect(alone).toMatchObject({ code: 0, counts: { created: 1, failed: 0 } });
  expect(folder.processes()).toEqual([]);

  const server = folder.start(environment);
  const url = await server.ready;
  const client = createClient(url, environment.ORACLE_ADMIN_TOKEN);
  const look = () =>
    client.ask(
      `{ note(path: "tram.md") { title } searchCode(query: "next_tram") { path line } bus: note(path: "bus.md") { title } }`,
    );
  expect(await look()).toEqual({
    note: { title: 'Trams' },
    searchCode: [{ path: 'timetable.py', line: 1 }],
    bus: null,
  });

  const user = { token: environment.ORACLE_ADMIN_TOKEN };
  const told = await askOver({ url, user }, { question: 'When does the tram leave?', model: 'offline' }).toEnd();
  const said = told.map((chunk) => (chunk.__typename === 'ContentChunk' ? chunk.text : '')).join('');
  expect(said).toContain('The tram leaves at noon. [1]');
  expect(said).toContain('(tram.md)');
  expect(told).toContainEqual(expect.objectContaining({ __typename: 'SourceChunk', kind: 'VAULT', path: 'tram.md' }));

  sample.write({ 'notes/bus.md': '# Buses' });
  const beside = await runImportProcess(args(), environment);

  expect(beside.code).toBe(0);
  expect(beside.stdout).toMatch(/created +1\n +changed +0\n +unchanged +1\n/);
  expect(await look()).toMatchObject({ bus: { title: 'Buses' } });
  expect(await server.end('SIGTERM')).toBe(0);
});

it('shows the administrator’s token when nobody ever signed in', { timeout: 120_000 }, async () => {
  const fresh = new ServerFolder();
  try {
    const first = await runImportProcess(args(), { ORACLE_DATA_DIR: fresh.dataDir });
    expect(first.stdout).toMatch(
      /^Sign in as administrator with this token, shown only this once:\n\n {2}oracle_\S+\n/,
    );

    const second = await runImportProcess(args(), { ORACLE_DATA_DIR: fresh.dataDir });
    expect(second.stdout).not.toContain('oracle_');
  } finally {
    await fresh.dispose();
  }
});
