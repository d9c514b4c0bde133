import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface ImportLine {
  /** Path of the importing file from the project's root, with forward slashes. */
  readonly file: string;
  /** A path of the same form for our own files, the name as written for packages. */
  readonly target: string;
  readonly own: boolean;
  /** Gone at run time. */
  readonly typesOnly: boolean;
}

export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/** What is built and shipped: tests and what only they use are left out. */
export function readSources(folder: string): readonly SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).split(sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/test\//.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}

const statement = /^\s*(?:import|export)\s+(?<what>[^'";]*?)\s*from\s*'(?<from>[^']+)'/gm;
const bare = /^\s*import\s*'(?<name>[^']+)'|\bimport\(\s*'(?<dynamic>[^']+)'/gm;

export function importsOf({ file, text }: SourceFile): readonly ImportLine[] {
  const named = [...text.matchAll(statement)].map(({ groups = {} }) => ({
    name: groups.from ?? '',
    typesOnly: isTypesOnly(groups.what ?? ''),
  }));
  const whole = [...text.matchAll(bare)].map(({ groups = {} }) => ({
    name: groups.name ?? groups.dynamic ?? '',
    typesOnly: false,
  }));
  return [...named, ...whole].map(({ name, typesOnly }) => {
    const own = name.startsWith('.');
    const target = own
      ? relative(root, join(root, dirname(file), name))
          .split(sep)
          .join('/')
      : name;
    return { file, target, own, typesOnly };
  });
}

function isTypesOnly(what: string): boolean {
  if (/^type\s/.test(what)) return true;
  const names = /^\{(?<list>.*)\}$/s
    .exec(what)
    ?.groups?.list?.split(',')
    .filter((name) => name.trim() !== '');
  return names?.every((name) => /^\s*type\s/.test(name)) ?? false;
}

export function isNodeBuiltIn(target: string): boolean {
  return target.startsWith('node:') || builtinModules.includes(target);
}
