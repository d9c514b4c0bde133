import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchFolder } from './watch-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oracle-watched-'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

describe('a folder that is watched', () => {
  it('is looked at every second at the least, whatever changes in it', async () => {
    const changed = vi.fn(async () => undefined);
    const watch = await watchFolder(folder, changed, (error) => expect(error).toBeUndefined());
    writeFileSync(join(folder, 'new.toml'), 'a = 1');
    vi.advanceTimersByTime(1_000);
    await watch.close();

    expect(changed).toHaveBeenCalledOnce();
  });

  it('has changed when a file has another length, though its time is the same', async () => {
    const file = join(folder, 'copied.toml');
    const write = (text: string) => {
      writeFileSync(file, text);
      utimesSync(file, 1, 1);
    };
    write('a = 1');
    const changed = vi.fn(async () => undefined);
    const watch = await watchFolder(folder, changed, (error) => expect(error).toBeUndefined());
    write('a = 1000');
    vi.advanceTimersByTime(1_000);
    await watch.close();

    expect(changed).toHaveBeenCalledOnce();
  });
});
