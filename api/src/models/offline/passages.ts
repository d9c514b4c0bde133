export interface Passage {
  readonly path: string;
  readonly title: string;
  readonly text: string;
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
/** Passages that fit less than half as well as the best one are left out. */
const goodEnough = 0.5;
/** With less than this beside its links, a paragraph only points elsewhere. */
const leastText = 30;

/** The paragraphs that hold most of the words, best first; among equals, the order of notes and paragraphs. */
export function bestPassages(notes: readonly Note[], words: readonly string[]): readonly Passage[] {
  const stems = words.map(stem);
  const scored = notes
    .flatMap(({ path, title, text }) =>
      paragraphs(text).map(({ heading, paragraph }) => ({
        passage: { path, title, text: paragraph },
        score: score(paragraph, stems) + signpostWeight * score(`${title} ${path} ${heading}`, stems),
      })),
    )
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  const least = (scored[0]?.score ?? 0) * goodEnough;
  return scored
    .filter(({ score }) => score >= least)
    .slice(0, mostPassages)
    .map(({ passage }) => passage);
}

/** "caching" should find "cached", and "decisions" should find "decided": endings are dropped, never below four letters. */
function stem(word: string): string {
  const bare = word.replace(/(?:ations?|ments?|ings?|ions?|ed|es|s)$/, '');
  return (bare.length >= 4 ? bare : word).slice(0, 6);
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
