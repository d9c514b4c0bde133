import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderState, readFolder } from './read-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oracle-declared-'));
  write('good.toml', 'a = "ä"');
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (file: string, content: string | Buffer = '') => writeFileSync(join(folder, file), content);
const told = async () => {
  const { files, problems } = await readFolder(folder);
  return { files: files.map(({ file }) => file), problems: problems.map((one) => Object.values(one).join(' ')) };
};

describe('a folder of declarations', () => {
  it('is read by name; what is hidden or no TOML is no part of it', async () => {
    for (const file of ['b.toml', 'a.toml', '.hidden.toml', 'notes.md']) write(file, file);
    const { files } = await readFolder(folder);

    expect(files.map(({ file }) => file)).toEqual(['a.toml', 'b.toml', 'good.toml']);
    expect(files[0]).toEqual({ file: 'a.toml', text: 'a.toml' });
  });

  it('is read but for what is no file, whatever that is', async () => {
    mkdirSync(join(folder, 'folder.toml'));
    execFileSync('mkfifo', [join(folder, 'pipe.toml')]);
    symlinkSync('/dev/zero', join(folder, 'device.toml'));
    symlinkSync('/nowhere', join(folder, 'lost.toml'));
    write('huge.toml', '#'.repeat(64 * 1024 + 1));
    symlinkSync(join(folder, 'good.toml'), join(folder, 'linked.toml'));

    expect(await told()).toEqual({
      files: ['good.toml', 'linked.toml'],
      problems: [
        'device.toml 1 This is not a file.',
        'folder.toml 1 This is not a file.',
        'huge.toml 1 The file is larger than 64 KiB.',
        'lost.toml 1 The file could not be read (ENOENT).',
        'pipe.toml 1 This is not a file.',
      ],
    });
  });

  it('is read but for what is not UTF-8, which is told with the first such line', async () => {
    write('bytes.toml', Buffer.concat([Buffer.from('# fine: ä\nb = "'), Buffer.of(0xe4), Buffer.from('"\nc = 1\n')]));

    expect(await told()).toEqual({
      files: ['good.toml'],
      problems: ['bytes.toml 2 This is not UTF-8.'],
    });
  });

  it('that is none is told of, and one that is not there is empty', async () => {
    const file = join(folder, 'good.toml');

    expect(await readFolder(file)).toEqual({
      files: [],
      problems: [{ file: 'good.toml', line: 1, message: 'The folder could not be read (ENOTDIR).' }],
    });
    expect(await folderState(file)).not.toBe(await folderState(join(folder, 'nothing')));
    expect(await readFolder(join(folder, 'nothing'))).toEqual({ files: [], problems: [] });
  });

  it('with more files than are read has the others reported, and is another when one more comes', async () => {
    for (let number = 100; number < 300; number += 1) write(`${number}.toml`);
    const before = await folderState(folder);
    write('zz.toml');
    const { files, problems } = await readFolder(folder);

    expect(await folderState(folder)).not.toBe(before);
    expect(files).toHaveLength(200);
    expect(problems.map(({ file }) => file)).toEqual(['good.toml', 'zz.toml']);
  });
});
