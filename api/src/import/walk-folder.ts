import { existsSync, readFileSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** A file below the folder, or why something there cannot be taken. Paths have forward slashes. */
export type Found =
  | { readonly type: 'file'; readonly path: string; readonly size: number }
  | { readonly type: 'skipped'; readonly path: string; readonly reason: string }
  | { readonly type: 'failed'; readonly path: string; readonly reason: string };

export interface WalkRules {
  /** Obey .gitignore files: those on the way down and, within a repository, those above. */
  readonly gitignore: boolean;
  /** Take folders whose name begins with a dot. */
  readonly hidden: boolean;
  takes(path: string): boolean;
}

/** What no project means by its code or notes. */
const never = new Set(['.git', '.hg', '.svn', 'node_modules']);

interface RuleSet {
  /** The folder that its patterns are relative to. */
  readonly folder: string;
  readonly rules: Ignore;
}

/** In the order of names, the same on every machine. Links are followed to files within the folder and nowhere else. */
export async function* walkFolder(root: string, rules: WalkRules): AsyncGenerator<Found> {
  const top = await realpath(root);
  yield* walk(top, rules.gitignore ? rulesAbove(top) : []);

  async function* walk(folder: string, above: readonly RuleSet[]): AsyncGenerator<Found> {
    const inFolder = rules.gitignore ? [...above, ...rulesIn(folder, '.gitignore')] : above;
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => error as Error);
    if (entries instanceof Error)
      return yield { type: 'failed', path: pathOf(folder) || '.', reason: reasonOf(entries) };
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const full = join(folder, entry.name);
      if (never.has(entry.name) || isIgnored(full, entry.isDirectory(), inFolder)) continue;
      if (entry.isDirectory()) {
        if (rules.hidden || !entry.name.startsWith('.')) yield* walk(full, inFolder);
      } else if (rules.takes(pathOf(full))) yield await look(full, entry.isSymbolicLink());
    }
  }

  async function look(full: string, isLink: boolean): Promise<Found> {
    const path = pathOf(full);
    try {
      if (isLink && !isWithin(await realpath(full)))
        return { type: 'skipped', path, reason: 'links out of the folder' };
      const found = await stat(full);
      if (found.isFile()) return { type: 'file', path, size: found.size };
      return { type: 'skipped', path, reason: isLink ? 'links to a folder' : 'is no file' };
    } catch (error) {
      return { type: 'failed', path, reason: reasonOf(error) };
    }
  }

  function pathOf(full: string): string {
    return relative(top, full).split(sep).join('/');
  }

  function isWithin(full: string): boolean {
    return full === top || full.startsWith(top.endsWith(sep) ? top : top + sep);
  }
}

/** Deeper files have the last word, as git has it. What lies in an ignored folder is never reached. */
function isIgnored(full: string, isFolder: boolean, sets: readonly RuleSet[]): boolean {
  let ignored = false;
  for (const { folder, rules } of sets) {
    const path = relative(folder, full).split(sep).join('/');
    const verdict = rules.test(isFolder ? `${path}/` : path);
    if (verdict.ignored) ignored = true;
    if (verdict.unignored) ignored = false;
  }
  return ignored;
}

/** From the top of the repository that the folder lies in, if it does, down to the folder's parent. */
function rulesAbove(folder: string): readonly RuleSet[] {
  const parents: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) {
      const sets = parents.flatMap((parent) => rulesIn(parent, '.gitignore'));
      return [...rulesIn(at, '.git/info/exclude'), ...(at === folder ? [] : rulesIn(at, '.gitignore')), ...sets];
    }
    if (dirname(at) === at) return [];
    if (at !== folder) parents.unshift(at);
  }
}

function rulesIn(folder: string, file: string): readonly RuleSet[] {
  try {
    return [{ folder, rules: ignore().add(readFileSync(join(folder, file), 'utf8')) }];
  } catch {
    return []; // there is none, or it cannot be read: then nothing is known to be ignored
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
  ENOENT: 'it does not exist',
  ELOOP: 'it links to itself',
  ENAMETOOLONG: 'its name is too long',
  EISDIR: 'it is a folder',
};

export function reasonOf(error: unknown): string {
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}
