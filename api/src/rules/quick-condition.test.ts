import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileExpression, type Expression } from './expression.ts';
import { factReaders } from './fact-readers.ts';
import { languageOf } from './rule-context.ts';
import { facts } from './test/facts.ts';
import { commonFacts, endingFacts, type FactSpecs, type PastTool, type RuleFacts, toolFacts } from './vocabulary.ts';

const trigger = 'TOOL_COMPLETE';

const number = fc.oneof(fc.integer({ min: -3, max: 9 }), fc.constantFrom(0.5, 1_000, 2 ** 53 - 1, -(2 ** 53 - 1)));
const wholeText = fc.oneof(
  fc.constantFrom('turn', 'tokens.used', 'history.failures', 'history.toolCalls', 'limits.maxIterations'),
  fc.constantFrom('tool.durationMs', 'failures("read")', 'calls(tool.name)'),
  fc.integer({ min: -3, max: 9 }).map(String),
);
const doubleText = fc.oneof(
  fc.constantFrom('elapsed', 'tokens.share', 'context.share', 'stateNumber("count")'),
  fc.constantFrom('0.5', '1.0', '-2.5', '1e300'),
);
const textText = fc.constantFrom('tool.name', 'run.model', 'question', '"read"', '"re"', '""', 'stateText("mood")');
const comparison = fc.constantFrom('==', '!=', '<', '<=', '>', '>=');
const arithmetic = fc.constantFrom('+', '-', '*');

const { condition } = fc.letrec<{ condition: string; whole: string; double: string }>((tie) => ({
  whole: fc.oneof(
    { maxDepth: 3 },
    wholeText,
    fc.tuple(tie('whole'), arithmetic, tie('whole')).map((parts) => `(${parts.join(' ')})`),
  ),
  double: fc.oneof(
    { maxDepth: 3 },
    doubleText,
    fc.tuple(tie('double'), arithmetic, tie('double')).map((parts) => `(${parts.join(' ')})`),
  ),
  condition: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('true', 'false', 'tool.ok', 'toolFailed("read")', 'toolCalled(tool.name)', 'stateFlag("set")'),
    fc.constantFrom(
      'tokensAbove(0.5)',
      'contextAbove(1)',
      'elapsedAbove(3)',
      'turnAbove(turn - 1)',
      'messagesAbove(2)',
    ),
    fc.tuple(tie('whole'), comparison, tie('whole')).map((parts) => parts.join(' ')),
    fc.tuple(tie('double'), comparison, tie('double')).map((parts) => parts.join(' ')),
    fc.tuple(textText, fc.constantFrom('==', '!='), textText).map((parts) => parts.join(' ')),
    fc
      .tuple(textText, fc.constantFrom('contains', 'startsWith', 'endsWith'), textText)
      .map(([subject, test, sought]) => `${subject}.${test}(${sought})`),
    textText.map((text) => `${text} in ["read", "list", ""]`),
    fc
      .tuple(tie('condition'), fc.constantFrom('&&', '||', '==', '!='), tie('condition'))
      .map(([one, join, other]) => `(${one}) ${join} (${other})`),
    tie('condition').map((one) => `!(${one})`),
  ),
}));

const tool = fc.record({
  name: fc.constantFrom('read', 'list', ''),
  ok: fc.boolean(),
  error: fc.constant(''),
  turn: fc.nat(9),
  durationMs: fc.nat(9),
}) satisfies fc.Arbitrary<PastTool>;

const seen: fc.Arbitrary<RuleFacts> = fc
  .record({
    turn: number,
    elapsed: number,
    used: number,
    share: number,
    tools: fc.array(tool, { maxLength: 60 }),
    ok: fc.boolean(),
    name: fc.constantFrom('read', 'reread', '', '\u{1f600}'.repeat(80)),
    state: fc.record({ count: number, mood: fc.constantFrom('re', 'calm'), set: fc.boolean() }, { requiredKeys: [] }),
  })
  .map(({ turn, elapsed, used, share, tools, ok, name, state }) => {
    const usual = facts();
    return facts({
      turn,
      elapsed,
      state,
      tokens: { ...usual.tokens, used, share },
      context: { ...usual.context, share },
      history: { ...usual.history, tools, failures: used, toolCalls: turn },
      ...(usual.tool ? { tool: { ...usual.tool, name, ok } } : {}),
    });
  });

function compiled(source: string): Expression {
  const result = compileExpression(source, trigger, ['bool']);
  if (result.type === 'refused') throw new Error(`${source}: ${JSON.stringify(result.problems)}`);
  return result.expression;
}

function outcome(evaluate: () => unknown): unknown {
  try {
    return evaluate();
  } catch {
    return 'failed';
  }
}

describe('quickCondition', () => {
  it('says what CEL says, or that it cannot say', () => {
    let quickly = 0;
    fc.assert(
      fc.property(condition, seen, (source, about) => {
        const { quick, evaluate } = compiled(source);
        const answer = outcome(() => quick?.(about));

        expect(quick).toBeDefined();
        if (answer !== 'failed') {
          quickly += 1;
          expect([source, answer]).toEqual([source, outcome(() => evaluate(languageOf(trigger).dress(about)))]);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(quickly).toBeGreaterThan(1_000);
  });

  it.each([
    'state.count > 1',
    'history.tools.exists(t, !t.ok)',
    'turn / 2 > 1',
    'turn > 9223372036854775807',
    'size(question) > 3',
    'tool.name.matches("^re")',
    'turn > 1 ? true : false',
    'event.payload.reason == "x"',
  ])('leaves %s to CEL', (source) => {
    expect(compiled(source).quick).toBeUndefined();
  });

  it('reads every fact that is a number, a text, or yes or no', () => {
    const paths = (specs: FactSpecs, around = ''): readonly string[] =>
      Object.entries(specs).flatMap(([name, spec]) => {
        if (spec.type === 'object') return paths(spec.fields, `${around}${name}.`);
        return spec.type === 'list' || spec.type === 'json' ? [] : [`${around}${name}`];
      });

    expect(Object.keys(factReaders).sort()).toEqual(
      [...paths({ ...commonFacts, ...toolFacts, ...endingFacts })].sort(),
    );
  });

  it('reads each where it stands', () => {
    const about = facts({ ending: { reason: 'COMPLETED', turns: 4, tokens: 77, seconds: 1.5 } });

    for (const [path, read] of Object.entries(factReaders))
      expect([path, read(about)]).toEqual([path, path.split('.').reduce<unknown>(partOf, about)]);
  });
});

function partOf(whole: unknown, name: string): unknown {
  return (whole as Readonly<Record<string, unknown>>)[name];
}
