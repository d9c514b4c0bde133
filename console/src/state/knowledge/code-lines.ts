import { words } from '../../words.ts';

/** Longer lines are not written by hand; laying one of a million characters out would hold up the page. */
const longestLine = 2_000;

/** The lines of a text, what is too long of them cut off and counted. */
export function shortenedLines(text: string): readonly string[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) =>
      line.length > longestLine ? line.slice(0, longestLine) + words.code.cut(line.length - longestLine) : line,
    );
}
