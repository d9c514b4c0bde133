/** What programs read at the beginning of a note, and the text that follows it. */
export function frontMatterOf(body: string): { readonly properties: string | undefined; readonly text: string } {
  const match = /^\uFEFF?---\r?\n([\s\S]{0,20000}?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(body);
  return match
    ? { properties: match[1] ?? '', text: body.slice(match[0].length) }
    : { properties: undefined, text: body };
}
