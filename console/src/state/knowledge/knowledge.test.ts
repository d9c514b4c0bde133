import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeAddress, folderOf, foldersTo, noteAddress, pathIn, sectionAddress, threadAddress } from './addresses.ts';
import { piecesOf } from './highlights.ts';
import { bundle, planImport } from './import-plan.ts';

describe('addresses', () => {
  it('lead to notes, lines of code and threads, in a project or the default one', () => {
    expect(noteAddress('decisions/caching.md')).toBe('/knowledge/notes/decisions/caching.md');
    expect(noteAddress('a?b/#c %.md', 'p1')).toBe('/knowledge/notes/a%3Fb/%23c%20%25.md?project=p1');
    expect(codeAddress('src/main.ts', 12)).toBe('/knowledge/code/src/main.ts?line=12');
    expect(threadAddress('t1', 'p1', 3)).toBe('/knowledge/threads/t1?project=p1&entry=3');
    expect(sectionAddress('notes', undefined, { folder: 'a/b' })).toBe('/knowledge/notes?folder=a%2Fb');
  });

  it('are read back as they were, or as they were typed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).map((text) => text.toWellFormed()),
        (path) => {
          expect(pathIn(noteAddress(path).slice('/knowledge/notes/'.length))).toBe(path);
        },
      ),
    );
    expect(pathIn('100% sure.md')).toBe('100% sure.md');
  });

  it('know the folders on the way', () => {
    expect(folderOf('a/b/c.md')).toBe('a/b');
    expect(folderOf('c.md')).toBe('');
    expect(foldersTo('a/b')).toEqual([
      { name: 'a', path: 'a' },
      { name: 'b', path: 'a/b' },
    ]);
  });
});

describe('highlights', () => {
  it('cut a passage without losing or repeating a letter, whatever the places', () => {
    const places = fc.array(
      fc.record({ start: fc.integer({ min: -5, max: 60 }), end: fc.integer({ min: -5, max: 60 }) }),
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 50 }), places, (text, highlights) => {
        expect(
          piecesOf(text, highlights)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  it('mark what was found', () => {
    expect(piecesOf('we cache it', [{ start: 3, end: 8 }])).toEqual([
      { text: 'we ', marked: false },
      { text: 'cache', marked: true },
      { text: ' it', marked: false },
    ]);
  });
});

describe('an import', () => {
  const file = (path: string, size = 10) => ({ path, size });

  it('tells notes from code, and says why it leaves something out', () => {
    const plan = planImport([
      file('vault/a.md'),
      file('vault/.obsidian/app.json'),
      file('vault/node_modules/x/index.js'),
      file('vault/picture.png'),
      file('vault/huge.md', 1_000_001),
      file('vault/main.rs'),
    ]);

    expect(plan.map(({ path, kind }) => [path, kind])).toEqual([
      ['vault/a.md', 'note'],
      ['vault/.obsidian/app.json', 'skipped'],
      ['vault/node_modules/x/index.js', 'skipped'],
      ['vault/picture.png', 'skipped'],
      ['vault/huge.md', 'skipped'],
      ['vault/main.rs', 'code'],
    ]);
    expect(plan[4]?.reason).toContain('too large');
  });

  it('sends code in bundles that the server takes', () => {
    const files = Array.from({ length: 450 }, (_, index) => ({
      ...file(`f${index}.ts`, 9_000),
      kind: 'code' as const,
    }));
    const bundles = bundle(files);

    expect(bundles.flat()).toEqual(files);
    for (const one of bundles) {
      expect(one.length).toBeLessThanOrEqual(50);
      expect(one.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(1_000_000);
    }
  });
});
