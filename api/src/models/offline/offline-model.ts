import type { LanguageModelV4 } from '@ai-sdk/provider';
import { type Act, type ActingOptions, actingModel } from '../acting-model.ts';
import { foundHits, foundListing, foundNotes } from '../found-notes.ts';
import type { Scene, SeenCall } from '../scene.ts';
import { keywords } from './keywords.ts';
import { bestPassages, type Passage } from './passages.ts';
import { readMaterial } from './read-material.ts';

const label = '*Answered without a language model: these are passages from the vault that match your question.*';
const notesRead = 3;
const hitsWanted = 6;

/** Answers by retrieval: searches, reads the best notes, and quotes the passages that fit, with their sources. */
export function createOfflineModel(options: ActingOptions = {}): LanguageModelV4 {
  return actingModel('offline', act, options);
}

function act(scene: Scene): Act {
  const report = readMaterial(scene.question);
  if (report !== undefined) return { text: report };
  const words = keywords(scene.question);
  const calls = scene.calls();
  const searched = calls.find(({ name }) => name === 'vault_search');
  const hits = distinct(foundHits(calls));
  if (scene.toolsOffered) {
    if (searched === undefined && words.length > 0) {
      return { calls: [{ name: 'vault_search', input: { query: words.join(' '), limit: hitsWanted } }] };
    }
    if (hits.length > 0 && !calls.some(({ name }) => name === 'vault_read')) {
      const best = hits.slice(0, notesRead);
      return { calls: best.map(({ path }) => ({ name: 'vault_read', input: { path } })) };
    }
    if (hits.length === 0 && searched?.ok !== false && !calls.some(({ name }) => name === 'vault_list')) {
      return { calls: [{ name: 'vault_list', input: { folder: '' } }] };
    }
  }
  return { text: hits.length > 0 ? quoting(passagesOf(calls, words)) : nothingFound(calls, words) };
}

/** Whole notes where they could be read; otherwise the snippets of the search. */
function passagesOf(calls: readonly SeenCall[], words: readonly string[]): readonly Passage[] {
  const notes = foundNotes(calls);
  const read = bestPassages(notes, words);
  if (read.length > 0) return read;
  return distinct(foundHits(calls))
    .slice(0, notesRead)
    .map(({ path, title, snippet }) => ({ path, title, text: snippet.replace(/\s+/g, ' ').trim() }));
}

function quoting(passages: readonly Passage[]): string {
  const sources = distinct(passages);
  const number = ({ path }: Passage) => sources.findIndex((source) => source.path === path) + 1;
  return [
    label,
    passages.map((passage) => `- ${passage.text} [${number(passage)}]`).join('\n'),
    `Sources:\n${sources.map(({ path, title }, index) => `[${index + 1}] ${title === '' ? path : `${title} (${path})`}`).join('\n')}`,
  ].join('\n\n');
}

function nothingFound(calls: readonly SeenCall[], words: readonly string[]): string {
  const searched = calls.find(({ name }) => name === 'vault_search');
  const subject = words.length === 0 ? 'your question' : words.join(', ');
  if (searched?.ok === false) return `${unlabelled} The vault could not be searched: ${searched.text}`;
  if (searched === undefined && words.length > 0) return `${unlabelled} The vault could not be searched in this turn.`;
  const found =
    words.length === 0 ? 'The question has no words to search for.' : `The vault has nothing on ${subject}.`;
  return `${unlabelled} ${found}${contents(calls)}`;
}

const unlabelled = '*Answered without a language model.*';

function contents(calls: readonly SeenCall[]): string {
  const listing = foundListing(calls);
  if (listing === undefined) return '';
  const lines = [
    ...listing.folders.map(({ path, notes }) => `- ${path}/ (${notes === 1 ? '1 note' : `${notes} notes`})`),
    ...listing.notes.map(({ path, title }) => `- ${title === '' ? path : `${title} (${path})`}`),
  ];
  return lines.length === 0 ? ' It is empty.' : `\n\nIt holds:\n${lines.join('\n')}`;
}

function distinct<T extends { readonly path: string }>(entries: readonly T[]): readonly T[] {
  return [...new Map(entries.toReversed().map((entry) => [entry.path, entry])).values()].toReversed();
}
