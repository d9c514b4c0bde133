import { EvaluationError, TypeError as ExpressionTypeError, ParseError } from '@marcbachmann/cel-js';
import { type QuickText, quickCondition } from './quick-condition.ts';
import type { Trigger } from './rule.ts';
import { type DressedFacts, languageOf } from './rule-context.ts';
import { type ExpressionProblem, survey } from './survey.ts';

const longestExpression = 1_000;

/** An expression that was checked and can be asked again and again. */
export interface Expression {
  readonly type: string;
  evaluate(facts: DressedFacts): unknown;
  /** What answers the same from the plain facts in a fraction of the time, for a condition that allows it. */
  readonly quick: QuickText | undefined;
}

export type Compiled =
  /** `work`: how many steps of evaluation it can take at most. */
  | { readonly type: 'compiled'; readonly expression: Expression; readonly work: number }
  | { readonly type: 'refused'; readonly problems: readonly ExpressionProblem[] };

/** Checks syntax, names, types and cost, in this order; the type must be one of those wanted. */
export function compileExpression(source: string, trigger: Trigger, wanted: readonly string[]): Compiled {
  if (source.length > longestExpression)
    return refused(0, source.length, `An expression has at most ${longestExpression} characters.`);
  const language = languageOf(trigger);
  try {
    const parsed = language.environment.parse(source);
    const { problems, work } = survey(parsed.ast, language.shapes);
    if (problems.length > 0) return { type: 'refused', problems };
    const { valid, type = '', error } = parsed.check();
    if (!valid) return refusedFor(error, source);
    if (!wanted.includes(type) && type !== 'dyn')
      return refused(
        0,
        source.length,
        `This gives a ${nameOf(type)}, and a ${wanted.map(nameOf).join(' or a ')} is needed.`,
      );
    const evaluate = (facts: DressedFacts) => language.evaluate(parsed, facts);
    const quick = quickCondition(parsed.ast, language.facts);
    return { type: 'compiled', expression: { type, evaluate, quick }, work };
  } catch (error) {
    return refusedFor(error, source);
  }
}

function refusedFor(error: unknown, source: string): Compiled {
  if (!(error instanceof ParseError || error instanceof ExpressionTypeError || error instanceof EvaluationError))
    return refused(0, source.length, error instanceof RangeError ? 'This is nested too deeply.' : String(error));
  const { start, end } = error.range ?? { start: 0, end: source.length };
  return refused(start, end, sentence(error));
}

function refused(from: number, to: number, message: string): Compiled {
  return { type: 'refused', problems: [{ from, to, message }] };
}

/** What went wrong during an evaluation, in a sentence and without the source around it. */
export function failureOf(error: unknown): string {
  if (error instanceof EvaluationError) return sentence(error);
  return error instanceof Error ? error.message : String(error);
}

function sentence({ code, summary }: { readonly code: string; readonly summary: string }): string {
  const plain = plainWords[code]?.(summary) ?? summary.replaceAll('matchesLinear', 'matches');
  return /[.!?]$/.test(plain) ? plain : `${plain}.`;
}

/** The library's words, where they would puzzle somebody who writes a rule. */
const plainWords: Readonly<Record<string, (summary: string) => string>> = {
  no_such_overload: (summary) => {
    const [, left = '', operator = '', right = ''] = /no such overload: (\S.*?) (\S+) (.+)$/.exec(summary) ?? [];
    if (!right) return summary;
    return `"${operator}" does not go between a ${nameOf(left)} and a ${nameOf(right)}`;
  },
  no_matching_overload: (summary) => {
    const [, call = summary] = /'(.+)'/.exec(summary) ?? [];
    return `It cannot be called like this: ${call.replaceAll('matchesLinear', 'matches')}`;
  },
  limit_exceeded: (summary) => {
    const [, limit = '', number = ''] = /Exceeded (\w+) \((\d+)\)/.exec(summary) ?? [];
    return `This is too much: at most ${number} ${limitNames[limit] ?? limit} are allowed`;
  },
  unexpected_token: (summary) => (summary.endsWith('EOF') ? 'The expression ends too early' : summary),
  no_such_key: (summary) => summary.replace('No such key:', 'There is nothing called'),
};

const limitNames: Readonly<Record<string, string>> = {
  maxAstNodes: 'parts',
  maxDepth: 'levels of nesting',
  maxListElements: 'elements in a list',
  maxMapEntries: 'entries in a map',
  maxCallArguments: 'arguments',
};

const typeNames: Readonly<Record<string, string>> = {
  bool: 'yes or no (bool)',
  int: 'whole number (int)',
  double: 'number (double)',
  string: 'text (string)',
};

function nameOf(type: string): string {
  return typeNames[type] ?? type;
}
