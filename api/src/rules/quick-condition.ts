import type { ASTNode } from '@marcbachmann/cel-js';
import { type FactSpec, type FactSpecs, type HelperSpec, helpers, toolFacts } from './vocabulary.ts';

/**
 * A condition as JavaScript over `facts`, with the functions of `quick-rules.ts` at hand. Nothing of a rule's text is in
 * it as it stands: names are those of the vocabulary, numbers and texts are written anew. Facts stand between marks, by
 * which those that are asked for repeatedly are found.
 */
export type QuickText = string;

/** In no text that JSON has written. */
export const factMark = '\u0001';

interface Quick {
  readonly type: 'bool' | 'int' | 'double' | 'string';
  readonly text: QuickText;
  /** Whether it is above another number, where that takes less than finding out what it is. */
  readonly above?: (other: QuickText) => QuickText;
}

/**
 * Most conditions compare facts with numbers and texts, and join that with and, or and not. Those are done in a small
 * part of the time that CEL takes, which boxes every number; undefined for all others. The expression has been checked
 * before: names are known and types go together.
 */
export function quickCondition(expression: ASTNode, specs: FactSpecs): QuickText | undefined {
  const quick = quickened(expression, specs);
  return quick?.type === 'bool' ? quick.text : undefined;
}

function quickened(node: ASTNode, specs: FactSpecs): Quick | undefined {
  switch (node.op) {
    case 'value':
      return literal(node.args);
    case 'id':
      return fact(specs[node.args], `facts.${node.args}`);
    case '.':
      return field(node.args[0], node.args[1], specs);
    case '!_': {
      const operand = quickened(node.args, specs);
      return operand?.type === 'bool' ? { type: 'bool', text: `!${operand.text}` } : undefined;
    }
    case '-_': {
      const operand = quickened(node.args, specs);
      return operand && isNumber(operand) ? { type: operand.type, text: `(-${operand.text})` } : undefined;
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
  if (typeof value === 'boolean') return { type: 'bool', text: String(value) };
  if (typeof value === 'number') return Number.isFinite(value) ? { type: 'double', text: `(${value})` } : undefined;
  if (typeof value === 'string') return { type: 'string', text: JSON.stringify(value) };
  if (typeof value !== 'bigint' || !Number.isSafeInteger(Number(value))) return undefined;
  return { type: 'int', text: `(${value})` };
}

function fact(spec: FactSpec | undefined, path: QuickText): Quick | undefined {
  switch (spec?.type) {
    case 'int':
      return { type: 'int', text: marked(`whole(${path})`) };
    case 'double':
      return { type: 'double', text: marked(`number(${path})`) };
    case 'bool':
      return { type: 'bool', text: marked(`(${path} === true)`) };
    case 'string':
      return { type: 'string', text: marked(`text(${path}, ${spec.longest})`) };
    default:
      return undefined;
  }
}

function marked(asked: QuickText): QuickText {
  return `${factMark}${asked}${factMark}`;
}

function field(whole: ASTNode, name: string, specs: FactSpecs): Quick | undefined {
  if (whole.op !== 'id') return undefined;
  const spec = specs[whole.args];
  const found = spec?.type === 'object' ? fact(spec.fields[name], `facts.${whole.args}?.${name}`) : undefined;
  if (found && spec === toolFacts.tool && name === 'resultTokens')
    return { ...found, above: (other) => `resultAbove(facts, ${other})` };
  return found;
}

function helped(name: string, args: readonly ASTNode[], specs: FactSpecs): Quick | undefined {
  if (!Object.hasOwn(helpers, name)) return undefined;
  const { signatures }: HelperSpec = helpers[name as keyof typeof helpers];
  const [only, ...others] = args;
  const value = only && others.length === 0 ? quickened(only, specs) : undefined;
  if (!value) return undefined;
  const answer = `answers.${name}(facts, ${value.text})`;
  switch (signatures[0]?.split(': ').at(-1)) {
    case 'bool':
      return { type: 'bool', text: answer };
    case 'int':
      return { type: 'int', text: `whole(${answer})` };
    case 'double':
      return { type: 'double', text: `number(${answer})` };
    case 'string':
      return { type: 'string', text: answer };
    default:
      return undefined;
  }
}

const textTests = new Map<string, (subject: QuickText, sought: QuickText) => QuickText>([
  ['contains', (subject, sought) => `${subject}.includes(${sought})`],
  ['startsWith', (subject, sought) => `begins(${subject}, ${sought})`],
  ['endsWith', (subject, sought) => `${subject}.endsWith(${sought})`],
]);

function textTest(name: string, receiver: ASTNode, args: readonly ASTNode[], specs: FactSpecs): Quick | undefined {
  const [only] = args;
  const test = textTests.get(name);
  const subject = quickened(receiver, specs);
  const sought = only && args.length === 1 ? quickened(only, specs) : undefined;
  if (!test || subject?.type !== 'string' || sought?.type !== 'string') return undefined;
  return { type: 'bool', text: test(subject.text, sought.text) };
}

function oneOf(sought: ASTNode, among: ASTNode, specs: FactSpecs): Quick | undefined {
  if (among.op !== 'list' || among.args.length === 0) return undefined;
  const subject = quickened(sought, specs);
  const texts = among.args.map((item) => (item.op === 'value' ? item.args : undefined));
  if (subject?.type !== 'string' || texts.some((item) => typeof item !== 'string')) return undefined;
  // Facts do not change between one comparison and the next, and a list would be made anew each time.
  const same = texts.map((item) => `${subject.text} === ${JSON.stringify(item)}`);
  return { type: 'bool', text: `(${same.join(' || ')})` };
}

type Operator = '&&' | '||' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*';

function joined(operator: Operator, one: Quick, other: Quick): Quick | undefined {
  if (one.type !== other.type) return undefined;
  if (operator === '>' && one.above) return { type: 'bool', text: one.above(other.text) };
  switch (operator) {
    case '==':
    case '!=':
      return { type: 'bool', text: `(${one.text} ${operator}= ${other.text})` };
    case '&&':
    case '||':
      return one.type === 'bool' ? { type: 'bool', text: `(${one.text} ${operator} ${other.text})` } : undefined;
    case '+':
    case '-':
    case '*': {
      if (!isNumber(one)) return undefined;
      const sum = `${one.text} ${operator} ${other.text}`;
      return { type: one.type, text: one.type === 'int' ? `whole(${sum})` : `(${sum})` };
    }
    default:
      return isNumber(one) ? { type: 'bool', text: `(${one.text} ${operator} ${other.text})` } : undefined;
  }
}

function isNumber({ type }: Quick): boolean {
  return type === 'int' || type === 'double';
}
