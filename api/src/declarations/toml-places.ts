/** Where a key of a TOML text stands, and where its value begins. Offsets count characters from 0. */
export interface TomlPlace {
  readonly key: number;
  readonly value: number;
}

/**
 * Finds the keys of a TOML text that parsed, by their path such as `action.notify.message`. The parser tells values
 * only; a person who mends a rule wants to know the line. What stands in an inline table is found by its outermost key.
 */
export function tomlPlaces(text: string): ReadonlyMap<string, TomlPlace> {
  const places = new Map<string, TomlPlace>();
  let table: readonly string[] = [];
  let at = 0;
  while (at < text.length) {
    const end = lineEnd(text, at);
    const line = text.slice(at, end);
    const header = /^\s*\[{1,2}\s*([^\]#]+?)\s*\]{1,2}/.exec(line);
    const entry = header
      ? null
      : /^(\s*)((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=\s*/.exec(line);
    if (header?.[1]) {
      table = pathOf(header[1]);
      const key = at + line.indexOf('[');
      note(places, table, { key, value: key });
    }
    at = end + 1;
    if (entry?.[2] === undefined) continue;
    const start = end - line.length;
    const value = start + entry[0].length;
    note(places, [...table, ...pathOf(entry[2])], { key: start + (entry[1]?.length ?? 0), value });
    at = Math.max(at, lineEnd(text, valueEnd(text, value)) + 1);
  }
  return places;
}

/** The place of a path, or of what holds it. */
export function placeOf(places: ReadonlyMap<string, TomlPlace>, path: readonly PropertyKey[]): TomlPlace {
  for (let length = path.length; length > 0; length -= 1) {
    const found = places.get(path.slice(0, length).join('.'));
    if (found) return found;
  }
  return { key: 0, value: 0 };
}

/** The character of the text that a character of a string value was read from; of a table, where it begins. */
export function offsetInString(text: string, value: number, character: number): number {
  if (text[value] !== '"' && text[value] !== "'") return value;
  const long = text.startsWith('"""', value) || text.startsWith("'''", value);
  const literal = text[value] === "'";
  let at = value + (long ? 3 : 1);
  if (long) at += text.startsWith('\r\n', at) ? 2 : text[at] === '\n' ? 1 : 0;
  if (literal) return at + character;
  for (let read = 0; read < character && at < text.length; ) {
    if (text[at] !== '\\') {
      at += 1;
      read += 1;
      continue;
    }
    const folded = /^\\\s*\n\s*/.exec(text.slice(at, at + 200));
    at += folded
      ? folded[0].length
      : text[at + 1] === 'U'
        ? 10
        : text[at + 1] === 'u'
          ? 6
          : text[at + 1] === 'x'
            ? 4
            : 2;
    read += folded ? 0 : 1;
  }
  return at;
}

export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}

function note(places: Map<string, TomlPlace>, path: readonly string[], place: TomlPlace): void {
  for (let length = 1; length <= path.length; length += 1) {
    const name = path.slice(0, length).join('.');
    if (!places.has(name) || length === path.length) places.set(name, place);
  }
}

function pathOf(dotted: string): readonly string[] {
  return dotted.split('.').map((part) => part.trim().replace(/^["']|["']$/g, ''));
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** Where a long string ends; other values end with their line, or bring no keys of their own on the next. */
function valueEnd(text: string, value: number): number {
  const mark = text.slice(value, value + 3);
  if (mark !== '"""' && mark !== "'''") return value;
  for (let end = text.indexOf(mark, value + 3); end >= 0; end = text.indexOf(mark, end + 1)) {
    if (mark === "'''" || text[end - 1] !== '\\') return end + 3;
  }
  return text.length;
}
