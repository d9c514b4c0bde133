import { describe, expect, it } from 'vitest';
import { footnotesOf } from './citations.ts';
import { readCommand, suggestCommands } from './commands.ts';
import { fileNameOf } from './export.ts';
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
