import { compileExpression, type Expression } from './expression.ts';
import type { Trigger } from './rule.ts';
import type { DressedFacts } from './rule-context.ts';
import type { ExpressionProblem } from './survey.ts';

const longestText = 1_000;
const mostGaps = 10;
const fillable = ['string', 'int', 'double', 'bool'];

/** A text with `{{ expression }}` in it, filled from the facts. */
export interface Template {
  fill(facts: DressedFacts): string;
}

export type CompiledTemplate =
  | { readonly type: 'compiled'; readonly template: Template; readonly work: number }
  | { readonly type: 'refused'; readonly problems: readonly ExpressionProblem[] };

/** The texts that may stand in a log, which never holds what a person, a model or a tool said. */
const loggable = new Set([
  ...['run.id', 'run.model', 'run.decisionTree', 'user.id', 'user.role', 'project.id'],
  ...['event.name', 'event.severity', 'tool.name', 'ending.reason'],
]);

export function compileTemplate(source: string, trigger: Trigger, forLog = false): CompiledTemplate {
  const problems: ExpressionProblem[] = [];
  const parts: (string | Expression)[] = [];
  let end = 0;
  let work = 0;
  const keep = (plain: string) => {
    const open = plain.indexOf('{{');
    if (open >= 0) problems.push({ from: end + open, to: end + plain.length, message: stillOpen });
    parts.push(plain);
  };
  for (const gap of source.matchAll(/\{\{([^{}]*)\}\}/g)) {
    keep(source.slice(end, gap.index));
    end = gap.index + gap[0].length;
    const inner = gap[1] ?? '';
    const from = gap.index + 2 + (inner.length - inner.trimStart().length);
    const compiled = compileExpression(inner.trim(), trigger, fillable);
    if (compiled.type === 'compiled') {
      parts.push(compiled.expression);
      work += compiled.work;
      if (forLog && ['string', 'dyn'].includes(compiled.expression.type) && !loggable.has(inner.trim()))
        problems.push({ from, to: from + inner.trim().length, message: notForLogs });
    } else
      for (const problem of compiled.problems)
        problems.push({ ...problem, from: from + problem.from, to: from + problem.to });
  }
  keep(source.slice(end));
  if (parts.length > 2 * mostGaps + 1)
    problems.push({ from: 0, to: source.length, message: `A text has at most ${mostGaps} places to fill.` });
  if (problems.length > 0) return { type: 'refused', problems };
  return { type: 'compiled', template: { fill: (facts) => fill(parts, facts) }, work };
}

const stillOpen = 'This {{ has no }} after it, or there are braces between them.';
const notForLogs = `A log holds numbers, yes or no, and of texts only ${[...loggable].join(', ')}.`;

function fill(parts: readonly (string | Expression)[], facts: DressedFacts): string {
  const text = parts.map((part) => (typeof part === 'string' ? part : shown(part.evaluate(facts)))).join('');
  return text.length <= longestText ? text : `${text.slice(0, longestText - 1)}…`.toWellFormed();
}

function shown(value: unknown): string {
  if (typeof value === 'number') return String(Math.round(value * 1_000) / 1_000);
  return typeof value === 'object'
    ? JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? Number(part) : part))
    : String(value);
}
