/**
 * Regular expressions in time proportional to the text, whatever the pattern: all states are followed at once, and
 * nothing is tried twice. What cannot be done that way (backreferences, looking around) is refused, as RE2 does.
 */
export interface LinearRegex {
  /** How many states are followed at most: the cost of one character. */
  readonly states: number;
  test(text: string): boolean;
}

export class PatternError extends Error {
  override name = 'PatternError';
}

const longestPattern = 200;
const mostStates = 400;
const mostRepetitions = 50;

type Matches = (code: number) => boolean;

type Tree =
  | { readonly type: 'empty' }
  | { readonly type: 'one'; readonly matches: Matches }
  | { readonly type: 'start' | 'end' }
  | { readonly type: 'sequence' | 'choice'; readonly parts: readonly Tree[] }
  | { readonly type: 'repeat'; readonly part: Tree; readonly least: number; readonly most: number };

type Step =
  | { readonly type: 'one'; readonly matches: Matches; readonly next: number }
  | { readonly type: 'start' | 'end'; readonly next: number }
  | { readonly type: 'split'; readonly next: number; other: number }
  | { readonly type: 'found' };

/** Throws a PatternError that says what is wrong. */
export function linearRegex(pattern: string): LinearRegex {
  if (pattern.length > longestPattern)
    throw new PatternError(`a pattern has at most ${longestPattern} characters, this one ${pattern.length}`);
  const steps: Step[] = [{ type: 'found' }];
  const first = assemble(new PatternReader(pattern).read(), 0, steps);
  return { states: steps.length, test: (text) => simulate(steps, first, text) };
}

/** Builds backwards: each part is given the step that follows it. */
function assemble(tree: Tree, next: number, steps: Step[]): number {
  if (steps.length > mostStates) throw new PatternError('the pattern repeats too much');
  switch (tree.type) {
    case 'empty':
      return next;
    case 'one':
      return steps.push({ type: 'one', matches: tree.matches, next }) - 1;
    case 'start':
    case 'end':
      return steps.push({ type: tree.type, next }) - 1;
    case 'sequence':
      return tree.parts.reduceRight((after, part) => assemble(part, after, steps), next);
    case 'choice':
      return tree.parts
        .map((part) => assemble(part, next, steps))
        .reduce((one, other) => steps.push({ type: 'split', next: one, other }) - 1);
    case 'repeat':
      return assembleRepeat(tree, next, steps);
  }
}

function assembleRepeat({ part, least, most }: Extract<Tree, { type: 'repeat' }>, next: number, steps: Step[]): number {
  let entry = next;
  if (most === Number.POSITIVE_INFINITY) {
    const split: Step = { type: 'split', next, other: 0 };
    entry = steps.push(split) - 1;
    split.other = assemble(part, entry, steps);
  }
  for (let optional = least; optional < most && most !== Number.POSITIVE_INFINITY; optional += 1)
    entry = steps.push({ type: 'split', next, other: assemble(part, entry, steps) }) - 1;
  for (let required = 0; required < least; required += 1) entry = assemble(part, entry, steps);
  return entry;
}

function simulate(steps: readonly Step[], first: number, text: string): boolean {
  const reached = new Int32Array(steps.length).fill(-1);
  let current: number[] = [];
  let following: number[] = [];
  for (let place = 0; ; place += 1) {
    if (follow(steps, first, place, text.length, reached, current)) return true;
    if (place === text.length) return false;
    const code = text.charCodeAt(place);
    following = [];
    for (const index of current) {
      const step = steps[index];
      if (step?.type !== 'one' || !step.matches(code)) continue;
      if (follow(steps, step.next, place + 1, text.length, reached, following)) return true;
    }
    current = following;
  }
}

/** Adds what can be reached without reading a character; true when that is the end of the pattern. */
function follow(
  steps: readonly Step[],
  from: number,
  place: number,
  length: number,
  reached: Int32Array,
  into: number[],
): boolean {
  const waiting = [from];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (reached[index] === place) continue;
    reached[index] = place;
    const step = steps[index];
    if (step === undefined || step.type === 'found') return true;
    if (step.type === 'one') into.push(index);
    else if (step.type === 'split') waiting.push(step.other, step.next);
    else if (step.type === 'start' ? place === 0 : place === length) waiting.push(step.next);
  }
  return false;
}

const digit: Matches = (code) => code >= 48 && code <= 57;
const word: Matches = (code) => digit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
const space: Matches = (code) => code === 32 || (code >= 9 && code <= 13) || code === 160;
const not =
  (matches: Matches): Matches =>
  (code) =>
    !matches(code);
const classes: Readonly<Record<string, Matches>> = {
  d: digit,
  D: not(digit),
  w: word,
  W: not(word),
  s: space,
  S: not(space),
};
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

class PatternReader {
  #at = 0;
  #ignoreCase = false;

  constructor(private readonly pattern: string) {}

  read(): Tree {
    if (this.pattern.startsWith('(?i)')) {
      this.#ignoreCase = true;
      this.#at = 4;
    }
    const tree = this.#choice();
    if (this.#at < this.pattern.length) throw new PatternError('there is a ) without its (');
    return tree;
  }

  #choice(): Tree {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    return parts.length === 1 ? (parts[0] ?? { type: 'empty' }) : { type: 'choice', parts };
  }

  #sequence(): Tree {
    const parts: Tree[] = [];
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')'; next = this.#peek())
      parts.push(this.#repeated(this.#atom()));
    return { type: 'sequence', parts };
  }

  #repeated(part: Tree): Tree {
    const range = this.#range();
    if (!range) return part;
    this.#take('?'); // greedy or not makes no difference to whether it matches
    if (this.#range()) throw new PatternError('there are two repetitions in a row');
    return { type: 'repeat', part, ...range };
  }

  #range(): { readonly least: number; readonly most: number } | undefined {
    if (this.#take('*')) return { least: 0, most: Number.POSITIVE_INFINITY };
    if (this.#take('+')) return { least: 1, most: Number.POSITIVE_INFINITY };
    if (this.#take('?')) return { least: 0, most: 1 };
    const counted = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(this.pattern.slice(this.#at, this.#at + 12));
    if (!counted) return undefined;
    this.#at += counted[0].length;
    const least = Number(counted[1]);
    const most = counted[2] === undefined ? least : counted[3] ? Number(counted[3]) : Number.POSITIVE_INFINITY;
    if (least > mostRepetitions || (most !== Number.POSITIVE_INFINITY && most > mostRepetitions))
      throw new PatternError(`something is repeated more than ${mostRepetitions} times`);
    if (most < least) throw new PatternError(`${counted[0]} asks for fewer than it needs`);
    return { least, most };
  }

  #atom(): Tree {
    const next = this.pattern[this.#at++];
    switch (next) {
      case '(':
        return this.#group();
      case '[':
        return { type: 'one', matches: this.#set() };
      case '.':
        return { type: 'one', matches: (code) => code !== 10 };
      case '^':
        return { type: 'start' };
      case '$':
        return { type: 'end' };
      case '*':
      case '+':
      case '?':
        throw new PatternError(`there is nothing before ${next} to repeat`);
      case '\\':
        return { type: 'one', matches: this.#escaped() };
      default:
        return { type: 'one', matches: this.#exactly(next ?? '') };
    }
  }

  #group(): Tree {
    if (this.#take('?') && !this.#take(':'))
      throw new PatternError('looking around and named groups are not supported; use (?:…) or (…)');
    const tree = this.#choice();
    if (!this.#take(')')) throw new PatternError('there is a ( without its )');
    return tree;
  }

  #escaped(): Matches {
    const next = this.pattern[this.#at++];
    if (next === undefined) throw new PatternError('it ends with a backslash');
    const known = classes[next];
    if (known) return known;
    if (/[1-9]/.test(next)) throw new PatternError('backreferences are not supported');
    const control = controls[next];
    if (control === undefined && /[A-Za-z0]/.test(next)) throw new PatternError(`\\${next} is not supported`);
    return this.#exactly(control ?? next);
  }

  #set(): Matches {
    const negated = this.#take('^');
    const parts: Matches[] = [];
    for (let first = true; first || this.#peek() !== ']'; first = false) {
      if (this.#peek() === undefined) throw new PatternError('there is a [ without its ]');
      parts.push(this.#member());
    }
    this.#at += 1;
    const any: Matches = (code) => parts.some((matches) => matches(code));
    return negated ? not(any) : any;
  }

  #member(): Matches {
    const from = this.pattern[this.#at++] ?? '';
    if (from === '\\') return this.#escaped();
    const range = this.#peek() === '-' && ![undefined, ']'].includes(this.pattern[this.#at + 1]);
    if (!range) return this.#exactly(from);
    const to = this.pattern[this.#at + 1] ?? '';
    this.#at += 2;
    if (to < from || to === '\\') throw new PatternError(`the range ${from}-${to} is no range`);
    const within: Matches = (code) => code >= from.charCodeAt(0) && code <= to.charCodeAt(0);
    if (!this.#ignoreCase) return within;
    return (code) => otherCases(code).some(within);
  }

  #exactly(character: string): Matches {
    const wanted = character.charCodeAt(0);
    if (!this.#ignoreCase) return (code) => code === wanted;
    const either = otherCases(wanted);
    return (code) => either.includes(code);
  }

  #peek(): string | undefined {
    return this.pattern[this.#at];
  }

  #take(character: string): boolean {
    if (this.pattern[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }
}

function otherCases(code: number): readonly number[] {
  const character = String.fromCharCode(code);
  return [code, character.toLowerCase().charCodeAt(0), character.toUpperCase().charCodeAt(0)];
}
