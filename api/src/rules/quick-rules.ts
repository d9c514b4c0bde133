import { answers } from './helper-answers.ts';
import { factMark, type QuickText } from './quick-condition.ts';
import type { RuleFacts } from './vocabulary.ts';

/** Which condition is being asked. */
export interface Place {
  place: number;
}

/**
 * Asks conditions one after the other, from a place on, until one holds: true, and the place is that condition's. One
 * that has no quick form is stopped at as well. Throws `NotQuick` at the place of what only CEL can say.
 */
export type AskQuickly = (facts: RuleFacts, at: Place) => boolean;

export class NotQuick extends Error {}

/** Conditions that are asked together are one function, in which the engine sees all of them at once. */
export function askQuickly(conditions: readonly (QuickText | undefined)[]): AskQuickly {
  const source = sourceOf(conditions);
  const known = compiled.get(source);
  if (known) return known;
  if (compiled.size >= mostKept) compiled.clear();
  const asked = compile(source);
  compiled.set(source, asked);
  return asked;
}

/** Whoever has switched off the same rules shares them. */
const compiled = new Map<string, AskQuickly>();
const mostKept = 200;

function sourceOf(conditions: readonly (QuickText | undefined)[]): string {
  const cases = conditions.map(
    (condition, place) => `case ${place}: at.place = ${place}; if (${condition ?? 'true'}) return true;`,
  );
  const { text, names } = withFactsOnce(cases.join('\n'));
  const kept = names.length === 0 ? '' : `let ${names.join(', ')};`;
  return [...opening, kept, 'switch (at.place) {', text, '} return false; };'].join('\n');
}

/** A fact that several conditions ask for is asked for once: nothing happens between one condition and the next. */
function withFactsOnce(source: string): { readonly text: string; readonly names: readonly string[] } {
  const parts = source.split(factMark); // every second one is a fact
  const facts = parts.filter((_, place) => place % 2 === 1);
  const repeated = [...new Set(facts)].filter((fact) => facts.indexOf(fact) !== facts.lastIndexOf(fact));
  const nameOf = (fact: string) => `fact${repeated.indexOf(fact)}`;
  const texts = parts.map((part, place) =>
    place % 2 === 1 && repeated.includes(part) ? `(${nameOf(part)} ??= ${part})` : part,
  );
  return { text: texts.join(''), names: repeated.map(nameOf) };
}

/** Constants, and not what the function is given: the engine puts what they are into the code that it makes. */
const opening = [
  '"use strict";',
  'const { answers, whole, number, text, begins, resultAbove } = given;',
  'return function ask(facts, at) {',
];

const given = { answers, whole, number, text, begins, resultAbove };

function compile(source: string): AskQuickly {
  try {
    return new Function('given', source)(given) as AskQuickly;
  } catch (error) {
    if (error instanceof EvalError) return leaveToCel; // this process may not make functions of text
    throw error;
  }
}

function leaveToCel(): never {
  throw new NotQuick();
}

/** CEL's whole numbers have more digits, and an error of their own beyond them. */
function whole(value: unknown): number {
  if (typeof value === 'number') {
    if ((value | 0) === value) return value;
    const cut = Math.trunc(value);
    if (Number.isSafeInteger(cut)) return cut;
  }
  throw new NotQuick();
}

function number(value: unknown): number {
  if (typeof value === 'number') return value;
  throw new NotQuick();
}

function text(value: unknown, longest: number): string {
  if (typeof value !== 'string') throw new NotQuick();
  return value.length <= longest ? value : value.slice(0, longest);
}

/** Measuring a result takes longer than everything else about most rules; a short one need not be measured. */
function resultAbove({ tool }: RuleFacts, tokens: number): boolean {
  return tool?.resultMayExceed?.(tokens) !== false && whole(tool?.resultTokens) > tokens;
}

/** Most texts differ in their first character, and of the whole question the engine makes much code. */
function begins(subject: string, sought: string): boolean {
  return (sought === '' || subject.charCodeAt(0) === sought.charCodeAt(0)) && subject.startsWith(sought);
}
