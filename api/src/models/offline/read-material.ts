import { keywords } from './keywords.ts';
import { bestPassages } from './passages.ts';

const label = '*Picked out without a language model: the passages that share most words with the question.*';
const nothing = '*Picked out without a language model.* Nothing in it shares a word with the question.';
/** How the Librarian is given its material, see its own side for why the fence has such a name. */
const fenced =
  /^The question:\n([\s\S]*?)\n\nThe material: [^\n]*\n(?:It is cut[^\n]*\n)?<(material-[0-9a-f]{12})>\n([\s\S]*)\n<\/\2>/;
const mostListed = 10;

interface Part {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

/** What the Librarian reports when it has no language model: the passages that fit best. Undefined for other questions. */
export function readMaterial(asked: string): string | undefined {
  const [, question, , material] = fenced.exec(asked) ?? [];
  if (question === undefined || material === undefined) return undefined;
  const parts = partsOf(material);
  const passages = bestPassages(parts, keywords(question));
  if (passages.length > 0) {
    return `${label}\n\n${passages.map(({ text, path }) => `- ${text}${path === '' ? '' : ` (${path})`}`).join('\n')}`;
  }
  const named = [...new Set(parts.map(({ path, title }) => (title === '' ? path : `${title} (${path})`)))].filter(
    Boolean,
  );
  if (named.length === 0) return nothing;
  const more = named.length > mostListed ? `\n- and ${named.length - mostListed} more` : '';
  return `${nothing} It is about:\n${named
    .slice(0, mostListed)
    .map((name) => `- ${name}`)
    .join('\n')}${more}`;
}

/** Whatever the tool was: everything in it that has a path, and otherwise its text. */
function partsOf(material: string): readonly Part[] {
  try {
    return partsIn(JSON.parse(material));
  } catch {
    // Plain text, or JSON that was cut: then what is legible of it.
    const legible = /^\s*[[{]/.test(material) ? stringsIn(material).join('\n\n') : material;
    return [{ path: '', title: '', text: legible }];
  }
}

function partsIn(value: unknown): readonly Part[] {
  if (typeof value === 'string') return [{ path: '', title: '', text: value }];
  if (Array.isArray(value)) return value.flatMap(partsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { path, title, ...rest } = value as Readonly<Record<string, unknown>>;
  if (typeof path !== 'string') return Object.values(value).flatMap(partsIn);
  const name = typeof title === 'string' ? title : '';
  const text = Object.values(rest).filter((field) => typeof field === 'string');
  return [{ path, title: name, text: text.length > 0 ? text.map(unheaded).join('\n\n') : name || path }];
}

/** A snippet may run a heading and what follows into one line, which is no heading then. */
function unheaded(text: string): string {
  return text.includes('\n') ? text : text.replace(/^\s*#{1,6}\s+/, '');
}

function stringsIn(json: string): readonly string[] {
  return [...json.matchAll(/"((?:[^"\\]|\\.)*)"?/g)].map(([, text = '']) =>
    text.replaceAll('\\n', '\n').replaceAll(/\\(.)/g, '$1'),
  );
}
