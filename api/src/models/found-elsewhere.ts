import { z } from 'zod';
import { jsonIn } from './found-notes.ts';
import type { Passage } from './offline/passages.ts';
import type { SeenCall } from './scene.ts';

const Entries = z.object({
  hits: z.array(z.object({ path: z.string(), line: z.number(), kind: z.string().catch('entry'), snippet: z.string() })),
});
const Lines = z.object({ hits: z.array(z.object({ path: z.string(), line: z.number(), snippet: z.string() })) });
const Definitions = z.object({
  definitions: z.array(
    z.object({
      path: z.string(),
      line: z.number(),
      name: z.string().catch(''),
      code: z.string().optional(),
      signature: z.string().optional(),
    }),
  ),
});

const longestCode = 600;

/** What threads and code had to say, each hit a passage. Anything unreadable counts as not found. */
export function foundElsewhere(calls: readonly SeenCall[]): readonly Passage[] {
  const found = calls.filter(({ ok }) => ok).flatMap((call) => passagesOf(call));
  return [...new Map(found.map((passage) => [`${passage.source}`, passage])).values()];
}

function passagesOf({ name, text }: SeenCall): readonly Passage[] {
  const value = jsonIn(text);
  switch (name) {
    case 'thread_seek':
      return (Entries.safeParse(value).data?.hits ?? []).map(({ path, line, kind, snippet }) => ({
        path,
        title: path,
        text: snippet.replace(/\s+/g, ' ').trim(),
        source: `${path}, ${kind} ${line}`,
      }));
    case 'search_code':
      return (Lines.safeParse(value).data?.hits ?? []).map(({ path, line, snippet }) => codeAt(path, line, snippet));
    case 'find_definition':
      return (Definitions.safeParse(value).data?.definitions ?? []).map(({ path, line, name, code, signature }) =>
        codeAt(path, line, code ?? signature ?? '', name),
      );
    default:
      return [];
  }
}

function codeAt(path: string, line: number, code: string, title = ''): Passage {
  const text = code.length > longestCode ? `${code.slice(0, longestCode).toWellFormed()}…` : code;
  return { path, title, text, source: `${path}:${line}`, code: true };
}
