const mostWords = 20;
const longestSearch = 1_000;

/** What somebody types into a field that searches names and questions, for `to_tsquery`: all the words must begin. */
export function wordBeginnings(search: string): string {
  const words = search.slice(0, longestSearch).replaceAll('\0', ' ').toWellFormed().split(/\s+/).filter(Boolean);
  const prefixes = words.slice(0, mostWords).map((word) => `'${word.replace(/['\\]/g, '$&$&')}':*`);
  return prefixes.join(' & ');
}
