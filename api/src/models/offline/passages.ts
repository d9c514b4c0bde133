export interface Passage {
  readonly path: string;
  readonly title: string;
  readonly text: string;
  /** Where it stands, when path and title do not tell it: an entry of a thread, a line of code. */
  readonly source?: string;
  /** To be shown as it is written. */
  readonly code?: true;
}

interface Note {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

const mostPassages = 5;
const longestPassage = 400;
/** What the title and the headings above a paragraph say about it counts, but less than its own words. */
const signpostWeight = 0.7;
/** Passages that fit less than half as well as the best one are left out, unless they alone have a word of the question. */
const goodEnough = 0.5;
/** With less than this beside its links, a paragraph only points elsewhere. */
const leastText = 30;

/**
 * The paragraphs that hold most of the words, best first; among equals, the order of notes and paragraphs. What was found
 * elsewhere, in threads or code, competes with them as it is.
 */
export function bestPassages(
  notes: readonly Note[],
  words: readonly string[],
  elsewhere: readonly Passage[] = [],
): readonly Passage[] {
  const stems = words.map(stem);
  const rated = (passage: Passage, heading: string) => ({
    passage,
    score: score(passage.text, stems) + signpostWeight * score(`${passage.title} ${passage.path} ${heading}`, stems),
  });
  const scored = [
    ...notes.flatMap(({ path, title, text }) =>
      paragraphs(text).map(({ heading, paragraph }) => rated({ path, title, text: paragraph }, heading)),
    ),
    ...elsewhere.map((passage) => rated(passage, '')),
  ]
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  const least = (scored[0]?.score ?? 0) * goodEnough;
  const chosen: Passage[] = [];
  for (const { passage, score } of scored) {
    if (chosen.length === mostPassages) break;
    if (score >= least || uncovered(chosen, words).some((word) => mentions(passage, word))) chosen.push(passage);
  }
  return chosen;
}

/** "caching" should find "cached", and "decisions" should find "decided": endings are dropped, never below four letters. */
export function stem(word: string): string {
  const bare = word.replace(/(?:ations?|ments?|ings?|ions?|ed|es|s)$/, '');
  return (bare.length >= 4 ? bare : word).slice(0, 6);
}

/** The words that none of the passages has, nor what it is called. */
export function uncovered(passages: readonly Passage[], words: readonly string[]): readonly string[] {
  const all = passages.map(({ path, title, text }) => `${path} ${title} ${text}`.toLowerCase()).join('\n');
  return words.filter((word) => !all.includes(stem(word)));
}

function mentions({ text }: Passage, word: string): boolean {
  return text.toLowerCase().includes(stem(word));
}

/** Different words count more than one word many times. */
function score(text: string, stems: readonly string[]): number {
  const lower = text.toLowerCase();
  return stems.reduce((sum, stem) => {
    const times = lower.split(stem).length - 1;
    return sum + (times === 0 ? 0 : 1 + Math.min(times - 1, 3) / 10);
  }, 0);
}

/** Headings and front matter are signposts, not answers. */
function paragraphs(text: string): readonly { readonly heading: string; readonly paragraph: string }[] {
  let heading = '';
  return text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)/)
    .map((paragraph) => {
      heading = /^\s*#{1,6}\s+(.*)$/m.exec(paragraph)?.[1] ?? heading;
      return { heading, paragraph: shown(paragraph) };
    })
    .filter(({ paragraph }) => paragraph !== '' && !pointsElsewhere(paragraph));
}

function pointsElsewhere(paragraph: string): boolean {
  return paragraph.includes('[[') && paragraph.replace(/\[\[[^\]]*\]\]/g, '').length < leastText;
}

function shown(paragraph: string): string {
  const line = paragraph
    .split('\n')
    .filter((text) => !/^\s*(#{1,6}\s|```)/.test(text))
    .join(' ')
    .replace(/^\s*(?:[-*>]|\d+\.)\s+/, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= longestPassage) return line;
  const end = line.lastIndexOf(' ', longestPassage);
  return `${line.slice(0, end > 0 ? end : longestPassage).toWellFormed()} …`;
}
