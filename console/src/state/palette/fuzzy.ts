/**
 * How well a text fits what was typed; undefined when it does not. Every word typed must be found, its letters in
 * order: at the beginning of a word best, in one piece better than scattered. Case and accents do not matter.
 */
export function fuzzyScore(typed: string, text: string): number | undefined {
  const wanted = plain(typed).split(/\s+/).filter(Boolean);
  const letters = plain(text.slice(0, longestRead));
  let total = 0;
  for (const word of wanted) {
    const score = scoreOf(word, letters);
    if (score === undefined) return undefined;
    total += score;
  }
  // Of two that fit alike the shorter one is meant more probably.
  return total - letters.length / 1_000;
}

/** Nobody looks for the end of a long text by its letters. */
const longestRead = 300;

export interface Ranked<Item> {
  readonly item: Item;
  readonly score: number;
}

/** Those that fit, best first; what fits alike keeps its order. Each may be found by any of its texts. */
export function rank<Item>(
  typed: string,
  items: readonly Item[],
  textsOf: (item: Item) => readonly string[],
  bonusOf: (item: Item) => number = () => 0,
): readonly Ranked<Item>[] {
  return items
    .flatMap((item) => {
      // The first text is the name; what else it may be found by counts a little less.
      const scores = textsOf(item).flatMap((text, index) => {
        const score = fuzzyScore(typed, text);
        return score === undefined ? [] : [index === 0 ? score : score - 2];
      });
      return scores.length === 0 ? [] : [{ item, score: Math.max(...scores) + bonusOf(item) }];
    })
    .toSorted((a, b) => b.score - a.score);
}

const points = { letter: 1, wordStart: 6, inARow: 4, beginning: 3, wholeWord: 4, gap: -0.5, mostGap: -4 };

/** The best of all places where the word may begin. */
function scoreOf(word: string, text: string): number | undefined {
  let best: number | undefined;
  for (let start = text.indexOf(word[0] ?? ''); start !== -1; start = text.indexOf(word[0] ?? '', start + 1)) {
    const score = scoreFrom(word, text, start);
    if (score === undefined) break; // what does not fit from here does not fit from later
    if (best === undefined || score > best) best = score;
  }
  return best;
}

function scoreFrom(word: string, text: string, start: number): number | undefined {
  let score = start === 0 ? points.beginning : 0;
  let previous = start - 1;
  for (let index = 0; index < word.length; index++) {
    const letter = word[index] ?? '';
    const at = index === 0 ? start : nextPlace(text, letter, previous + 1);
    if (at === -1) return undefined;
    score += points.letter;
    if (isWordStart(text, at)) score += points.wordStart;
    if (index > 0)
      score += at === previous + 1 ? points.inARow : Math.max(points.mostGap, (at - previous) * points.gap);
    previous = at;
  }
  const whole = previous - start === word.length - 1 && isWordStart(text, start) && !isLetter(text[previous + 1]);
  return score + (whole ? points.wholeWord : 0);
}

/** The next letter, or the one that begins a word if that is near: "nc" means New Conversation rather than laNguage Choice. */
function nextPlace(text: string, letter: string, from: number): number {
  const first = text.indexOf(letter, from);
  if (first === -1 || first === from || isWordStart(text, first)) return first;
  for (let at = first; at !== -1; at = text.indexOf(letter, at + 1)) if (isWordStart(text, at)) return at;
  return first;
}

function isWordStart(text: string, at: number): boolean {
  return isLetter(text[at]) && !isLetter(text[at - 1]);
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
