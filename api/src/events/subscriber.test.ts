import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSubscriber } from './subscriber.ts';

const good = `id = "mine"
title = "Mine"
description = "Tells."
example = "Told."
events = ["tool.*", "rule.own.thing"]
template = "{tool}"
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

    expect(problemsOf(`${text}colour = "red"\n[batch]\nsize = 0\nwindow_seconds = 1\n`)).toEqual([
      expect.stringMatching(/^mine\.toml:2 title: /),
      expect.stringMatching(/^mine\.toml:5 events\.0: "tool\.cal\.\*" names no event/),
      expect.stringMatching(/^mine\.toml:9 batch\.size: /),
      expect.stringMatching(/^mine\.toml:7 colour: /),
    ]);
  });

  it('with the same key in two tables is reported at the line of the one that is wrong', () => {
    const tables = '[batch]\nwindow_seconds = 1\nsize = 2\n[dedupe]\nwindow_seconds = -1\n';

    expect(problemsOf(good + tables)).toEqual([expect.stringMatching(/^mine\.toml:11 dedupe\.window_seconds: /)]);
  });

  it('that lacks something is reported', () => {
    expect(problemsOf('')).toContainEqual(expect.stringMatching(/^mine\.toml:1 id: /));
  });

  it('of any content is read or reported, never worse', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => good + text),
        ),
        (text) => {
          const parsed = parseSubscriber('mine.toml', text);
          expect('subscriber' in parsed || parsed.problems.length > 0).toBe(true);
        },
      ),
    );
  });

  it('that is nested without end, or huge, is reported', () => {
    expect(problemsOf(`x = ${'['.repeat(30_000)}`)).toHaveLength(1);
    expect(problemsOf('#'.repeat(70_000))).toEqual([expect.stringContaining('longer than 64 KiB')]);
  });
});
