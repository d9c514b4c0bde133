import { describe, expect, it } from 'vitest';
import { bestPassages } from './passages.ts';

const caching = {
  path: 'decisions/caching.md',
  title: 'Caching',
  text: '# Caching\n\nStatus: in force.\n\nTimetables are cached for 15 minutes.\n\nRelated: [[decisions/caching]], [[glossary]].',
};
const others = { path: 'team.md', title: 'Team', text: '# Team\n\nWe meet on Mondays.\n\n## Caching\n\nAsk Ines.' };

function texts(words: readonly string[]): readonly string[] {
  return bestPassages([others, caching], words).map(({ text }) => text);
}

describe('the passages that are quoted', () => {
  it('hold the word in any of its forms, under a title that says so', () => {
    expect(texts(['caching'])[0]).toBe('Timetables are cached for 15 minutes.');
  });

  it('may be about it by their heading alone', () => {
    expect(bestPassages([others], ['caching']).map(({ text }) => text)).toEqual(['Ask Ines.']);
  });

  it('do not merely point elsewhere', () => {
    expect(texts(['caching', 'glossary']).join()).not.toContain('Related');
  });

  it('leave out what has nothing to do with it', () => {
    expect(texts(['caching'])).not.toContain('We meet on Mondays.');
  });
});
