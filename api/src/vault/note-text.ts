import { createHash } from 'node:crypto';
import type { FieldProblem } from '../agent/settings.ts';
import { grouped } from '../agent/words.ts';

export const longestPath = 500;
/** In bytes of UTF-8. */
export const largestBody = 1_000_000;
const longestTitle = 300;

/** Everything that is wrong with a note's path and body; nothing when it can be saved. */
export function noteProblems(path: string, body: string): readonly FieldProblem[] {
  const pathComplaint = complainAboutPath(path);
  const bodyComplaint = complainAboutBody(body);
  return [
    ...(pathComplaint === undefined
      ? []
      : [{ field: 'path', message: pathComplaint, value: path.slice(0, longestPath), min: 1, max: longestPath }]),
    // The body itself is not sent back: it may be megabytes.
    ...(bodyComplaint === undefined
      ? []
      : [{ field: 'body', message: bodyComplaint, value: undefined, min: undefined, max: largestBody }]),
  ];
}

/** One name, one path, however its letters were composed. */
export function canonicalPath(path: string): string {
  return path.normalize('NFC');
}

export function hashOf(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}

/** From the front matter, else the first heading, else the name of the file. */
export function titleOf(path: string, body: string): string {
  const { matter, text } = splitFrontMatter(body);
  const declared = /^title:[ \t]*(\S.*)$/m
    .exec(matter)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, '$2');
  const found = declared?.trim() || firstHeading(text) || fileName(path);
  return found.replaceAll(/\s+/g, ' ').slice(0, longestTitle).toWellFormed();
}

function complainAboutPath(path: string): string | undefined {
  const parts = path.split('/');
  if (path.trim() === '') return 'Path must not be empty.';
  if (path.length > longestPath) return `Path must be at most ${longestPath} characters long.`;
  if (!path.isWellFormed() || /\p{Cc}/u.test(path)) return 'Path must not contain control characters.';
  if (path.startsWith('/')) return 'Path must be relative: leave out the / at the start.';
  if (path.endsWith('/')) return 'Path must end in the name of the note, not in /.';
  if (parts.some((part) => part.trim() === '')) return 'Path must not have empty parts, as in a//b.';
  if (parts.some((part) => part === '.' || part === '..')) return 'Path must not contain . or .. as a part.';
  return undefined;
}

function complainAboutBody(body: string): string | undefined {
  if (body.includes('\0')) return 'Body must not contain the NUL character.';
  const bytes = Buffer.byteLength(body);
  if (bytes > largestBody)
    return `Body must be at most ${grouped(largestBody)} bytes long; this one has ${grouped(bytes)}.`;
  return undefined;
}

function splitFrontMatter(body: string): { readonly matter: string; readonly text: string } {
  const found = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(body);
  return found ? { matter: found[1] ?? '', text: body.slice(found[0].length) } : { matter: '', text: body };
}

/** A line that starts with # inside a block of code is a comment there. */
function firstHeading(text: string): string | undefined {
  let fence: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    if (mark && (fence === undefined || fence === mark)) fence = fence === undefined ? mark : undefined;
    else if (fence === undefined) {
      const heading = /^ {0,3}# +(.*?)[ #]*$/.exec(line)?.[1]?.trim();
      if (heading) return heading;
    }
  }
  return undefined;
}

function fileName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.replace(/\.md$/i, '') || name;
}
