import { parse, TomlError } from 'smol-toml';
import { explainIssue, sentence } from '../declarations/explain-issue.ts';
import { lineAndColumn, offsetInString, placeOf, tomlPlaces } from '../declarations/toml-places.ts';
import { compileAction, type EffectMaker, type Findings, type PlacedProblem, taken } from './action.ts';
import { compileExpression, type Expression } from './expression.ts';
import { type RuleDeclaration, type RuleOrigin, type RuleProblem, RuleSchema } from './rule.ts';
import { mostWork, tooMuchWork } from './survey.ts';

const longestRule = 16_000;

/** A rule that was checked, ready to be asked. */
export interface Rule {
  readonly declaration: RuleDeclaration;
  readonly origin: RuleOrigin;
  readonly file: string;
  readonly text: string;
  readonly condition: Expression;
  readonly makeEffect: EffectMaker;
}

export interface RuleText {
  readonly file: string;
  readonly text: string;
  readonly origin: RuleOrigin;
}

export type ReadRule =
  | { readonly type: 'rule'; readonly rule: Rule }
  /** `id` as far as it could be read. */
  | { readonly type: 'broken'; readonly id: string | undefined; readonly problems: readonly RuleProblem[] };

/** Reads one rule. Every bad thing is a problem of its own, with its place. */
export function readRule({ file, text, origin }: RuleText): ReadRule {
  const broken = (problems: readonly Omit<RuleProblem, 'file'>[], id?: string): ReadRule => ({
    type: 'broken',
    id,
    problems: problems
      .map((problem) => ({ file, ...problem }))
      .sort((one, other) => one.line - other.line || one.column - other.column),
  });
  if (text.length > longestRule)
    return broken([{ line: 1, column: 1, message: `A rule has at most ${longestRule} characters.` }]);

  let given: unknown;
  try {
    given = parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return broken([{ line: error.line, column: error.column, message: sentence(error.message) }]);
  }
  const id = (given as { readonly id?: unknown }).id;
  const knownId = typeof id === 'string' ? id.slice(0, 100) : undefined;
  const places = tomlPlaces(text);
  const checked = RuleSchema.safeParse(given, { reportInput: true });
  if (!checked.success) {
    const { issues } = checked.error;
    const misspelt = issues.some(({ code, path }) => code === 'unrecognized_keys' && path[0] === 'action');
    const problems = issues
      .filter(({ code, path }) => !(misspelt && code === 'custom' && path.length === 1 && path[0] === 'action'))
      .flatMap((issue) => explainIssue(issue, RuleSchema))
      .map(({ path, message }) => ({ ...lineAndColumn(text, placeOf(places, path).key), message }));
    return broken([...problems, ...conditionProblems(given, text, places)], knownId);
  }

  const found: Findings = { problems: [], work: 0 };
  const declaration = checked.data;
  const compiled = compileExpression(declaration.condition, declaration.trigger, ['bool']);
  const condition = taken(compiled, ['condition'], found)?.expression;
  const makeEffect = compileAction(declaration, found);
  const { problems, work } = found;
  if (problems.length === 0 && work > mostWork)
    problems.push({ path: ['action'], from: 0, to: 0, message: tooMuchWork('Condition and action together', work) });
  const late = tooLate(declaration, text, places);
  if (!condition || !makeEffect || problems.length > 0 || late.length > 0)
    return broken([...problems.map((problem) => located(problem, text, places)), ...late], knownId);
  return { type: 'rule', rule: { declaration, origin, file, text, condition, makeEffect } };
}

/** What a run that has ended can do nothing with: it makes no more requests, and its limits are history. */
function tooLate(
  { trigger, action }: RuleDeclaration,
  text: string,
  places: Places,
): readonly Omit<RuleProblem, 'file'>[] {
  const name = action.hint ? 'hint' : action.limit ? 'limit' : undefined;
  if (trigger !== 'SESSION_END' || name === undefined) return [];
  return [{ ...lineAndColumn(text, placeOf(places, ['action', name]).key), message: whyTooLate[name] }];
}

const whyTooLate = {
  hint: 'A hint at SESSION_END is never heard, because the model is not asked again. Use [action.notify]: the model is told of it in the next session.',
  limit: 'A limit at SESSION_END changes nothing, because the run has ended. Tighten it at TURN_END or before.',
};

/** Told as well when something else is wrong, so that all is mended at once. */
function conditionProblems(given: unknown, text: string, places: Places): readonly Omit<RuleProblem, 'file'>[] {
  const checked = RuleSchema.pick({ trigger: true, condition: true }).strip().safeParse(given);
  if (!checked.success) return [];
  const compiled = compileExpression(checked.data.condition, checked.data.trigger, ['bool']);
  if (compiled.type === 'compiled') return [];
  return compiled.problems.map((problem) => located({ ...problem, path: ['condition'] }, text, places));
}

type Places = ReturnType<typeof tomlPlaces>;

function located({ path, from, message }: PlacedProblem, text: string, places: Places): Omit<RuleProblem, 'file'> {
  const { value } = placeOf(places, path);
  return { ...lineAndColumn(text, offsetInString(text, value, from)), message };
}
