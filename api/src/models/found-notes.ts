import { z } from 'zod';
import type { SeenCall } from './scene.ts';

const Hits = z.object({
  hits: z.array(z.object({ path: z.string(), title: z.string().catch(''), snippet: z.string().catch('') })),
});
const Note = z.object({ path: z.string(), title: z.string().catch(''), text: z.string() });
const Listing = z.object({
  folders: z.array(z.object({ path: z.string(), notes: z.number() })).catch([]),
  notes: z.array(z.object({ path: z.string(), title: z.string().catch('') })).catch([]),
});

/** What the Librarian made of a long result; its sources stand for what was found. */
const Digest = z.object({
  summary: z.string(),
  sources: z.array(z.object({ path: z.string(), title: z.string().catch('') })).catch([]),
});

/** What the vault's tools answered, read back from what the model was told. Anything unreadable counts as not found. */
export function foundHits(calls: readonly SeenCall[]) {
  const summarised = results(calls, 'vault_search', Digest).flatMap(({ sources }) => sources);
  return [
    ...results(calls, 'vault_search', Hits).flatMap(({ hits }) => hits),
    ...summarised.map((source) => ({ ...source, snippet: '' })),
  ];
}

export function foundNotes(calls: readonly SeenCall[]) {
  return results(calls, 'vault_read', Note);
}

export function foundListing(calls: readonly SeenCall[]) {
  const [summarised] = results(calls, 'vault_list', Digest);
  return summarised ? { folders: [], notes: summarised.sources } : results(calls, 'vault_list', Listing)[0];
}

export function firstPath(calls: readonly SeenCall[]): string | undefined {
  return foundHits(calls)[0]?.path;
}

function results<T>(calls: readonly SeenCall[], tool: string, schema: z.ZodType<T>): readonly T[] {
  return calls.flatMap(({ name, ok, text }) => {
    if (name !== tool || !ok) return [];
    const parsed = schema.safeParse(jsonIn(text));
    return parsed.success ? [parsed.data] : [];
  });
}

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
