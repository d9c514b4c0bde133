import { describe, expect, it } from 'vitest';
import { footnotesOf, parted, withoutSources } from './citations.ts';
import { readCommand, suggestCommands } from './commands.ts';
import { fileNameOf, toMarkdown } from './export.ts';
import { clockText, compactNumber } from './meter-words.ts';
import { briefArguments, durationText } from './tool-words.ts';

const source = (path: string) => ({ kind: 'VAULT', path, title: null, line: null, snippet: null });

describe('footnotes', () => {
  it('take the numbers that the answer gives them, and the next free ones otherwise', () => {
    const answer = 'It is so. [2]\n\n[2] Title (b.md)';

    const found = footnotesOf(answer, [source('a.md'), source('b.md'), source('c.md')]);

    expect(found.map(({ number, source: { path } }) => `${number} ${path}`)).toEqual(['1 a.md', '2 b.md', '3 c.md']);
  });

  it('are not misled by a path within another', () => {
    const found = footnotesOf('[1] x (more/a.md)', [source('a.md'), source('more/a.md')]);

    expect(found.find(({ number }) => number === 1)?.source.path).toBe('more/a.md');
  });

  it('tell the lines of one file apart where the answer does, and name the file once otherwise', () => {
    const lines = [4, 12].map((line) => ({ ...source('a.ts'), kind: 'CODE', line }));
    const numbers = (answer: string) => footnotesOf(answer, lines).map((one) => [one.number, one.source.line]);

    expect(numbers('- [1] a.ts:12\n- [2] a.ts:4')).toEqual([
      [1, 12],
      [2, 4],
    ]);
    expect(numbers('It is so.')).toEqual([[1, 4]]);
  });

  it('are those that the answer refers to; what was found besides stands apart', () => {
    const footnotes = footnotesOf('', [source('a.md'), source('b.md'), source('c.md')]);
    const numbers = (answer: string) => {
      const { cited, besides } = parted(answer, footnotes);
      return [cited.map(({ number }) => number), besides.map(({ number }) => number)];
    };

    expect(numbers('It is so [3], and so [1].')).toEqual([[1, 3], [2]]);
    expect(numbers('It is so.')).toEqual([[1, 2, 3], []]);
    expect(numbers('It is so [7].')).toEqual([[1, 2, 3], []]);
  });
});

describe('a list of sources at the end of an answer', () => {
  const sources = [source('a.md'), source('b.md')];
  const answer = 'It is so. [1]\n\nSources:\n\n- [1] Apple (a.md)\n- [2] b.md';

  it('is left out where the sources are shown, also while it is written', () => {
    expect(withoutSources(answer, sources, false)).toBe('It is so. [1]');
    expect(withoutSources(answer.replaceAll('- [', '['), sources, false)).toBe('It is so. [1]');
    for (let end = answer.indexOf('Sources') + 7; end <= answer.length; end++)
      expect(withoutSources(answer.slice(0, end), sources, true)).toBe('It is so. [1]');
  });

  it('is written once into an exported file, with the numbers of the answer', () => {
    const asked = { kind: 'ASK', question: 'Is it so?', createdAt: '2026-01-02T03:04:05Z' } as const;
    const text = toMarkdown({ title: 'So', exchanges: [{ ...asked, answer, sources, ending: null }] });

    expect(text).toContain('It is so. [1]\n\nSources:\n\n- [1] a.md\n- [2] b.md\n');
    expect(text.split('Sources')).toHaveLength(2);
  });

  it('stays when it says more than that', () => {
    for (const other of [`${answer}\n- [3] c.md`, `${answer}\n\nAsk me more.`, 'Sources:\n- [1] a.md', 'a\n\nSources:'])
      expect(withoutSources(other, sources, false)).toBe(other);
  });
});

describe('commands', () => {
  it('are known by their names; anything else with a slash is a question', () => {
    expect(readCommand('/model simulated/loop')).toMatchObject({ command: { name: 'model' }, rest: 'simulated/loop' });
    expect(readCommand('/etc/hosts says what?')).toBeUndefined();
    expect(readCommand('/newest')).toBeUndefined();
  });

  it('are offered until a name is complete', () => {
    expect(suggestCommands('/e').map(({ name }) => name)).toEqual(['export']);
    expect(suggestCommands('/export ')).toEqual([]);
    expect(suggestCommands('e')).toEqual([]);
  });
});

describe('numbers', () => {
  it('are short beside a meter', () => {
    expect([950, 12_400, 128_000].map(compactNumber)).toEqual(['950', '12.4k', '128k']);
    expect([0, 41, 600].map(clockText)).toEqual(['00:00', '00:41', '10:00']);
    expect([12, 1_240, 61_000].map(durationText)).toEqual(['12 ms', '1.2 s', '61 s']);
  });
});

describe('texts', () => {
  it('tell one call from another by its first argument', () => {
    expect(briefArguments({ query: 'a\nb', limit: 3 })).toBe('a b');
    expect(briefArguments({ limit: 3, deep: true })).toBe('limit: 3, deep: true');
    expect(briefArguments({})).toBe('');
  });

  it('become file names that every system accepts', () => {
    expect(fileNameOf('Who/what: “é”?', 'md')).toBe('who-what-e.md');
    expect(fileNameOf('///', 'json')).toBe('conversation.json');
  });
});
