import { linearRegex } from './linear-regex.ts';
import { list, type Shape, scalar, text, weightOf } from './shape.ts';
import { helpers, mostTools } from './vocabulary.ts';

/** What is known of a function: how big its result can be, and what it costs. Others are not allowed. */
export type Known =
  | {
      readonly type: 'plain';
      result(operands: readonly Shape[]): Shape;
      work(operands: readonly Shape[]): number;
    }
  | { readonly type: 'loop'; readonly keeps: 'nothing' | 'elements' | 'results' }
  | { readonly type: 'pattern'; states(pattern: string): number };

const whole = (operands: readonly Shape[]) => operands.reduce((sum, shape) => sum + weightOf(shape), 0);
const characters = (operands: readonly Shape[]) => Math.max(0, ...operands.map((shape) => shape.characters));
const plain = (result: (operands: readonly Shape[]) => Shape): Known => ({ type: 'plain', result, work: whole });
const toScalar = plain(() => scalar);
/** In the worst case each place is looked at several times. */
const sought: Known = { type: 'plain', result: () => scalar, work: (operands) => characters(operands) / 4 };
const toText = plain((operands) => text(characters(operands)));
const helper: Known = { type: 'plain', result: () => text(1_000), work: () => mostTools };

const methods: Readonly<Record<string, Known>> = {
  contains: sought,
  startsWith: toScalar,
  endsWith: toScalar,
  indexOf: sought,
  lastIndexOf: sought,
  size: { type: 'plain', result: () => scalar, work: (operands) => characters(operands) / 8 },
  lowerAscii: toText,
  upperAscii: toText,
  trim: toText,
  substring: toText,
  split: plain((operands) => {
    const length = characters(operands);
    return { ...list(length + 1, text(length)), weight: 2 * length + 1 };
  }),
  join: plain((operands) => {
    const [parts = scalar, between = scalar] = operands;
    return text(parts.items * ((parts.element?.characters ?? 0) + between.characters));
  }),
  matches: { type: 'pattern', states: (pattern) => linearRegex(pattern).states },
  all: { type: 'loop', keeps: 'nothing' },
  exists: { type: 'loop', keeps: 'nothing' },
  exists_one: { type: 'loop', keeps: 'nothing' },
  map: { type: 'loop', keeps: 'results' },
  filter: { type: 'loop', keeps: 'elements' },
};

const functions: Readonly<Record<string, Known>> = {
  ...Object.fromEntries(Object.keys(helpers).map((name) => [name, helper])),
  has: toScalar,
  size: { type: 'plain', result: () => scalar, work: (operands) => characters(operands) / 8 },
  int: toScalar,
  double: toScalar,
  bool: toScalar,
  string: plain((operands) => text(Math.max(40, characters(operands)))),
};

export function known(name: string, method: boolean): Known | undefined {
  const table = method ? methods : functions;
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

export function callsOf(method: boolean): readonly string[] {
  return Object.keys(method ? methods : functions);
}
