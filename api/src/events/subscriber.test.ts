import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spoiltToml } from '../declarations/test/spoilt-toml.ts';
import { parseSubscriber } from './subscriber.ts';

const good = `id = "mine"
title = "Mine"
description = "Tells."
example = "Told."
events = ["tool.*", "rule.own.thing"]
template = "{tool}"
`;

/** With everything that can be said. */
const full = `${good}severity = "INFO"
priority = "HIGH"
inject = "AFTER_TOOL"
core = false
tell = ["MODEL"]
columns = ["tool"]
keep = true
[batch]
window_seconds = 1
size = 2
[dedupe]
key = "{tool}"
window_seconds = 3
at_least = 2
`;

function problemsOf(text: string): readonly string[] {
  const parsed = parseSubscriber('mine.toml', text);
  return 'problems' in parsed ? parsed.problems.map(({ file, line, message }) => `${file}:${line} ${message}`) : [];
}

describe('a subscriber file', () => {
  it('is read with its defaults', () => {
    expect(parseSubscriber('mine.toml', good)).toMatchObject({
      subscriber: {
        id: 'mine',
        severity: 'DEBUG',
        priority: 'NORMAL',
        inject: 'TURN_START',
        core: false,
        tell: ['PERSON', 'MODEL'],
      },
    });
  });

  it('that is no TOML is reported with its line', () => {
    expect(problemsOf(`${good}priority = HIGH\n`)).toEqual([expect.stringMatching(/^mine\.toml:7 \w/)]);
  });

  it('with wrong values is reported with all of them, each with its line', () => {
    const text = good.replace('"Mine"', '7').replace('tool.*', 'tool.cal.*');

    expect(problemsOf(`${text}serverity = "INFO"\n[batch]\nsize = 0\nwindow_seconds = 1\n`)).toEqual([
      'mine.toml:2 "title" must be a text.',
      'mine.toml:5 "events.0" is "tool.cal.*", which names no event. Did you mean tool.call.*?',
      'mine.toml:7 There is no "serverity" here. Did you mean severity?',
      'mine.toml:9 "batch.size" is at least 1.',
    ]);
  });

  it('with the same key in two tables is reported at the line of the one that is wrong', () => {
    const tables = '[batch]\nwindow_seconds = 1\nsize = 2\n[dedupe]\nwindow_seconds = -1\n';

    expect(problemsOf(good + tables)).toEqual(['mine.toml:11 "dedupe.window_seconds" is at least 0.']);
  });

  it('that names what its events do not carry is reported, with what there is', () => {
    const text = good.replace(', "rule.own.thing"', '').replace('{tool}', '{toool}{times} { tool }');

    expect(problemsOf(`${text}columns = ["eror", "times"]\n[dedupe]\nwindow_seconds = 1\nkey = "{times}"\n`)).toEqual([
      'mine.toml:6 No "toool" is in what these events carry. Did you mean tool?',
      'mine.toml:6 No " tool " is in what these events carry. Did you mean tool?',
      'mine.toml:7 No "eror" is in what these events carry. Did you mean error?',
      'mine.toml:10 No "times" is in what these events carry. There is callId, tool, arguments, result, durationMs, error, systemType, severity, message, limitType, currentValue, limitValue, advice, hint.',
    ]);
  });

  it('may name anything of what rules emit, for they may put anything into it', () => {
    for (const events of ['*', 'rule.*', 'rule.own.thing'])
      expect(problemsOf(good.replace('"tool.*", "rule.own.thing"', `"${events}"`).replace('{tool}', '{own}'))).toEqual(
        [],
      );
    expect(problemsOf(good.replace('"tool.*", "rule.own.thing"', '"rule.notify"'))).toHaveLength(1);
  });

  it('that lacks something is reported', () => {
    expect(problemsOf('')).toContain('mine.toml:1 "id" is missing.');
  });

  it('of any content is read or reported, never worse', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.string().map((text) => good + text),
      { arbitrary: spoiltToml(full), weight: 3 },
    );
    let misfits = 0;
    fc.assert(
      fc.property(anything, (text) => {
        const parsed = parseSubscriber('mine.toml', text);
        if ('subscriber' in parsed) return;
        if (parsed.problems.some(({ message }) => /^("|There is no|No ")/.test(message))) misfits += 1;
        expect(parsed.problems.length).toBeGreaterThan(0);
        for (const { line } of parsed.problems) expect(text.split('\n')[line - 1]).toBeDefined();
      }),
      { numRuns: 500 },
    );
    expect(misfits).toBeGreaterThan(100); // else little but syntax was tried
  });

  it('that is nested without end, or huge, is reported', () => {
    expect(problemsOf(`x = ${'['.repeat(30_000)}`)).toHaveLength(1);
    expect(problemsOf('#'.repeat(70_000))).toEqual([expect.stringContaining('longer than 64 KiB')]);
  });
});
