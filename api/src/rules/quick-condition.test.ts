import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileExpression, type Expression } from './expression.ts';
import { askQuickly, NotQuick } from './quick-rules.ts';
import type { Trigger } from './rule.ts';
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

function compiled(source: string, on: Trigger = trigger): Expression {
  const result = compileExpression(source, on, ['bool']);
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
        const answer = outcome(() => askQuickly([quick])(about, { place: 0 }));

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

  it.each(knownPaths({ ...commonFacts, ...toolFacts, ...endingFacts }))('reads %s where it stands', (path, type) => {
    const read: unknown[] = [];
    const about = noting(facts({ ending: { reason: 'COMPLETED', turns: 4, tokens: 77, seconds: 1.5 } }), '', read);
    const source = { int: `${path} == 1`, double: `${path} == 1.0`, bool: path, string: `${path} == "x"` }[type];
    const { quick } = compiled(source, path.startsWith('ending.') ? 'SESSION_END' : trigger);

    askQuickly([quick])(about, { place: 0 });

    expect(read.at(-1)).toBe(path);
  });

  it.each(['"', '\\', '\n', '\u2028', '\u0024{turn}', '`', '*/', '</script>', '");throw 1//', "'"])(
    'takes %j in a rule for a text and nothing else',
    (written) => {
      const { quick } = compiled(
        `tool.name == ${JSON.stringify(written)} || tool.name in [${JSON.stringify(written)}]`,
      );
      const usual = facts();
      const called = (name: string) => facts(usual.tool ? { tool: { ...usual.tool, name } } : {});

      expect(askQuickly([quick])(called(written), { place: 0 })).toBe(true);
      expect(askQuickly([quick])(called('other'), { place: 0 })).toBe(false);
    },
  );
});

describe('askQuickly', () => {
  const quickly = (...sources: readonly string[]) => askQuickly(sources.map((source) => compiled(source).quick));

  it('stops at what holds and goes on from where it is told', () => {
    const ask = quickly('turn == 3', 'turn == 4', 'turn > 1');
    const stops = [0, 1, 2, 3].map((place) => {
      const at = { place };
      return [ask(facts(), at), at.place];
    });

    expect(stops).toEqual([
      [true, 0],
      [true, 2],
      [true, 2],
      [false, 3],
    ]);
  });

  it('says of several what it says of each', () => {
    fc.assert(
      fc.property(fc.array(condition, { minLength: 2, maxLength: 6 }), seen, (sources, about) => {
        const each = sources.map((source) => outcome(() => quickly(source)(about, { place: 0 })));
        fc.pre(!each.includes('failed'));
        const together: number[] = [];
        const at = { place: 0 };
        const ask = quickly(...sources);
        for (; outcome(() => ask(about, at)) === true; at.place += 1) together.push(at.place);

        expect(together).toEqual(each.flatMap((holds, place) => (holds === true ? [place] : [])));
      }),
      { numRuns: 1_000 },
    );
  });

  it('stops at what only CEL can say, and says at which place it met a fact that is none', () => {
    const at = { place: 0 };

    expect(quickly('turn == 4', 'state.count > 1')(facts(), at)).toBe(true);
    expect(at.place).toBe(1);
    expect(() => quickly('turn == 4', 'elapsed > 1.0')({ ...facts(), elapsed: 'long' as never }, at)).toThrow(NotQuick);
    expect(at.place).toBe(1);
  });
});

type Scalar = 'int' | 'double' | 'bool' | 'string';

function knownPaths(specs: FactSpecs, around = ''): readonly (readonly [string, Scalar])[] {
  return Object.entries(specs).flatMap(([name, spec]): readonly (readonly [string, Scalar])[] => {
    if (spec.type === 'object') return knownPaths(spec.fields, `${around}${name}.`);
    return spec.type === 'list' || spec.type === 'json' ? [] : [[`${around}${name}`, spec.type]];
  });
}

/** The same, noting the path of whatever is read. */
function noting<Whole extends object>(whole: Whole, around: string, read: unknown[]): Whole {
  return new Proxy(whole, {
    get(target, name) {
      const path = `${around}${String(name)}`;
      const value: unknown = Reflect.get(target, name);
      read.push(path);
      return typeof value === 'object' && value !== null ? noting(value, `${path}.`, read) : value;
    },
  });
}
