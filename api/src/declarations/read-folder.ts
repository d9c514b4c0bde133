import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileProblem } from './file-problem.ts';

/** One file of declarations as it lies in its folder. */
export interface DeclaredFile {
  readonly file: string;
  readonly text: string;
}

export interface FolderContents {
  readonly files: readonly DeclaredFile[];
  readonly problems: readonly FileProblem[];
}

const mostFiles = 200;
const mostBytes = 64 * 1024;

/** Every `*.toml` of a folder, by name. A folder that is not there is an empty one; what is too much is reported. */
export async function readFolder(folder: string): Promise<FolderContents> {
  const names = await tomlNames(folder);
  const problems: FileProblem[] = names.slice(mostFiles).map((file) => ({
    file,
    line: 1,
    message: `Not read: at most ${mostFiles} files are read from a folder.`,
  }));
  const files: DeclaredFile[] = [];
  for (const file of names.slice(0, mostFiles)) {
    try {
      const { size } = await stat(join(folder, file));
      if (size > mostBytes) problems.push({ file, line: 1, message: 'The file is larger than 64 KiB.' });
      else files.push({ file, text: await readFile(join(folder, file), 'utf8') });
    } catch (error) {
      problems.push({ file, line: 1, message: `The file could not be read (${codeOf(error)}).` });
    }
  }
  return { files, problems };
}

/** Changes whenever a file is added, changed or removed. */
export async function folderState(folder: string): Promise<string> {
  const names = (await tomlNames(folder)).slice(0, mostFiles);
  const states = names.map(async (name) => {
    const found = await stat(join(folder, name)).catch(() => undefined);
    return found ? `${name} ${found.mtimeMs} ${found.size} ${found.ino}` : name;
  });
  return (await Promise.all(states)).join('\n');
}

async function tomlNames(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => /^[^.].*\.toml$/.test(name)).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function codeOf(error: unknown): string {
  return String((error as { readonly code?: unknown }).code ?? 'unknown');
}
