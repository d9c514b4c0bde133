import { longestPath } from './note-text.ts';

/** A `[[link]]` in a text. */
export interface Wikilink {
  /** The path or name that it points to, as written, without heading and alias. */
  readonly target: string;
  /** Where the target stands in the text. */
  readonly start: number;
  readonly end: number;
  /** Counted from 1. */
  readonly line: number;
}

/** What a note points to, each once, in the order of the text. */
export interface LinkTarget {
  readonly target: string;
  /** Where it is linked first. */
  readonly line: number;
  readonly times: number;
}

/** The links of a text, embeds included. What stands in code is no link, nor is one to a heading of the same note. */
export function wikilinks(text: string): readonly Wikilink[] {
  if (!text.includes('[[')) return [];
  const found: Wikilink[] = [];
  let line = 1;
  let counted = 0;
  for (const [from, to] of proseOf(text)) {
    for (const match of text.slice(from, to).matchAll(link)) {
      const written = match[2] ?? '';
      const target = written.trim();
      if (target === '' || target.length > longestPath) continue;
      const start = from + match.index + (match[1]?.length ?? 0) + written.indexOf(target);
      line += newlinesBetween(text, counted, start);
      counted = start;
      found.push({ target, start, end: start + target.length, line });
    }
  }
  return found;
}

/** Paths are kept in composed form without a leading slash, so links are looked up in that form. */
export function linkTargets(text: string): readonly LinkTarget[] {
  const targets = new Map<string, LinkTarget>();
  for (const { target, line } of wikilinks(text)) {
    const key = linkedPath(target);
    const known = targets.get(key);
    targets.set(key, { target: key, line: known?.line ?? line, times: (known?.times ?? 0) + 1 });
  }
  return [...targets.values()];
}

export function linkedPath(target: string): string {
  return target
    .normalize('NFC')
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/^(\.?\/)+/, '');
}

/** Replaces the targets that `replace` has another one for, and nothing else. */
export function rewriteLinks(
  text: string,
  replace: (target: string) => string | undefined,
): { readonly text: string; readonly rewritten: number } {
  const parts: string[] = [];
  let copied = 0;
  let rewritten = 0;
  for (const { target, start, end } of wikilinks(text)) {
    const replacement = replace(linkedPath(target));
    if (replacement === undefined || replacement === target) continue;
    parts.push(text.slice(copied, start), replacement);
    copied = end;
    rewritten += 1;
  }
  return rewritten === 0 ? { text, rewritten } : { text: parts.join('') + text.slice(copied), rewritten };
}

/** In a table the bar before an alias is written `\|`. A backslash before the brackets makes them plain text. */
const link = /((?<!\\)\[\[)([^[\]|#\n]+?)(?:#[^[\]|\n]*?)?(?:\\?\|[^[\]\n]*)?\]\]/g;

/** The stretches of a text that are not code, from and to. */
function* proseOf(text: string): Generator<readonly [number, number]> {
  let fence: string | undefined;
  let from = 0;
  let at = 0;
  while (at < text.length) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline + 1;
    const mark = /^[ \t>]*(`{3,}|~{3,})([^\n]*)/.exec(text.slice(at, Math.min(end, at + 1_000)));
    const [, ticks = '', info = ''] = mark ?? [];
    if (fence === undefined && mark && !(ticks.startsWith('`') && info.includes('`'))) {
      yield* withoutInlineCode(text, from, at);
      fence = ticks;
    } else if (fence !== undefined && mark && ticks.startsWith(fence) && info.trim() === '') {
      fence = undefined;
      from = end;
    }
    at = end;
  }
  if (fence === undefined) yield* withoutInlineCode(text, from, text.length);
}

/** Inline code ends with as many backticks as it began with, within its paragraph; otherwise they are plain text. */
function* withoutInlineCode(text: string, start: number, end: number): Generator<readonly [number, number]> {
  const part = text.slice(start, end);
  const marks = [...part.matchAll(/`+|\n[ \t\r]*(?=\n)/g)].map(({ 0: mark, index }) => ({ mark, index }));
  const nextOf = closingMarks(marks.map(({ mark }) => mark));
  let from = 0;
  for (let current = 0; current < marks.length; current += 1) {
    const closing = nextOf[current];
    const opened = marks[current];
    const closed = closing === undefined ? undefined : marks[closing];
    if (!opened || !closed || closing === undefined || part[opened.index - 1] === '\\') continue;
    yield [start + from, start + opened.index];
    from = closed.index + closed.mark.length;
    current = closing;
  }
  yield [start + from, end];
}

/** For every run of backticks, the next of the same length before the paragraph ends. */
function closingMarks(marks: readonly string[]): readonly (number | undefined)[] {
  const next: (number | undefined)[] = [];
  let nearest = new Map<string, number>();
  for (let index = marks.length - 1; index >= 0; index -= 1) {
    const mark = marks[index] ?? '';
    if (!mark.startsWith('`')) nearest = new Map();
    else {
      next[index] = nearest.get(mark);
      nearest.set(mark, index);
    }
  }
  return next;
}

function newlinesBetween(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
