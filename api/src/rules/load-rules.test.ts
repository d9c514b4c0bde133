import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spoiltToml } from '../declarations/test/spoilt-toml.ts';
import { readRule } from './load-rules.ts';
import { ruleText } from './test/facts.ts';

function problemsOf(text: string): readonly string[] {
  const read = readRule({ file: 'mine.toml', text, origin: 'FILE' });
  return read.type === 'rule' ? [] : read.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

describe('readRule', () => {
  it('takes a rule with all it needs', () => {
    expect(problemsOf(ruleText())).toEqual([]);
  });

  it('takes the built-in rules', () => {
    const folder = new URL('builtin/', import.meta.url);
    const names = readdirSync(folder);

    expect(names).toHaveLength(5);
    for (const name of names) expect(problemsOf(readFileSync(new URL(name, folder), 'utf8'))).toEqual([]);
  });

  it('says where a text is no TOML', () => {
    expect(problemsOf('id = "mine"\nname = \n')).toEqual([
      expect.stringMatching(/^2:\d+ Invalid TOML document: .+\.$/),
    ]);
  });

  it('tells every bad thing at once, each with its place and a guess', () => {
    const text = `id = "Mine!"
nam = "Mine"
trigger = "TURN_STRT"
priority = 1001

[action.notfy]
message = "Hello"
`;

    expect(problemsOf(text)).toEqual([
      '1:1 "id" must be 2 to 60 lower-case letters, digits and hyphens, beginning with a letter.',
      '1:1 "name" is missing.',
      '2:1 There is no "nam" here. Did you mean name?',
      '3:1 "trigger" cannot be "TURN_STRT". Did you mean TURN_START?',
      '4:1 "priority" is at most 1000.',
      '6:1 There is no "notfy" here. Did you mean notify?',
    ]);
  });

  it('finds what is wrong with the condition also when something else is', () => {
    expect(problemsOf(ruleText({ priority: 0, condition: 'trn > 3' }))).toEqual([
      '4:14 There is no "trn" here. Did you mean turn?',
      '5:1 "priority" is at least 1.',
    ]);
  });

  it('points at the name within a condition of several lines', () => {
    const text = `id = "mine"
name = "Mine"
trigger = "TURN_START"
condition = '''
turn > 3 &&
  tokens.usd > 10'''
[action.hint]
message = "Hello"
`;

    expect(problemsOf(text)).toEqual(['6:10 "tokens" has no "usd". Did you mean used?']);
  });

  it('points at a name within a message, past what is written as an escape', () => {
    const action = '[action.notify]\nmessage = "\\u0041 \\"{{ elapsd }}"';

    expect(problemsOf(ruleText({ action }))).toEqual(['7:24 There is no "elapsd" here. Did you mean elapsed?']);
  });

  it('points at the beginning of an inline table for what is in it', () => {
    const action = '[action.emit_event]\nname = "rule.review.needed"\npayload = { size = "{{ elapsd }}" }';

    expect(problemsOf(ruleText({ action }))).toEqual(['8:11 There is no "elapsd" here. Did you mean elapsed?']);
  });

  it.each([
    ['no action', '[action]', 'needs exactly one of notify, hint, log, set_state, emit_event, limit'],
    ['two actions', '[action.hint]\nmessage = "a"\n[action.log]\nmessage = "b"', 'needs exactly one of'],
    ['a limit that is none', '[action.limit]\nfield = "tokenBudgt"\nto = 3', 'Did you mean tokenBudget?'],
    ['a limit without a value', '[action.limit]\nfield = "tokenBudget"', 'needs either to or expression'],
    ['a limit by a table', '[action.limit]\nfield = {}\nto = 3', '"action.limit.field" cannot be {}. It is one of'],
    [
      'a limit by a text',
      '[action.limit]\nfield = "tokenBudget"\nexpression = "question"',
      'whole number (int) is needed',
    ],
    ["another's event", '[action.emit_event]\nname = "session.end"', 'must begin with rule.'],
    [
      'the id of another',
      '[action.emit_event]\nname = "rule.seen"\npayload = { rule = "x" }',
      'has the id of the rule',
    ],
    ['a key that is taken', '[action.set_state]\nkey = "__proto__"\nvalue = 1', 'must be a name of letters'],
    ['an event of the core', '[action.emit_event]\nname = "rule.notify"', 'choose another'],
    ['a gap that stays open', '[action.hint]\nmessage = "{{ turn"', 'This {{ has no }} after it'],
    [
      'a gap that stays open before another',
      '[action.hint]\nmessage = "{{ turn, {{ turn }}"',
      '7:12 This {{ has no }}',
    ],
    ['a gap with nothing in it', '[action.hint]\nmessage = "{{ }}"', 'The expression ends too early.'],
    ['what somebody said in a log', '[action.log]\nmessage = "{{ question }}"', 'A log holds numbers'],
    ['a list in a gap', '[action.hint]\nmessage = "{{ history.tools }}"', 'list<PastTool>'],
  ])('refuses %s', (_, action, words) => {
    expect(problemsOf(ruleText({ action })).join(' ')).toContain(words);
  });

  it('knows the tool and the ending only where there is one', () => {
    expect(problemsOf(ruleText({ condition: 'tool.ok' })).join(' ')).toContain('Only rules with the trigger TOOL_CALL');
    expect(problemsOf(ruleText({ condition: 'ending.turns > 3' })).join(' ')).toContain('SESSION_END');
    expect(problemsOf(ruleText({ condition: 'tool.ok', trigger: 'TOOL_COMPLETE' }))).toEqual([]);
    expect(problemsOf(ruleText({ condition: 'ending.turns > 3', trigger: 'SESSION_END' }))).toEqual([]);
  });

  it('refuses what could never count at the end of a run, and says what to do instead', () => {
    const atEnd = (action: string) => problemsOf(ruleText({ trigger: 'SESSION_END', action }));

    expect(atEnd('[action.hint]\nmessage = "It took {{ ending.turns }} turns."')).toEqual([
      '6:1 A hint at SESSION_END is never heard, because the model is not asked again. Use [action.notify]: the model is told of it in the next session.',
    ]);
    expect(atEnd('[action.limit]\nfield = "tokenBudget"\nto = 3')).toEqual([
      '6:1 A limit at SESSION_END changes nothing, because the run has ended. Tighten it at TURN_END or before.',
    ]);
    expect(atEnd('[action.notify]\nmessage = "It took {{ ending.turns }} turns."')).toEqual([]);
  });

  it('takes or explains whatever is said, of whatever kind', () => {
    const sound = [
      'notify]\nmessage = "a"\nseverity = "INFO"\nadvice = "b"',
      'set_state]\nkey = "a"\nexpression = "turn"',
      'emit_event]\nname = "rule.seen"\nseverity = "INFO"\npayload = { a = 1 }',
      'limit]\nfield = "tokenBudget"\nto = 3',
      'log]\nmessage = "a"\nlevel = "warn"',
    ].map((action) => ruleText({ priority: 3, enabled: true, core: false, once: true, action: `[action.${action}` }));
    let broken = 0;
    fc.assert(
      fc.property(fc.oneof(...sound.map(spoiltToml)), (text) => {
        const read = readRule({ file: 'mine.toml', text, origin: 'FILE' });
        if (read.type === 'rule') return;
        broken += 1;
        expect(read.problems.length).toBeGreaterThan(0);
        for (const { line } of read.problems) expect(text.split('\n')[line - 1]).toBeDefined();
      }),
      { numRuns: 500 },
    );
    expect(broken).toBeGreaterThan(250); // else hardly anything was spoilt
  });

  it('refuses a rule whose parts are cheap each and together are not', () => {
    const pairs = '{{ history.tools.exists(a, history.tools.exists(b, a.turn > b.turn)) }}';
    const payload = (gaps: number) =>
      `[action.emit_event]\nname = "rule.review.needed"\n[action.emit_event.payload]\ntext = "${pairs.repeat(gaps)}"`;

    expect(problemsOf(ruleText({ action: payload(1) }))).toEqual([]);
    expect(problemsOf(ruleText({ action: payload(5) }))).toEqual([
      expect.stringMatching(/^6:1 Condition and action together could take [\d,]+ steps, and a rule has 50,000:/),
    ]);
  });

  it('refuses a text that is too long before it reads it', () => {
    expect(problemsOf(`${'#'.repeat(16_001)}`)).toEqual(['1:1 A rule has at most 16000 characters.']);
  });
});
