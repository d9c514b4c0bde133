import { createHash } from 'node:crypto';
import type { FieldProblem } from '../agent/settings.ts';
import { grouped } from '../agent/words.ts';
import { entryKinds, type NewEntry } from './threads.ts';

export const longestTitle = 200;
export const longestText = 50_000;
const longestAuthor = 200;

/** Everything that is wrong with an entry; nothing when it can be appended. */
export function entryProblems(entry: NewEntry): readonly FieldProblem[] {
  return [
    ...placeProblems(entry),
    ...(entryKinds.includes(entry.kind)
      ? []
      : [problem('kind', `Kind must be one of ${entryKinds.join(', ')}.`, entry.kind)]),
    ...textProblems(entry.text),
    ...((entry.author?.length ?? 0) > longestAuthor
      ? [problem('author', `Author must be at most ${longestAuthor} characters long.`, undefined, longestAuthor)]
      : []),
    ...(entry.at && Number.isNaN(entry.at.getTime()) ? [problem('at', 'At must be a moment.')] : []),
  ];
}

export function titleProblems(title: string, field = 'title'): readonly FieldProblem[] {
  const tidy = tidyTitle(title);
  if (tidy === '') return [problem(field, 'Title must not be empty.', title, longestTitle)];
  if (tidy.length > longestTitle)
    return [
      problem(field, `Title must be at most ${longestTitle} characters long.`, title.slice(0, 300), longestTitle),
    ];
  return [];
}

/** One line, without what cannot be seen. */
export function tidyTitle(title: string): string {
  return title
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** What titles are compared by. */
export function titleKey(title: string): string {
  return tidyTitle(title).normalize('NFKC').toLowerCase();
}

/** By which an import sees that an entry is there already. */
export function entryHash({ kind, text, author, at }: NewEntry): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, text, author ?? null, at?.toISOString() ?? null]))
    .digest('hex');
}

function placeProblems({ threadId, title }: NewEntry): readonly FieldProblem[] {
  const byId = threadId !== null && threadId !== undefined;
  const byTitle = title !== null && title !== undefined;
  if (byId && byTitle) return [problem('title', 'Give the id of a thread or a title, not both.')];
  if (byId) return [];
  return byTitle ? titleProblems(title) : [problem('title', 'Give the id of a thread, or a title.')];
}

function textProblems(text: string): readonly FieldProblem[] {
  if (text.trim() === '') return [problem('text', 'Text must not be empty.', text.slice(0, 100), longestText)];
  if (text.includes('\0')) return [problem('text', 'Text must not contain the NUL character.')];
  if (text.length <= longestText) return [];
  const message = `Text must be at most ${grouped(longestText)} characters long; this one has ${grouped(text.length)}.`;
  return [problem('text', message, undefined, longestText)];
}

function problem(field: string, message: string, value?: unknown, max?: number): FieldProblem {
  return { field, message, value, min: max === undefined ? undefined : 1, max };
}
