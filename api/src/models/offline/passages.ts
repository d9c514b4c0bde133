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
/** A stem is enough: "deploying" should find "deployment". */
const stemLength = 5;

/** The paragraphs that hold most of the words, best first; among equals, the order of notes and paragraphs. */
export function bestPassages(notes: readonly Note[], words: readonly string[]): readonly Passage[] {
  const stems = words.map((word) => word.slice(0, stemLength));
  return notes
    .flatMap(({ path, title, text }) =>
      paragraphs(text).map((paragraph) => ({
        passage: { path, title, text: paragraph },
        score: score(paragraph, stems),
      })),
    )
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, mostPassages)
    .map(({ passage }) => passage);
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
function paragraphs(text: string): readonly string[] {
  return text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)/)
    .map((paragraph) => shown(paragraph))
    .filter((paragraph) => paragraph !== '');
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
