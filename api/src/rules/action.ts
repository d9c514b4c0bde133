import type { TightenableLimit } from '../agent/advance.ts';
import type { Json } from '../agent/json.ts';
import type { EventSeverity, RuleEventName } from '../events/event.ts';
import { type Compiled, compileExpression } from './expression.ts';
import type { RuleDeclaration } from './rule.ts';
import type { DressedFacts } from './rule-context.ts';
import type { ExpressionProblem } from './survey.ts';
import { type CompiledTemplate, compileTemplate, type Template } from './template.ts';

/** What a rule that fired wants to happen, as plain data. Whoever evaluates rules sees to it. */
export type Effect =
  | {
      readonly type: 'notify';
      readonly message: string;
      readonly severity: 'INFO' | 'WARNING' | 'ERROR';
      readonly advice?: string;
    }
  | { readonly type: 'hint'; readonly message: string }
  | { readonly type: 'log'; readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly message: string }
  | { readonly type: 'set_state'; readonly key: string; readonly value: Json }
  | {
      readonly type: 'emit_event';
      readonly name: RuleEventName;
      readonly severity: EventSeverity;
      readonly payload: Readonly<Record<string, Json>>;
    }
  | { readonly type: 'limit'; readonly field: TightenableLimit; readonly to: number };

export type EffectMaker = (facts: DressedFacts) => Effect;

/** A problem and the part of the rule that it is in. */
export interface PlacedProblem extends ExpressionProblem {
  readonly path: readonly string[];
}

/** What comes to light while the parts of a rule are compiled. */
export interface Findings {
  readonly problems: PlacedProblem[];
  /** Steps of evaluation that all of them together can take at most. */
  work: number;
}

/** Compiles what a rule's action needs. Nothing sensible is answered when there are problems. */
export function compileAction(rule: RuleDeclaration, findings: Findings): EffectMaker | undefined {
  const { notify, hint, log, set_state, emit_event, limit } = rule.action;
  const template = (path: readonly string[], source: string) =>
    taken(compileTemplate(source, rule.trigger, log !== undefined), ['action', ...path], findings)?.template;
  const expression = (path: readonly string[], source: string, wanted: readonly string[]) =>
    taken(compileExpression(source, rule.trigger, wanted), ['action', ...path], findings)?.expression;

  if (notify) {
    const { severity } = notify;
    const message = template(['notify', 'message'], notify.message);
    const advice = notify.advice === undefined ? undefined : template(['notify', 'advice'], notify.advice);
    return (facts) => ({
      type: 'notify',
      message: spoken(message, facts),
      severity,
      ...(advice ? { advice: advice.fill(facts) } : {}),
    });
  }
  if (hint) {
    const message = template(['hint', 'message'], hint.message);
    return (facts) => ({ type: 'hint', message: spoken(message, facts) });
  }
  if (set_state) {
    const { key, value } = set_state;
    if (typeof value === 'string') {
      const text = template(['set_state', 'value'], value);
      return (facts) => ({ type: 'set_state', key, value: text?.fill(facts) ?? '' });
    }
    if (value !== undefined) return () => ({ type: 'set_state', key, value });
    const wanted = ['int', 'double', 'string', 'bool'];
    const compiled = expression(['set_state', 'expression'], set_state.expression ?? '', wanted);
    return (facts) => ({ type: 'set_state', key, value: plain(compiled?.evaluate(facts)) });
  }
  if (emit_event) {
    const { severity } = emit_event;
    const name = emit_event.name as RuleEventName; // its pattern says so
    const parts = Object.entries(emit_event.payload).map(
      ([key, value]) =>
        [key, typeof value === 'string' ? template(['emit_event', 'payload', key], value) : value] as const,
    );
    return (facts) => {
      const filled = parts.map(([key, part]) => [key, typeof part === 'object' ? part.fill(facts) : (part ?? '')]);
      return { type: 'emit_event', name, severity, payload: { rule: rule.id, ...Object.fromEntries(filled) } };
    };
  }
  if (limit) {
    const { field, to } = limit;
    if (to !== undefined) return () => ({ type: 'limit', field, to });
    const compiled = expression(['limit', 'expression'], limit.expression ?? '', ['int']);
    return (facts) => ({ type: 'limit', field, to: Number(compiled?.evaluate(facts)) });
  }
  if (!log) return undefined;
  const { level } = log;
  const message = template(['log', 'message'], log.message);
  return (facts) => ({ type: 'log', level, message: message?.fill(facts) ?? '' });
}

/** Notes what there is to note about one part. */
export function taken<Result extends Compiled | CompiledTemplate>(
  compiled: Result,
  path: readonly string[],
  findings: Findings,
): Extract<Result, { readonly type: 'compiled' }> | undefined {
  if (compiled.type === 'compiled') {
    findings.work += compiled.work;
    return compiled as Extract<Result, { readonly type: 'compiled' }>;
  }
  findings.problems.push(...compiled.problems.map((problem) => ({ ...problem, path })));
  return undefined;
}

/** Nobody is told nothing: that is a failure of the rule. */
function spoken(message: Template | undefined, facts: DressedFacts): string {
  const text = message?.fill(facts) ?? '';
  if (text.trim() === '') throw new Error('There was nothing to say: the message is empty.');
  return text;
}

/** Kept as JSON: whole numbers lose their CEL type, texts are cut. */
function plain(value: unknown): Json {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string') return value.slice(0, 1_000).toWellFormed().replaceAll('\0', '');
  if (typeof value !== 'number') return value === true;
  if (!Number.isFinite(value)) throw new Error(`${value} is no number that can be remembered.`);
  return value;
}
