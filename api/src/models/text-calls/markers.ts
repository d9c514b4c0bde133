/**
 * The tags that calls are written with. Each marker is a pattern for the whole tag and one for every beginning of it, so
 * that a tag which arrives in pieces is held back as long as it may still become one, and no longer. All repetitions are
 * bounded: what is held back stays short, however strange the text.
 */
export interface Marker {
  /** Sticky. */
  readonly whole: RegExp;
  /** Sticky; matches only up to the end of the text. */
  readonly beginning: RegExp;
}

/** One piece of a pattern: a character, or a class with its repetition. */
type Atom = string;

const space = '\\s{0,64}';
const bar = '[|｜]';
const low = '[▁_]';

/** Names are written plain, with Anthropic's namespace, or with DeepSeek's marks, whose bars come in several shapes. */
const prefixes: readonly (readonly Atom[])[] = [
  [],
  letters('antml:'),
  [bar, `${bar}?`, ...letters('DSML'), bar, `${bar}?`, ' ?'],
];

/** A parameter's or a call's name, in either kind of quotation marks. */
const nameAttribute: readonly Atom[] = [
  '\\s',
  space,
  ...letters('name'),
  space,
  '=',
  space,
  '["\']',
  '([^"\'<>]{0,200})',
  '["\']',
  '([^<>]{0,200})',
  '>',
];

const wrapperNames = ['function_calls', 'tool_calls'];

const opening = (name: string) => spelled(['<'], name);
const closing = (name: string) => spelled(['<', '/'], name, [space, '>']);
const wrapperClosings = wrapperNames.flatMap(closing);
const afterInvoke = [['\\{'], ...opening('parameter'), ...spelled(['<', '/'], 'invoke')];
const afterWrapper = [
  ['\\['],
  ['\\{'],
  ...opening('invoke').map((atoms) => [...atoms, '\\s']),
  ...opening('tool_call'),
];

/** Followed by what only a call is followed by: a tag that is merely mentioned opens nothing. */
export const wrapperOpening = marker(
  wrapperNames.flatMap((name) => opening(name).map((atoms) => [...atoms, space, '>', space])),
  afterWrapper,
);
export const invokeOpening = marker(
  opening('invoke').map((atoms) => [...atoms, ...nameAttribute, space]),
  afterInvoke,
);
export const toolCallOpening = marker(
  opening('tool_call').map((atoms) => [...atoms, space, '>', space]),
  [['\\{'], letters('<function='), ['[\\w.-]{1,100}', space, ...letters('<arg_key>')]],
);
/** DeepSeek's older marks are tokens of their own and come in no other text. */
export const tokenOpening = marker([
  ['<', bar, ...letters('tool'), low, ...letters('call'), 's?', low, ...letters('begin'), bar, '>'],
]);
export const tokenClosing = marker([
  ['<', bar, ...letters('tool'), low, ...letters('call'), low, ...letters('end'), bar, '>'],
]);
export const parameterOpening = marker(opening('parameter').map((atoms) => [...atoms, ...nameAttribute]));
export const parameterClosing = marker(closing('parameter'));
export const invokeClosing = marker(closing('invoke'));
export const toolCallClosing = marker(closing('tool_call'));
export const wrapperClosing = marker(wrapperClosings);
/** What may be left over once a call was read. */
export const anyClosing = marker([
  ...wrapperClosings,
  ...['invoke', 'tool_call', 'parameter'].flatMap(closing),
  ['<', bar, ...letters('tool'), low, ...letters('call'), 's?', low, ...letters('end'), bar, '>'],
]);

/** The end of the marker at this place; 'held' when it may become one with what follows; undefined when it cannot. */
export function markerAt(
  { whole, beginning }: Marker,
  text: string,
  at: number,
): { readonly end: number; readonly found: RegExpExecArray } | 'held' | undefined {
  whole.lastIndex = at;
  const found = whole.exec(text);
  if (found !== null) return { end: whole.lastIndex, found };
  beginning.lastIndex = at;
  return beginning.test(text) ? 'held' : undefined;
}

function letters(word: string): readonly Atom[] {
  return [...word].map((character) => character.replace(/[.*+?^${}()|[\]\\/]/, '\\$&'));
}

function spelled(before: readonly Atom[], name: string, after: readonly Atom[] = []): readonly (readonly Atom[])[] {
  return prefixes.map((prefix) => [...before, ...prefix, ...letters(name), ...after]);
}

/** `after` must follow, but is not part of the marker. */
function marker(tags: readonly (readonly Atom[])[], after: readonly (readonly Atom[])[] = []): Marker {
  const follow = after.length === 0 ? '' : `(?=${after.map((atoms) => atoms.join('')).join('|')})`;
  const rest = after.length === 0 ? '' : `(?:${after.map((atoms) => beginningOf(atoms, '')).join('|')})`;
  return {
    whole: new RegExp(`(?:${tags.map((atoms) => atoms.join('')).join('|')})${follow}`, 'y'),
    beginning: new RegExp(`(?:${tags.map((atoms) => beginningOf(atoms, rest)).join('|')})`, 'y'),
  };
}

/** A pattern that matches every beginning, if the text ends there. */
function beginningOf(atoms: readonly Atom[], rest: string): string {
  return atoms.reduceRight((later, atom) => `(?:$|${atom}${later})`, rest === '' ? '$' : `(?:$|${rest})`);
}
