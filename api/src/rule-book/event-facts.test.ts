import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../events/event.ts';
import { estimateTokens } from '../models/token-estimate.ts';
import { indexRules, RuleEvaluator, RuleMemory } from '../rules/evaluate.ts';
import { compileExpression } from '../rules/expression.ts';
import { readRule } from '../rules/load-rules.ts';
import { askQuickly } from '../rules/quick-rules.ts';
import { facts, ruleText } from '../rules/test/facts.ts';
import { ToolOfEvent } from './event-facts.ts';

const longText = 'Трамвай идёт в депо, and there it stays until the morning. '.repeat(1_700);

function answered(number: number, result: string | object): RunEvent {
  return {
    number,
    name: 'tool.call.success',
    severity: 'INFO',
    at: 0,
    turn: 1,
    dedupeKey: '',
    payload: { callId: 'c1', tool: 'vault_read', arguments: {}, result, durationMs: 1 },
  } as RunEvent;
}

/** The tool of one event after the other, and every text that had to be measured for it. */
function watchedTool(first: RunEvent) {
  const happening: { event: RunEvent } = { event: first };
  const measured: string[] = [];
  const tool = new ToolOfEvent(happening, {
    estimateTokens: (text) => {
      measured.push(text);
      return estimateTokens(text);
    },
  });
  return { happening, measured, tool };
}

describe('the tool that rules see', () => {
  it('is measured once for all rules that ask for its tokens, and never the whole of a long result', () => {
    const { measured, tool } = watchedTool(answered(1, longText));
    const conditions = ['tool.resultTokens > 10', '[tool.resultTokens].exists(one, one > 10 && tool.resultTokens > 1)'];
    const rules = conditions.map((condition, index) => {
      const action = '[action.hint]\nmessage = "{{ tool.resultTokens }}, I say {{ tool.resultTokens }}"';
      const text = ruleText({ id: `rule-${index}`, trigger: 'TOOL_COMPLETE', condition, action });
      const read = readRule({ file: 'a', origin: 'FILE', text });
      if (read.type === 'broken') throw new Error(JSON.stringify(read.problems));
      return read.rule;
    });
    const fired: string[] = [];
    for (const together of indexRules(rules).values())
      new RuleEvaluator({
        memory: new RuleMemory(),
        facts: facts({ tool }),
        at: { place: 0 },
        now: () => 0,
        workedMs: () => 0,
        take: ({ type }) => fired.push(type),
      }).ask(together);

    expect(fired).toEqual(['fired', 'fired']);
    expect(measured.length).toBeLessThanOrEqual(3);
    expect(measured.join('').length).toBeLessThanOrEqual(12_000);
  });

  it('is measured nearly as if it had been measured whole', () => {
    const uneven = `${'A short beginning. '.repeat(500)}${longText}${'{"path":"a/b"},'.repeat(500)}`;
    for (const text of [longText, uneven, 'брр '.repeat(20_000)]) {
      const { tool } = watchedTool(answered(1, text));
      const whole = estimateTokens(text);

      expect(Math.abs(tool.resultTokens - whole) / whole).toBeLessThan(0.25);
    }
    expect(watchedTool(answered(1, 'A few words.')).tool.resultTokens).toBe(estimateTokens('A few words.'));
  });

  it('is not measured where it is too short to have as many tokens as a rule asks about', () => {
    const asked = (text: string, condition: string) => {
      const { measured, tool } = watchedTool(answered(1, text));
      const compiled = compileExpression(condition, 'TOOL_COMPLETE', ['bool']);
      if (compiled.type === 'refused') throw new Error(JSON.stringify(compiled.problems));
      const { quick } = compiled.expression;
      return { holds: askQuickly([quick])(facts({ tool }), { place: 0 }), measured: measured.length > 0 };
    };

    expect(asked('A few words.', 'tool.resultTokens > 3000')).toEqual({ holds: false, measured: false });
    expect(asked('A few words.', 'tool.resultTokens > 2')).toEqual({ holds: true, measured: true });
    expect(asked(longText, 'tool.resultTokens > 3000')).toEqual({ holds: true, measured: true });
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat(60), (text, tokens) => {
        const { holds } = asked(text, `tool.resultTokens > ${tokens}`);

        expect(holds).toBe(estimateTokens(text) > tokens);
      }),
    );
  });

  it('is another with the next event', () => {
    const { happening, measured, tool } = watchedTool(answered(1, 'one'));
    const before = [tool.result, tool.resultTokens];
    happening.event = answered(2, { two: ['words', 'or', 'more'] });

    expect(before).toEqual(['one', 1]);
    expect(tool.result).toBe('{"two":["words","or","more"]}');
    expect(tool.resultTokens).toBe(estimateTokens('{"two":["words","or","more"]}'));
    expect(measured).toHaveLength(2);
  });
});
