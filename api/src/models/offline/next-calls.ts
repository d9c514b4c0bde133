import type { Json } from '../../agent/json.ts';
import { foundElsewhere } from '../found-elsewhere.ts';
import { foundHits, foundNotes } from '../found-notes.ts';
import type { Scene, SeenCall } from '../scene.ts';
import { asksAboutCode, codeNames } from './keywords.ts';
import { bestPassages, stem, uncovered } from './passages.ts';

type Call = { readonly name: string; readonly input: Readonly<Record<string, Json>> };

const hitsWanted = 6;
const elsewhereWanted = 4;
const notesRead = 3;
const followedLinks = 2;
const furtherSearches = 2;
/** Only more than this part of the words is worth another look: one of many may just be put differently. */
const enoughOpen = 3;
/** Whatever is still missing then, the answer comes next. */
const mostTurns = 6;

/**
 * What to look up next; nothing when it is time to answer. First the notes are searched, then the best of them are read.
 * When they leave words of the question open, the links in them are followed and the open words searched for by
 * themselves. When nothing was found, it is tried once more with the beginnings of the words.
 */
export function nextCalls(scene: Scene, words: readonly string[]): readonly Call[] {
  if (!scene.toolsOffered || scene.turn > mostTurns) return [];
  const calls = scene.calls();
  const steps = [searchNotes, lookCloser, searchAgain, follow, listAll];
  for (const step of steps) {
    const wanted = step(scene, words, calls).filter(
      ({ name, input }) => scene.offered.has(name) && !made(calls, name, input),
    );
    if (wanted.length > 0) return wanted;
  }
  return [];
}

type Step = (scene: Scene, words: readonly string[], calls: readonly SeenCall[]) => readonly Call[];

const searchNotes: Step = (_scene, words, calls) =>
  words.length === 0 || calls.length > 0 ? [] : [search(words.join(' '), hitsWanted)];

/** The best notes, and beside them what threads and, if it is about code, the code have to say. */
const lookCloser: Step = (scene, words, calls) => [...readBest(calls), ...searchElsewhere(scene, words, calls)];

function searchElsewhere({ question }: Scene, words: readonly string[], calls: readonly SeenCall[]): readonly Call[] {
  if (words.length === 0 || calls.some(({ name }) => elsewhere.has(name))) return [];
  const query = words.join(' ');
  const names = codeNames(question);
  const code =
    names.length > 0
      ? names.map((name) => ({ name: 'find_definition', input: { name } }))
      : [{ name: 'search_code', input: { query, limit: elsewhereWanted } }];
  return [{ name: 'thread_seek', input: { query, limit: elsewhereWanted } }, ...(asksAboutCode(question) ? code : [])];
}

const elsewhere: ReadonlySet<string> = new Set(['thread_seek', 'find_definition', 'search_code']);

/** After the first search, and once more after the second: only what was not read yet. */
function readBest(calls: readonly SeenCall[]): readonly Call[] {
  const paths = [...new Set(foundHits(calls).map(({ path }) => path))];
  const searches = count(calls, 'vault_search');
  const fresh = paths.filter((path) => !made(calls, 'vault_read', { path }));
  const room = notesRead * searches - count(calls, 'vault_read');
  return room > 0 ? fresh.slice(0, Math.min(room, notesRead)).map(read) : [];
}

const searchAgain: Step = (_scene, words, calls) => {
  if (anythingFound(calls) || searchFailed(calls) || count(calls, 'vault_search') > 1) return [];
  const longest = words.toSorted((one, other) => other.length - one.length).slice(0, notesRead);
  return [...new Set(longest.map(stem))].map((word) => search(word, notesRead));
};

const follow: Step = (_scene, words, calls) => {
  const notes = foundNotes(calls);
  if (notes.length === 0 || count(calls, 'vault_search') > 1 || linksFollowed(calls)) return [];
  const passages = bestPassages(notes, words, foundElsewhere(calls));
  const open = uncovered(passages, words).toSorted((one, other) => other.length - one.length);
  if (open.length * enoughOpen <= words.length) return [];
  const cited = new Set(passages.map(({ path }) => path));
  const stems = words.map(stem);
  const links = notes
    .filter(({ path }) => cited.has(path))
    .flatMap(({ text }) => linksIn(text))
    .toSorted((one, other) => shared(other, stems) - shared(one, stems));
  return [
    ...[...new Set(links)].slice(0, followedLinks).map(read),
    ...open.slice(0, furtherSearches).map((word) => search(stem(word), notesRead)),
  ];
};

/** For an answer that has nothing else to offer. */
const listAll: Step = (_scene, _words, calls) =>
  anythingFound(calls) || searchFailed(calls) ? [] : [{ name: 'vault_list', input: { folder: '' } }];

function search(query: string, limit: number): Call {
  return { name: 'vault_search', input: { query, limit } };
}

function read(path: string): Call {
  return { name: 'vault_read', input: { path } };
}

function anythingFound(calls: readonly SeenCall[]): boolean {
  return foundHits(calls).length > 0 || foundElsewhere(calls).length > 0;
}

function searchFailed(calls: readonly SeenCall[]): boolean {
  return calls.some(({ name, ok }) => name === 'vault_search' && !ok);
}

function linksFollowed(calls: readonly SeenCall[]): boolean {
  const found = new Set(foundHits(calls).map(({ path }) => path));
  return calls.some(({ name, input }) => name === 'vault_read' && !found.has(String(fieldOf(input, 'path'))));
}

/** Notes are linked without their ending. */
function linksIn(text: string): readonly string[] {
  return [...text.matchAll(/\[\[([^\]|#]+)[^\]]*\]\]/g)].map(([, target = '']) => {
    const path = target.trim().replace(/^\/+/, '');
    return /\.md$/i.test(path) ? path : `${path}.md`;
  });
}

function shared(path: string, stems: readonly string[]): number {
  return stems.filter((word) => path.toLowerCase().includes(word)).length;
}

/** The same thing asked for before, whatever came of it. */
function made(calls: readonly SeenCall[], name: string, input: Readonly<Record<string, Json>>): boolean {
  const key = ['path', 'query', 'name', 'folder'].find((field) => field in input) ?? '';
  return calls.some((call) => call.name === name && fieldOf(call.input, key) === input[key]);
}

function fieldOf(input: unknown, field: string): unknown {
  return typeof input === 'object' && input !== null ? Reflect.get(input, field) : undefined;
}

function count(calls: readonly SeenCall[], tool: string): number {
  return calls.filter(({ name }) => name === tool).length;
}
