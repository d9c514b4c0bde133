import { isUtf8 } from 'node:buffer';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
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
  const { names, failure } = await tomlNames(folder);
  const problems: FileProblem[] = names.slice(mostFiles).map((file) => ({
    file,
    line: 1,
    message: `Not read: at most ${mostFiles} files are read from a folder.`,
  }));
  if (failure)
    problems.push({ file: basename(folder), line: 1, message: `The folder could not be read (${failure}).` });
  const files: DeclaredFile[] = [];
  for (const file of names.slice(0, mostFiles)) {
    const read = await readDeclared(join(folder, file));
    if ('text' in read) files.push({ file, text: read.text });
    else problems.push({ file, ...read });
  }
  return { files, problems };
}

/** Only of what is a file: a pipe or a device might never come to its end. */
async function readDeclared(path: string): Promise<Pick<DeclaredFile, 'text'> | Omit<FileProblem, 'file'>> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return { line: 1, message: 'This is not a file.' };
    if (found.size > mostBytes) return { line: 1, message: 'The file is larger than 64 KiB.' };
    const bytes = await readFile(path);
    if (!isUtf8(bytes)) return { line: firstBadLine(bytes), message: 'This is not UTF-8.' };
    return { text: bytes.toString('utf8') };
  } catch (error) {
    return { line: 1, message: `The file could not be read (${codeOf(error)}).` };
  }
}

function firstBadLine(bytes: Buffer): number {
  let line = 1;
  for (let start = 0, end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', start)) {
    if (!isUtf8(bytes.subarray(start, end))) break;
    start = end + 1;
    line += 1;
  }
  return line;
}

/** Changes whenever a file is added, changed or removed. */
export async function folderState(folder: string): Promise<string> {
  const { names, failure = '' } = await tomlNames(folder);
  const states = names.slice(0, mostFiles).map(async (name) => {
    const found = await stat(join(folder, name)).catch(() => undefined);
    return found ? `${name} ${found.mtimeMs} ${found.size} ${found.ino}` : name;
  });
  return [...(await Promise.all(states)), ...names.slice(mostFiles), failure].join('\n');
}

async function tomlNames(folder: string): Promise<{ readonly names: readonly string[]; readonly failure?: string }> {
  try {
    return { names: (await readdir(folder)).filter((name) => /^[^.].*\.toml$/.test(name)).sort() };
  } catch (error) {
    const failure = codeOf(error);
    return failure === 'ENOENT' ? { names: [] } : { names: [], failure };
  }
}

function codeOf(error: unknown): string {
  return String((error as { readonly code?: unknown }).code ?? 'unknown');
}
