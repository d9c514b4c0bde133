import type { ASTNode } from '@marcbachmann/cel-js';
import { factReaders } from './fact-readers.ts';
import { answers } from './helper-answers.ts';
import { type FactSpec, type FactSpecs, type HelperSpec, helpers, type RuleFacts } from './vocabulary.ts';

/** A condition as a function of the plain facts. Throws `NotQuick` when it meets what only CEL can say. */
export type QuickCondition = (facts: RuleFacts) => boolean;

export class NotQuick extends Error {}

type Quick =
  | { readonly type: 'bool'; readonly of: (facts: RuleFacts) => boolean }
  | { readonly type: 'int' | 'double'; readonly of: Numeric; readonly always?: number }
  | { readonly type: 'string'; readonly of: (facts: RuleFacts) => string };

/**
 * Most conditions compare facts with numbers and texts, and join that with and, or and not. Those are done here in a
 * small part of the time that CEL takes, which boxes every number; undefined for all others. The expression has been
 * checked before: names are known and types go together.
 */
export function quickCondition(expression: ASTNode, specs: FactSpecs): QuickCondition | undefined {
  const quick = quickened(expression, specs);
  return quick?.type === 'bool' ? quick.of : undefined;
}

function quickened(node: ASTNode, specs: FactSpecs): Quick | undefined {
  switch (node.op) {
    case 'value':
      return literal(node.args);
    case 'id':
      return fact(specs[node.args], node.args);
    case '.':
      return field(node.args[0], node.args[1], specs);
    case '!_': {
      const operand = quickened(node.args, specs);
      return operand?.type === 'bool' ? { type: 'bool', of: (facts) => !operand.of(facts) } : undefined;
    }
    case '-_': {
      const operand = quickened(node.args, specs);
      if (operand?.type !== 'int' && operand?.type !== 'double') return undefined;
      return { type: operand.type, of: (facts) => -operand.of(facts) };
    }
    case 'call':
      return helped(node.args[0], node.args[1], specs);
    case 'rcall':
      return textTest(node.args[0], node.args[1], node.args[2], specs);
    case 'in':
      return oneOf(node.args[0], node.args[1], specs);
    case '&&':
    case '||':
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case '+':
    case '-':
    case '*': {
      const one = quickened(node.args[0], specs);
      const other = one && quickened(node.args[1], specs);
      return other && joined(node.op, one, other);
    }
    default:
      return undefined;
  }
}

function literal(value: unknown): Quick | undefined {
  if (typeof value === 'boolean') return { type: 'bool', of: () => value };
  if (typeof value === 'number') return { type: 'double', of: () => value, always: value };
  if (typeof value === 'string') return { type: 'string', of: () => value };
  if (typeof value !== 'bigint' || !Number.isSafeInteger(Number(value))) return undefined;
  const whole = Number(value);
  return { type: 'int', of: () => whole, always: whole };
}

function fact(spec: FactSpec | undefined, path: string): Quick | undefined {
  const read = factReaders[path];
  if (!read) return undefined;
  switch (spec?.type) {
    case 'int':
      return { type: 'int', of: (facts) => whole(read(facts)) };
    case 'double':
      return { type: 'double', of: (facts) => number(read(facts)) };
    case 'bool':
      return { type: 'bool', of: (facts) => read(facts) === true };
    case 'string': {
      const { longest } = spec;
      return { type: 'string', of: (facts) => text(read(facts), longest) };
    }
    default:
      return undefined;
  }
}

function field(whole: ASTNode, name: string, specs: FactSpecs): Quick | undefined {
  if (whole.op !== 'id') return undefined;
  const spec = specs[whole.args];
  return spec?.type === 'object' ? fact(spec.fields[name], `${whole.args}.${name}`) : undefined;
}

function helped(name: string, args: readonly ASTNode[], specs: FactSpecs): Quick | undefined {
  if (!Object.hasOwn(helpers, name)) return undefined;
  const { signatures }: HelperSpec = helpers[name as keyof typeof helpers];
  const answer = answers[name as keyof typeof helpers];
  const [only, ...others] = args;
  const value = only && others.length === 0 ? quickened(only, specs) : undefined;
  if (!value) return undefined;
  switch (signatures[0]?.split(': ').at(-1)) {
    case 'bool':
      return { type: 'bool', of: (facts) => answer(facts, value.of(facts)) === true };
    case 'int':
      return { type: 'int', of: (facts) => whole(Number(answer(facts, value.of(facts)))) };
    case 'double':
      return { type: 'double', of: (facts) => Number(answer(facts, value.of(facts))) };
    case 'string':
      return { type: 'string', of: (facts) => String(answer(facts, value.of(facts))) };
    default:
      return undefined;
  }
}

function textTest(name: string, receiver: ASTNode, args: readonly ASTNode[], specs: FactSpecs): Quick | undefined {
  const [only] = args;
  const subject = quickened(receiver, specs);
  const sought = only && args.length === 1 ? quickened(only, specs) : undefined;
  if (subject?.type !== 'string' || sought?.type !== 'string') return undefined;
  switch (name) {
    case 'contains':
      return { type: 'bool', of: (facts) => subject.of(facts).includes(sought.of(facts)) };
    case 'startsWith':
      return { type: 'bool', of: (facts) => subject.of(facts).startsWith(sought.of(facts)) };
    case 'endsWith':
      return { type: 'bool', of: (facts) => subject.of(facts).endsWith(sought.of(facts)) };
    default:
      return undefined;
  }
}

function oneOf(sought: ASTNode, among: ASTNode, specs: FactSpecs): Quick | undefined {
  if (among.op !== 'list') return undefined;
  const subject = quickened(sought, specs);
  const texts = among.args.map((item) => (item.op === 'value' ? item.args : undefined));
  if (subject?.type !== 'string' || texts.some((item) => typeof item !== 'string')) return undefined;
  return { type: 'bool', of: (facts) => texts.includes(subject.of(facts)) };
}

function joined(operator: Operator, one: Quick, other: Quick): Quick | undefined {
  if (one.type === 'bool') return other.type === 'bool' ? joinedBools(operator, one.of, other.of) : undefined;
  if (one.type === 'string') return other.type === 'string' ? comparedTexts(operator, one.of, other.of) : undefined;
  if (other.type === 'string' || other.type === 'bool' || one.type !== other.type) return undefined;
  return other.always === undefined
    ? joinedNumbers(operator, one.type, one.of, other.of)
    : (comparedWith(operator, one.of, other.always) ?? joinedNumbers(operator, one.type, one.of, other.of));
}

type Operator = '&&' | '||' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*';
type Bool = (facts: RuleFacts) => boolean;
type Numeric = (facts: RuleFacts) => number;
type Text = (facts: RuleFacts) => string;

function joinedBools(operator: Operator, one: Bool, other: Bool): Quick | undefined {
  switch (operator) {
    case '&&':
      return { type: 'bool', of: (facts) => one(facts) && other(facts) };
    case '||':
      return { type: 'bool', of: (facts) => one(facts) || other(facts) };
    case '==':
      return { type: 'bool', of: (facts) => one(facts) === other(facts) };
    case '!=':
      return { type: 'bool', of: (facts) => one(facts) !== other(facts) };
    default:
      return undefined;
  }
}

function comparedTexts(operator: Operator, one: Text, other: Text): Quick | undefined {
  if (operator === '==') return { type: 'bool', of: (facts) => one(facts) === other(facts) };
  if (operator === '!=') return { type: 'bool', of: (facts) => one(facts) !== other(facts) };
  return undefined;
}

/** What most conditions do, with one step less. */
function comparedWith(operator: Operator, one: Numeric, other: number): Quick | undefined {
  switch (operator) {
    case '==':
      return { type: 'bool', of: (facts) => one(facts) === other };
    case '!=':
      return { type: 'bool', of: (facts) => one(facts) !== other };
    case '<':
      return { type: 'bool', of: (facts) => one(facts) < other };
    case '<=':
      return { type: 'bool', of: (facts) => one(facts) <= other };
    case '>':
      return { type: 'bool', of: (facts) => one(facts) > other };
    case '>=':
      return { type: 'bool', of: (facts) => one(facts) >= other };
    default:
      return undefined;
  }
}

function joinedNumbers(operator: Operator, type: 'int' | 'double', one: Numeric, other: Numeric): Quick | undefined {
  const kept = type === 'int' ? whole : number;
  switch (operator) {
    case '==':
      return { type: 'bool', of: (facts) => one(facts) === other(facts) };
    case '!=':
      return { type: 'bool', of: (facts) => one(facts) !== other(facts) };
    case '<':
      return { type: 'bool', of: (facts) => one(facts) < other(facts) };
    case '<=':
      return { type: 'bool', of: (facts) => one(facts) <= other(facts) };
    case '>':
      return { type: 'bool', of: (facts) => one(facts) > other(facts) };
    case '>=':
      return { type: 'bool', of: (facts) => one(facts) >= other(facts) };
    case '+':
      return { type, of: (facts) => kept(one(facts) + other(facts)) };
    case '-':
      return { type, of: (facts) => kept(one(facts) - other(facts)) };
    case '*':
      return { type, of: (facts) => kept(one(facts) * other(facts)) };
    default:
      return undefined;
  }
}

/** CEL's whole numbers have more digits, and an error of their own beyond them. */
function whole(value: unknown): number {
  if (typeof value === 'number') {
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
