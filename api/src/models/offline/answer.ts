import { foundElsewhere } from '../found-elsewhere.ts';
import { foundHits, foundListing, foundNotes } from '../found-notes.ts';
import type { SeenCall } from '../scene.ts';
import { bestPassages, type Passage, uncovered } from './passages.ts';

const label = '*Answered without a language model: these are the passages that match your question.*';
const unlabelled = '*Answered without a language model.*';
const hitsQuoted = 3;

/** What can be said from what was looked up: quotations with their sources, or that there is nothing. */
export function answerFrom(calls: readonly SeenCall[], words: readonly string[]): string {
  const passages = passagesOf(calls, words);
  return passages.length > 0 ? quoting(passages, words) : nothingFound(calls, words);
}

/** Whole notes where they could be read; otherwise the snippets of the search. */
function passagesOf(calls: readonly SeenCall[], words: readonly string[]): readonly Passage[] {
  const elsewhere = foundElsewhere(calls);
  const read = bestPassages(foundNotes(calls), words, elsewhere);
  if (read.some(({ source }) => source === undefined)) return read;
  const hits = [...new Map(foundHits(calls).map((hit) => [hit.path, hit])).values()].slice(0, hitsQuoted);
  const snippets = hits.map(({ path, title, snippet }) => ({ path, title, text: snippet.replace(/\s+/g, ' ').trim() }));
  return [...snippets.filter(({ text }) => text !== ''), ...read];
}

function quoting(passages: readonly Passage[], words: readonly string[]): string {
  const sources = [...new Set(passages.map(sourceOf))];
  const number = (passage: Passage) => sources.indexOf(sourceOf(passage)) + 1;
  const open = uncovered(passages, words);
  return [
    label,
    passages.map((passage) => quoted(passage, number(passage))).join('\n'),
    ...(open.length === 0 ? [] : [`I found nothing that mentions ${listed(open)}.`]),
    `Sources:\n\n${sources.map((source, index) => `- [${index + 1}] ${source}`).join('\n')}`,
  ].join('\n\n');
}

function quoted({ text, code }: Passage, number: number): string {
  if (code === undefined) return `- ${text} [${number}]`;
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([marks]) => marks.length));
  const fence = '`'.repeat(longest + 1);
  return `- [${number}]\n\n  ${fence}\n${text.replace(/^/gm, '  ')}\n  ${fence}\n`;
}

function sourceOf({ path, title, source }: Passage): string {
  return source ?? (title === '' ? path : `${title} (${path})`);
}

function nothingFound(calls: readonly SeenCall[], words: readonly string[]): string {
  const searches = calls.filter(({ name }) => /search|seek|find_/.test(name));
  const failed = searches.find(({ ok }) => !ok);
  if (words.length === 0) return `${unlabelled} The question has no words to search for.${contents(calls)}`;
  if (searches.length === 0) {
    return `${unlabelled} I found nothing about ${listed(words)}: nothing could be searched in this turn.`;
  }
  if (failed !== undefined && searches.every(({ ok }) => !ok)) {
    return `${unlabelled} The vault could not be searched: ${failed.text}`;
  }
  return `${unlabelled} I found nothing about ${listed(words)}. ${tried(searches)}${contents(calls)}`;
}

/** What was searched, and for what, so that the person need not try it again. */
function tried(searches: readonly SeenCall[]): string {
  const places = new Map<string, string[]>();
  for (const { name, input } of searches) {
    const place = placeOf(name);
    const wanted = isRecord(input) ? String(input.query ?? input.name ?? '') : '';
    places.set(place, [...(places.get(place) ?? []), `“${wanted}”`]);
  }
  return `I searched ${[...places].map(([place, wanted]) => `${place} for ${listed([...new Set(wanted)])}`).join('; ')}.`;
}

function placeOf(tool: string): string {
  if (tool.startsWith('vault')) return 'the notes';
  return tool.startsWith('thread') ? 'the threads' : 'the code';
}

function contents(calls: readonly SeenCall[]): string {
  const listing = foundListing(calls);
  if (listing === undefined) return '';
  const lines = [
    ...listing.folders.map(({ path, notes }) => `- ${path}/ (${notes === 1 ? '1 note' : `${notes} notes`})`),
    ...listing.notes.map(({ path, title }) => `- ${title === '' ? path : `${title} (${path})`}`),
  ];
  return lines.length === 0 ? ' There are no notes yet.' : `\n\nThe vault holds:\n${lines.join('\n')}`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
