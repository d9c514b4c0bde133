import type { ASTNode } from '@marcbachmann/cel-js';
import { counted, grouped } from '../agent/words.ts';
import { didYouMean } from '../tools/did-you-mean.ts';
import { nearest } from '../vault/nearest.ts';
import { callsOf, type Known, known } from './known-functions.ts';
import { either, list, type Shape, scalar, text, together, weightOf } from './shape.ts';

/** Something wrong with an expression, from which to which of its characters. */
export interface ExpressionProblem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** Names, and where each comes from: the facts, and the variables of the comprehensions around. */
type Scope = Readonly<Record<string, Shape>>;

interface Finding {
  readonly shape: Shape;
  /** Steps of evaluation at most. */
  readonly work: number;
}

export interface Surveyed {
  readonly problems: readonly ExpressionProblem[];
  /** Steps of evaluation at most. */
  readonly work: number;
}

/** What a rule may take, its condition and its action together. A step takes a few dozen nanoseconds: all of them together stay well below the 5 ms of a rule. */
export const mostWork = 50_000;

/**
 * Looks through a parsed expression before it is ever evaluated: every unknown name is a problem with a guess at what
 * was meant, and what it can cost at most is worked out from the biggest that each value can be.
 */
export function survey(expression: ASTNode, scope: Scope): Surveyed {
  const surveyor = new Surveyor();
  const { work } = surveyor.look(expression, scope);
  const { problems } = surveyor;
  if (problems.length > 0 || work <= mostWork) return { problems, work };
  const message = tooMuchWork('This', work);
  return { problems: [{ from: expression.start, to: expression.end, message }], work };
}

export function tooMuchWork(what: string, work: number): string {
  return `${what} could take ${counted(Math.ceil(work), 'step')}, and a rule has ${grouped(mostWork)}: look at fewer things, or at shorter texts.`;
}

class Surveyor {
  readonly problems: ExpressionProblem[] = [];

  look(node: ASTNode, scope: Scope): Finding {
    switch (node.op) {
      case 'value':
        return { shape: typeof node.args === 'string' ? text(node.args.length) : scalar, work: 1 };
      case 'id':
        return { shape: this.#named(node, node.args, scope), work: 1 };
      case '.':
        return this.#field(node, node.args, scope);
      case '[]': {
        const [whole, index] = node.args.map((part) => this.look(part, scope)) as [Finding, Finding];
        return { shape: whole.shape.element ?? scalar, work: whole.work + index.work + 1 };
      }
      case 'list': {
        const items = node.args.map((item) => this.look(item, scope));
        return { shape: list(items.length, oneOf(items)), work: workOf(items) + 1 };
      }
      case 'map': {
        const entries = node.args.flatMap((entry) => entry.map((part) => this.look(part, scope)));
        return { shape: list(node.args.length, oneOf(entries)), work: workOf(entries) + 1 };
      }
      case '?:': {
        const [condition, one, other] = node.args.map((part) => this.look(part, scope)) as [Finding, Finding, Finding];
        return { shape: either(one.shape, other.shape), work: condition.work + one.work + other.work + 1 };
      }
      case '!_':
      case '-_':
        return { shape: scalar, work: this.look(node.args, scope).work + 1 };
      case 'call':
        return this.#call(node, node.args[0], undefined, node.args[1], scope);
      case 'rcall':
        return this.#call(node, node.args[0], node.args[1], node.args[2], scope);
      case '+': {
        const [one, other] = this.#both(node.args, scope);
        const shape = together(one.shape, other.shape);
        return { shape, work: one.work + other.work + weightOf(shape) };
      }
      case 'in':
      case '==':
      case '!=': {
        const [one, other] = this.#both(node.args, scope);
        const compared = Math.max(weightOf(one.shape), weightOf(other.shape));
        return { shape: scalar, work: one.work + other.work + compared };
      }
      case '.?':
      case '[?]':
        return this.#refuse(node, 'Optional access is not supported; ask with has(…) first.');
      default: {
        const [one, other] = this.#both(node.args, scope);
        return { shape: scalar, work: one.work + other.work + 1 };
      }
    }
  }

  #both([left, right]: readonly [ASTNode, ASTNode], scope: Scope): readonly [Finding, Finding] {
    return [this.look(left, scope), this.look(right, scope)];
  }

  #named(node: ASTNode, name: string, scope: Scope): Shape {
    const found = Object.hasOwn(scope, name) ? scope[name] : undefined;
    if (found) return found;
    const elsewhere = whereKnown.get(name);
    const guess = elsewhere ?? didYouMean(nearest(name, Object.keys(scope), 1), `There is ${inWords(scope)}.`);
    this.#problem(node, `There is no "${name}" here. ${guess}`);
    return scalar;
  }

  #field(node: ASTNode, [whole, name]: readonly [ASTNode, string], scope: Scope): Finding {
    const { shape, work } = this.look(whole, scope);
    if (!shape.fields) return { shape: shape.element ?? scalar, work: work + 1 };
    const found = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    if (!found) {
      const guess = didYouMean(nearest(name, Object.keys(shape.fields), 1), `There is ${inWords(shape.fields)}.`);
      const { start, end } = whole;
      this.#problem(node, `"${node.input.slice(start, end)}" has no "${name}". ${guess}`, node.end - name.length);
    }
    return { shape: found ?? scalar, work: work + 1 };
  }

  #call(node: ASTNode, name: string, receiver: ASTNode | undefined, args: readonly ASTNode[], scope: Scope): Finding {
    const found: Known | undefined = known(name, receiver !== undefined);
    if (!found) {
      const elsewhere = known(name, receiver === undefined);
      const guess = elsewhere
        ? receiver
          ? `It is written ${name}(…).`
          : `It is written value.${name}(…).`
        : didYouMean(
            nearest(name, callsOf(receiver !== undefined), 1),
            `There is ${callsOf(receiver !== undefined).join(', ')}.`,
          );
      const at = receiver ? node.input.indexOf(name, receiver.end) : node.start;
      this.#problem(node, `There is no function "${name}" here. ${guess}`, at, at + name.length);
      return { shape: scalar, work: 1 };
    }
    if (found.type === 'loop') return this.#loop(node, name, receiver, args, scope, found);
    if (found.type === 'pattern') return this.#pattern(node, receiver, args, scope, found);
    const operands = (receiver ? [receiver, ...args] : args).map((part) => this.look(part, scope));
    const shapes = operands.map(({ shape }) => shape);
    const shape = found.result(shapes);
    return { shape, work: workOf(operands) + found.work(shapes) + 1 };
  }

  /** A comprehension: its body is done for each element. */
  #loop(
    node: ASTNode,
    name: string,
    receiver: ASTNode | undefined,
    [variable, ...bodies]: readonly ASTNode[],
    scope: Scope,
    { keeps }: Extract<Known, { type: 'loop' }>,
  ): Finding {
    if (!receiver || variable?.op !== 'id' || bodies.length === 0)
      return this.#refuse(node, `${name} is written list.${name}(one, condition about one).`);
    const over = this.look(receiver, scope);
    const element = over.shape.element ?? scalar;
    const inner = { ...scope, [variable.args]: element };
    const done = bodies.map((body) => this.look(body, inner));
    const shape =
      keeps === 'nothing'
        ? scalar
        : list(over.shape.items, keeps === 'elements' ? element : (done.at(-1)?.shape ?? scalar));
    return { shape, work: over.work + over.shape.items * (workOf(done) + 2) + 1 };
  }

  /** Only patterns that are known now can be looked at; the engine of rule-context.ts takes them. */
  #pattern(
    node: ASTNode,
    receiver: ASTNode | undefined,
    [pattern]: readonly ASTNode[],
    scope: Scope,
    { states }: Extract<Known, { type: 'pattern' }>,
  ): Finding {
    if (node.op !== 'rcall' || !receiver || pattern?.op !== 'value' || typeof pattern.args !== 'string')
      return this.#refuse(node, 'matches needs its pattern as a text in quotes.');
    node.args[0] = 'matchesLinear';
    const { shape, work } = this.look(receiver, scope);
    try {
      return { shape: scalar, work: work + 1 + (shape.characters * states(pattern.args)) / 2 };
    } catch (error) {
      this.#problem(pattern, `This pattern does not work: ${(error as Error).message}.`);
      return { shape: scalar, work };
    }
  }

  #refuse(node: ASTNode, message: string): Finding {
    this.#problem(node, message);
    return { shape: scalar, work: 1 };
  }

  #problem(node: ASTNode, message: string, from = node.start, to = node.end): void {
    this.problems.push({ from, to, message });
  }
}

/** Known to the rules of other triggers. */
const whereKnown: ReadonlyMap<string, string> = new Map([
  [
    'tool',
    'Only rules with the trigger TOOL_CALL, TOOL_COMPLETE or TOOL_FAILURE know a tool; history.tools lists past calls.',
  ],
  ['ending', 'Only rules with the trigger SESSION_END know the ending.'],
]);

function oneOf(findings: readonly Finding[]): Shape {
  return findings.reduce<Shape>((shape, finding) => either(shape, finding.shape), scalar);
}

function workOf(findings: readonly Finding[]): number {
  return findings.reduce((sum, { work }) => sum + work, 0);
}

function inWords(names: Readonly<Record<string, unknown>>): string {
  return Object.keys(names).join(', ');
}
