import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Effect } from './action.ts';
import { type Firing, indexRules, RuleEvaluator, RuleMemory } from './evaluate.ts';
import { type Rule, readRule } from './load-rules.ts';
import { facts, ruleText } from './test/facts.ts';
import type { RuleFacts } from './vocabulary.ts';

function rule(changes: Parameters<typeof ruleText>[0] = {}): Rule {
  const read = readRule({ file: 'mine.toml', text: ruleText(changes), origin: 'FILE' });
  if (read.type === 'broken') throw new Error(JSON.stringify(read.problems));
  return read.rule;
}

function fire(
  rules: readonly Rule[],
  about: RuleFacts = facts(),
  memory = new RuleMemory(),
  now = () => 0,
  workedMs = () => 0,
) {
  const found: Firing[] = [];
  for (const same of indexRules(rules).values())
    new RuleEvaluator({
      memory,
      now,
      workedMs,
      facts: about,
      at: { place: 0 },
      take: (firing) => found.push(firing),
    }).ask(same);
  return found;
}

const effects = (firings: readonly Firing[]): readonly Effect[] =>
  firings.flatMap((firing) => (firing.type === 'fired' ? [firing.effect] : []));
const failures = (firings: readonly Firing[]) =>
  firings.flatMap((firing) => (firing.type === 'failed' ? [firing.message] : []));

describe('RuleEvaluator', () => {
  it('fires the rules whose condition holds, with their text filled in', () => {
    const rules = [rule(), rule({ id: 'other', condition: 'turn > 3' })];

    expect(effects(fire(rules))).toEqual([{ type: 'notify', message: 'It is turn 3.', severity: 'INFO' }]);
  });

  it.each<[string, string, Effect]>([
    [
      'hint',
      '[action.hint]\nmessage = "{{ tokens.share }} of {{ project.name }}"',
      { type: 'hint', message: '0.1 of Trams' },
    ],
    ['log', '[action.log]\nmessage = "{{ user.id }}"', { type: 'log', level: 'info', message: 'user-1' }],
    [
      'state',
      '[action.set_state]\nkey = "seen"\nexpression = "stateNumber(\'seen\') + 1.0"',
      { type: 'set_state', key: 'seen', value: 1 },
    ],
    ['flag', '[action.set_state]\nkey = "seen"\nvalue = true', { type: 'set_state', key: 'seen', value: true }],
    [
      'event',
      '[action.emit_event]\nname = "rule.slow"\npayload = { turn = "{{ turn }}", bad = true }',
      { type: 'emit_event', name: 'rule.slow', severity: 'INFO', payload: { rule: 'a-rule', turn: '3', bad: true } },
    ],
    [
      'limit',
      '[action.limit]\nfield = "maxIterations"\nexpression = "turn + 2"',
      { type: 'limit', field: 'maxIterations', to: 5 },
    ],
  ])('makes a %s', (_, action, effect) => {
    expect(effects(fire([rule({ action })]))).toEqual([effect]);
  });

  it('answers the helpers from the history', () => {
    const failed = { name: 'vault_read', ok: false, error: 'no such note', turn: 1, durationMs: 3 };
    const worked = { ...failed, ok: true, error: '' };
    const history = { ...facts().history, tools: [failed, failed, worked, { ...worked, name: 'vault_search' }] };
    const about = facts({ history, state: { mood: 'calm', count: 2 } });

    for (const condition of [
      'toolFailed("vault_read") && !toolFailed("vault_search") && !toolFailed("vault_list")',
      'toolCalled("vault_search") && !toolCalled("vault_list")',
      'failures("vault_read") == 2 && calls("vault_read") == 3',
      'contextAbove(0.03) && !contextAbove(1)',
      'tokensAbove(0.05) && elapsedAbove(12) && messagesAbove(6) && turnAbove(2)',
      '!tokensAbove(0.1) && !elapsedAbove(12.5) && !messagesAbove(7) && !turnAbove(3)',
      'stateText("mood") == "calm" && stateNumber("count") == 2.0 && !stateFlag("none")',
      'state.count + 1 == 3 && has(state.mood) && !has(state.other)',
      'history.tools.filter(t, !t.ok).size() == 2 && history.tools[2].ok',
      'history.tools.exists(t, t.error.matches("^no such"))',
      'user.role in ["USER", "ADMIN"] && run.model.startsWith("off")',
    ])
      expect([condition, effects(fire([rule({ condition })], about)).length]).toEqual([condition, 1]);
  });

  it('fires in the order of priority, and of ids where that is the same', () => {
    const rules = fc.uniqueArray(
      fc.record({ id: fc.stringMatching(/^[a-z]{2,6}$/), priority: fc.integer({ min: 1, max: 5 }) }),
      {
        selector: ({ id }) => id,
        maxLength: 8,
      },
    );

    fc.assert(
      fc.property(rules, (wanted) => {
        const order = fire(wanted.map((each) => rule(each))).map((firing) => firing.rule.declaration);
        const sorted = wanted.toSorted((one, other) => other.priority - one.priority || (one.id < other.id ? -1 : 1));

        expect(order.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
      }),
      { numRuns: 50 },
    );
  });

  it('is not kept from the others by one that fails, and shows each failure once', () => {
    const broken = [
      'state.missing > 3',
      'history.tools[7].ok',
      '1 / int(tokens.share) > 0',
      'event.payload.deep.er == 1',
    ];

    fc.assert(
      fc.property(
        fc.array(fc.option(fc.constantFrom(...broken), { nil: undefined }), { maxLength: 8 }),
        (conditions) => {
          const memory = new RuleMemory();
          const rules = conditions.map((condition, index) =>
            rule({ id: `rule-${index}`, condition: condition ?? 'true' }),
          );
          const firings = fire(rules, facts(), memory);
          const again = fire(rules, facts(), memory);
          const sound = conditions.filter((condition) => condition === undefined).length;

          expect(effects(firings)).toHaveLength(sound);
          expect(failures(firings)).toHaveLength(conditions.length - sound);
          expect(effects(again)).toHaveLength(sound);
          expect(failures(again)).toEqual([]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('shows a failure once though the numbers in it change', () => {
    const memory = new RuleMemory();
    const missing = [rule({ condition: 'history.tools[7].ok' })];
    const call = { name: 'vault_read', ok: true, error: '', turn: 1, durationMs: 3 };
    const after = (count: number) => facts({ history: { ...facts().history, tools: Array(count).fill(call) } });

    expect(failures(fire(missing, after(1), memory))).toHaveLength(1);
    expect(failures(fire(missing, after(2), memory))).toEqual([]);
  });

  it('says in plain words what failed', () => {
    expect(failures(fire([rule({ condition: 'state.missing > 3' })]))).toEqual(['There is nothing called missing.']);
  });

  it.each([
    [
      'says nothing',
      '[action.hint]\nmessage = "{{ stateText(\'x\') }} "',
      'There was nothing to say: the message is empty.',
    ],
    [
      'remembers what is no number',
      '[action.set_state]\nkey = "x"\nexpression = "1.0 / 0.0"',
      'Infinity is no number that can be remembered.',
    ],
  ])('fails when it %s', (_, action, message) => {
    expect(failures(fire([rule({ action })]))).toEqual([message]);
  });

  it('fires once in a run when asked to', () => {
    const memory = new RuleMemory();
    const once = [rule({ once: true })];

    expect(fire(once, facts(), memory)).toHaveLength(1);
    expect(fire(once, facts(), memory)).toHaveLength(0);
    expect(fire(once)).toHaveLength(1);
  });

  it('forgives a pause of the machine, and skips a rule that overran by itself for the rest of the run', () => {
    const memory = new RuleMemory();
    const clock = (...readings: readonly number[]) => {
      const left = [...readings];
      return () => left.shift() ?? 0;
    };
    const rules = [rule()];

    expect(effects(fire(rules, facts(), memory, clock(0, 50), clock(3, 4)))).toHaveLength(1);
    expect(failures(fire(rules, facts(), memory, clock(0, 50), clock(3, 9)))).toEqual([
      expect.stringContaining('5 ms'),
    ]);
    expect(fire(rules, facts(), memory)).toEqual([]);
  });

  it('does all its work again when it is tried again, so that the second clock sees what it costs', () => {
    let asked = 0;
    const watched = new Proxy(facts(), {
      get(target, name) {
        if (name === 'question') asked += 1;
        return Reflect.get(target, name);
      },
    });
    const readings = [0, 50];
    const rules = [rule({ condition: 'question.matches("cach") && question.size() > 3' })];
    const fired = fire(rules, watched, new RuleMemory(), () => readings.shift() ?? 0);

    expect(effects(fired)).toHaveLength(1);
    expect(asked).toBe(2);
  });

  it('works out nothing that no rule asks for', () => {
    const asked: string[] = [];
    const plain = facts();
    const watched = new Proxy(plain, {
      get(target, name) {
        asked.push(String(name));
        return Reflect.get(target, name);
      },
    });

    fire([rule({ condition: 'turn == 2 && history.failures > 3' })], watched);

    expect(asked).toEqual(['turn']);
  });
});
