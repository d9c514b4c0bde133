import { NotQuick, number, numberFacts, readNumbers, whole } from './fact-numbers.ts';
import { answers } from './helper-answers.ts';
import { factMark, factText, type QuickText } from './quick-condition.ts';
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
  const { text, kept } = withFactsOnce(cases.join('\n'));
  return [...opening, ...kept, 'switch (at.place) {', text, '} return false; };'].join('\n');
}

const placesOfNumbers = new Map(
  numberFacts.map(({ type, path }, place) => [factText({ type }, `facts.${path.join('?.')}`), place]),
);
/** From so many numbers on they are read together. */
const manyNumbers = 3;

/** A fact that several conditions ask for is asked for once: nothing happens between one condition and the next. */
function withFactsOnce(source: string): { readonly text: string; readonly kept: readonly string[] } {
  const parts = source.split(factMark); // every second one is a fact
  const facts = parts.filter((_, place) => place % 2 === 1);
  const different = [...new Set(facts)];
  const together = different.filter((fact) => placesOfNumbers.has(fact)).length >= manyNumbers;
  const isTogether = (fact: string) => together && placesOfNumbers.has(fact);
  const repeated = different.filter((fact) => !isTogether(fact) && facts.indexOf(fact) !== facts.lastIndexOf(fact));
  const nameOf = (fact: string) => `fact${repeated.indexOf(fact)}`;
  const texts = parts.map((part, place) => {
    if (place % 2 === 0) return part;
    if (isTogether(part)) return `numbers[${placesOfNumbers.get(part)}]`;
    return repeated.includes(part) ? `(${nameOf(part)} ??= ${part})` : part;
  });
  const kept = repeated.map((fact) => `let ${nameOf(fact)};`);
  return { text: texts.join(''), kept: together ? ['const numbers = readNumbers(facts);', ...kept] : kept };
}

/** Constants, and not what the function is given: the engine puts what they are into the code that it makes. */
const opening = [
  '"use strict";',
  'const { answers, readNumbers, whole, number, text } = given;',
  'return function ask(facts, at) {',
];

function compile(source: string): AskQuickly {
  try {
    return new Function('given', source)({ answers, readNumbers, whole, number, text }) as AskQuickly;
  } catch (error) {
    if (error instanceof EvalError) return leaveToCel; // this process may not make functions of text
    throw error;
  }
}

function leaveToCel(): never {
  throw new NotQuick();
}

function text(value: unknown, longest: number): string {
  if (typeof value !== 'string') throw new NotQuick();
  return value.length <= longest ? value : value.slice(0, longest);
}
