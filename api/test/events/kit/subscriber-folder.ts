import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A data directory with subscribers of one's own. */
export interface SubscriberFolder {
  readonly dataDir: string;
  /** Declares one, on top of a title, a description and an example. */
  declare(id: string, lines: string): void;
  write(file: string, text: string): void;
  remove(id: string): void;
  dispose(): void;
}

export function makeSubscriberFolder(): SubscriberFolder {
  const dataDir = mkdtempSync(join(tmpdir(), 'oracle-subscribers-'));
  const folder = join(dataDir, 'subscribers');
  mkdirSync(folder);
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  return {
    dataDir,
    write,
    declare: (id, lines) =>
      write(`${id}.toml`, `id = "${id}"\ntitle = "T"\ndescription = "D"\nexample = "E"\n${lines}\n`),
    remove: (id) => rmSync(join(folder, `${id}.toml`)),
    dispose: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}
