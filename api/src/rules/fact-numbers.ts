import { commonFacts, type FactSpec, type RuleFacts } from './vocabulary.ts';

/** What a condition asks needs more than the quick forms can say. */
export class NotQuick extends Error {}

interface NumberFact {
  readonly type: 'int' | 'double';
  readonly path: readonly [string, string?];
}

/** Every fact that is a number and known under every trigger, in the order of the vocabulary. */
export const numberFacts: readonly NumberFact[] = Object.entries<FactSpec>(commonFacts).flatMap(([name, spec]) =>
  spec.type === 'object'
    ? Object.entries(spec.fields).flatMap(([field, within]) => numberFact(within, [name, field]))
    : numberFact(spec, [name]),
);

function numberFact({ type }: FactSpec, path: NumberFact['path']): readonly NumberFact[] {
  return type === 'int' || type === 'double' ? [{ type, path }] : [];
}

/** One for all runs: it is read before anything else can happen. */
const numbers = new Float64Array(numberFacts.length);

/**
 * All of them at once, where several are asked for: a condition on one of these is then a comparison and nothing more,
 * and so little code that it stays at hand while everything else of a turn is done.
 */
export function readNumbers(facts: RuleFacts): Float64Array {
  if (facts.writeNumbers) facts.writeNumbers(numbers);
  else writeOneByOne(facts, numbers);
  return numbers;
}

export function writeOneByOne(facts: RuleFacts, to: Float64Array): void {
  for (const [place, { type, path }] of numberFacts.entries()) {
    const [name, field] = path;
    const found: unknown = Reflect.get(facts, name);
    const value: unknown = field === undefined ? found : Reflect.get(Object(found), field);
    to[place] = type === 'int' ? whole(value) : number(value);
  }
}

/** CEL's whole numbers have more digits, and an error of their own beyond them. */
export function whole(value: unknown): number {
  if (typeof value === 'number') {
    if ((value | 0) === value) return value;
    const cut = Math.trunc(value);
    if (Number.isSafeInteger(cut)) return cut;
  }
  throw new NotQuick();
}

export function number(value: unknown): number {
  if (typeof value === 'number') return value;
  throw new NotQuick();
}
