import { describe, expect, it } from 'vitest';
import { compileExpression } from './expression.ts';
import { languageOf } from './rule-context.ts';
import { facts } from './test/facts.ts';
import type { RuleFacts } from './vocabulary.ts';

function refusal(source: string): string {
  const compiled = compileExpression(source, 'TOOL_COMPLETE', ['bool']);
  return compiled.type === 'compiled' ? 'taken' : compiled.problems.map(({ message }) => message).join(' ');
}

/** As much of everything as a run can bring. */
const fullest: RuleFacts = (() => {
  const past = { name: 'a'.repeat(500), ok: false, error: 'a'.repeat(5_000), turn: 1, durationMs: 1 };
  const json = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`key-${index}`, Array.from({ length: 500 }, () => 'a'.repeat(5_000))]),
  );
  const usual = facts();
  return {
    ...usual,
    question: 'a'.repeat(100_000),
    state: json,
    event: { ...usual.event, payload: json },
    history: { ...usual.history, tools: Array.from({ length: 5_000 }, () => past) },
    tool: {
      name: 'a',
      arguments: json,
      ok: true,
      result: 'a'.repeat(100_000),
      resultTokens: 1,
      error: '',
      durationMs: 1,
    },
  };
})();

describe('hostile expressions', () => {
  it.each<[string, string, string | RegExp]>([
    ['deep nesting', `${'('.repeat(400)}true${')'.repeat(400)}`, 'levels of nesting'],
    ['deep negation', `${'!'.repeat(998)}t`, 'parts'],
    ['long chains', Array.from({ length: 240 }, () => 'true').join('&&'), /characters|parts/],
    ['huge lists', `[${'1,'.repeat(200)}1].size() > 3`, 'elements in a list'],
    ['huge texts', `question == "${'a'.repeat(2_000)}"`, 'at most 1000 characters'],
    ['many arguments', `size(${'1,'.repeat(20)}1) > 3`, 'arguments'],
    ['loops in loops', 'history.tools.all(a, history.tools.all(b, history.tools.all(c, a.turn < b.turn)))', 'steps'],
    ['loops over loops', 'question.split("").map(a, question).map(b, b + b).join("").size() > 3', 'steps'],
    [
      'growing texts',
      'history.tools.map(a, a.error + a.error).map(b, b + b + b + b).map(c, c + c + c + c).map(d, d + d + d + d).join("").size() > 1',
      'steps',
    ],
    [
      'names for growing texts',
      'cel.bind(a, question + question, cel.bind(b, a + a, b.size() > 1))',
      'no function "bind"',
    ],
    ['patterns from elsewhere', 'question.matches(tool.result)', 'in quotes'],
    ['patterns in a loop', 'event.payload.all(a, question.matches("(a+)+b(a+)+c(a+)+d"))', 'steps'],
    ['bytes', 'bytes(question).size() > 1', 'no function "bytes"'],
    ['prototypes', 'state.__proto__ == 1 || constructor == 1', /./],
    ['a lot at once', 'tool.result.split("").exists(a, tool.result.contains(a + tool.result))', 'steps'],
  ])('%s are refused when they are loaded', (_, source, words) => {
    expect(refusal(source)).toMatch(typeof words === 'string' ? new RegExp(words) : words);
    expect(refusal(source)).not.toBe('taken');
  });

  it('that are allowed look at a bounded part of whatever there is', () => {
    const allowed = [
      'question.matches("(a+)+$") || tool.result.matches("(a|aa)+b")',
      'history.tools.exists(t, t.error.matches("(a+)+b"))',
      'event.payload.exists(k, state[k].size() > 32)',
      'project.name.split(" ").exists(word, word in ["a", "b"])',
      'history.tools.exists(a, history.tools.exists(b, a.name + "b" == b.name))',
      'event.payload == tool.arguments || question.contains(tool.result + "b")',
    ];
    const language = languageOf('TOOL_COMPLETE');

    for (const source of allowed) {
      const compiled = compileExpression(source, 'TOOL_COMPLETE', ['bool']);
      if (compiled.type === 'refused') throw new Error(JSON.stringify(compiled.problems));
      const dressed = language.dress(fullest);

      expect([source, typeof compiled.expression.evaluate(dressed)]).toEqual([source, 'boolean']);
      expect(String(dressed.values.question)).toHaveLength(2_000);
      expect((dressed.values.history as RuleFacts['history']).tools).toHaveLength(50);
    }
  });
});

describe('type errors', () => {
  it.each([
    ['turn > "3"', '">" does not go between a whole number (int) and a text (string).'],
    ['turn', 'This gives a whole number (int), and a yes or no (bool) is needed.'],
    ['contextAbove("much")', 'It cannot be called like this: contextAbove(string).'],
    ['question.matches("[a")', 'This pattern does not work: there is a [ without its ].'],
    ['toolfailed("x")', 'There is no function "toolfailed" here. Did you mean toolFailed?'],
    ['question.size > 3', /./],
    ['turn >', 'The expression ends too early.'],
  ])('%s is explained', (source, words) => {
    expect(refusal(source)).toMatch(words);
  });
});
