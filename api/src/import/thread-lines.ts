import { z } from 'zod';
import { type EntryKind, entryKinds, type NewEntry } from '../threads/threads.ts';

/** An entry with the line that it stands on, or what is wrong with that line. */
export type LineEntry =
  | { readonly line: number; readonly entry: NewEntry }
  | { readonly line: number; readonly problem: string };

const kinds = entryKinds.map((kind) => kind.toLowerCase());
const kindProblem = `kind must be one of ${kinds.join(', ')}`;

const Kind = z
  .string({ error: kindProblem })
  .transform((kind) => kind.trim().toUpperCase())
  .refine((kind): kind is EntryKind => entryKinds.some((known) => known === kind), { error: kindProblem });

const Line = z.object({
  thread: z.string({ error: 'thread must be the title of a thread' }),
  kind: Kind,
  text: z.string({ error: 'text must be a text' }),
  at: z.iso.datetime({ offset: true, error: 'at must be a time such as 2026-11-16T09:30:00Z' }).nullish(),
  author: z.string({ error: 'author must be a name' }).nullish(),
});

const notUtf8 = 'it is not valid UTF-8';

/** Undefined for an empty line. */
export function readJsonLine(text: string, line: number): LineEntry | undefined {
  const plain = text.replace(/^\uFEFF/, '');
  if (plain.trim() === '') return undefined;
  if (plain.includes('\uFFFD')) return { line, problem: notUtf8 };
  let value: unknown;
  try {
    value = JSON.parse(plain);
  } catch {
    return { line, problem: 'it is not JSON' };
  }
  const parsed = Line.safeParse(value);
  if (!parsed.success) return { line, problem: parsed.error.issues.map(({ message }) => message).join('; ') };
  const { thread: title, kind, text: body, at, author } = parsed.data;
  return {
    line,
    entry: { title, kind, text: body, ...(at ? { at: new Date(at) } : {}), ...(author ? { author } : {}) },
  };
}

/** `# Title` begins a thread, `## kind time` an entry; what follows is its text, up to the next such heading. */
export async function* readMarkdown(lines: AsyncIterable<string>): AsyncGenerator<LineEntry> {
  let title: string | undefined;
  let head: { readonly line: number; readonly text: string } | undefined;
  let body: string[] = [];
  let number = 0;
  let fence: string | undefined;
  for await (const raw of lines) {
    number += 1;
    const line = raw.replace(/^\uFEFF/, '');
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    if (mark && (fence === undefined || fence === mark)) fence = fence === undefined ? mark : undefined;
    const heading = fence === undefined ? /^(#{1,2}) +(.*?)[ #]*$/.exec(line) : null;
    if (heading?.[1] === undefined) {
      body.push(line);
      continue;
    }
    if (head) yield entryOf(title, head, body);
    else if (body.some((text) => text.trim() !== ''))
      yield { line: number - 1, problem: 'there is text before the first entry of a thread' };
    body = [];
    if (heading[1] === '#') title = heading[2] ?? '';
    head = heading[1] === '##' ? { line: number, text: heading[2] ?? '' } : undefined;
  }
  if (head) yield entryOf(title, head, body);
}

function entryOf(
  title: string | undefined,
  { line, text: heading }: { readonly line: number; readonly text: string },
  body: readonly string[],
): LineEntry {
  const [kind = '', at] = heading.trim().split(/\s+/, 2);
  const text = body.join('\n').trim();
  if (title === undefined) return { line, problem: 'it stands in no thread: a heading with one # comes first' };
  const parsed = Line.safeParse({ thread: title, kind, text, at: at ?? null });
  if (!parsed.success) return { line, problem: parsed.error.issues.map(({ message }) => message).join('; ') };
  if (text.includes('\uFFFD')) return { line, problem: notUtf8 };
  return {
    line,
    entry: { title, kind: parsed.data.kind, text, ...(parsed.data.at ? { at: new Date(parsed.data.at) } : {}) },
  };
}
