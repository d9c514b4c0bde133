import { createHash } from 'node:crypto';
import type { FieldProblem } from '../agent/settings.ts';
import { counted, grouped } from '../agent/words.ts';
import type { CodeText } from './code.ts';

export const longestPath = 500;
/** In bytes of UTF-8. */
export const largestFile = 1_000_000;
export const mostFiles = 200;

/** Everything that is wrong with files that somebody sends; nothing when they can be saved. */
export function codeProblems(files: readonly CodeText[]): readonly FieldProblem[] {
  const problem = (field: string, message: string, max: number, value?: string): FieldProblem => ({
    field,
    message,
    value,
    min: undefined,
    max,
  });
  if (files.length > mostFiles)
    return [problem('files', `At most ${mostFiles} files at a time; you sent ${grouped(files.length)}.`, mostFiles)];
  const paths = new Map<string, number>();
  return files.flatMap(({ path, text }, index) => {
    const canonical = canonicalPath(path);
    const earlier = paths.get(canonical);
    paths.set(canonical, index);
    const complaint =
      complainAboutPath(path) ?? (earlier === undefined ? undefined : `This path is that of file ${earlier} as well.`);
    const textComplaint = complainAboutText(text);
    return [
      ...(complaint ? [problem(`files.${index}.path`, complaint, longestPath, path.slice(0, longestPath))] : []),
      ...(textComplaint ? [problem(`files.${index}.text`, textComplaint, largestFile)] : []),
    ];
  });
}

export function complainAboutPath(path: string): string | undefined {
  const parts = path.split('/');
  if (path.trim() === '') return 'Path must not be empty.';
  if (path.length > longestPath) return `Path must be at most ${longestPath} characters long.`;
  if (!path.isWellFormed() || /\p{Cc}/u.test(path)) return 'Path must not contain control characters.';
  if (path.startsWith('/')) return 'Path must be relative: leave out the / at the start.';
  if (parts.some((part) => part === '')) return 'Path must not have empty parts, as in a//b.';
  if (parts.some((part) => part === '.' || part === '..')) return 'Path must not contain . or .. as a part.';
  return undefined;
}

export function complainAboutText(text: string): string | undefined {
  if (text.includes('\0')) return 'It is not a text: it contains the NUL character.';
  const bytes = Buffer.byteLength(text);
  if (bytes > largestFile) return `It must be at most ${counted(largestFile, 'byte')} long; it has ${grouped(bytes)}.`;
  return undefined;
}

/** One name, one path, however its letters were composed. */
export function canonicalPath(path: string): string {
  return path.normalize('NFC');
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
