import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkTargets, rewriteLinks, wikilinks } from './wikilinks.ts';

const targets = (text: string) => wikilinks(text).map(({ target }) => target);

describe('the links of a text', () => {
  it.each([
    ['a path', 'See [[decisions/caching]].', ['decisions/caching']],
    ['an ending', '[[a.md]]', ['a.md']],
    ['an alias', '[[a|the first]]', ['a']],
    ['an alias in a table', '| [[a\\|the first]] | b |', ['a']],
    ['a heading', '[[a#Why]] and [[b#^block|alias]]', ['a', 'b']],
    ['an embed', '![[picture note]]', ['picture note']],
    ['spaces around it', '[[ a ]]', ['a']],
    ['several on a line', '[[a]][[b]] [[a]]', ['a', 'b', 'a']],
    ['front matter', '---\nup: "[[index]]"\n---\n', ['index']],
    ['no heading of the same note', '[[#Why]] [[|x]] [[ ]] [[]]', []],
    ['nothing over two lines', '[[a\nb]]', []],
    ['nothing escaped', '\\[[a]]', []],
    ['nothing in inline code', '`[[a]]` and ``[[b]] ` [[c]]`` [[d]]', ['d']],
    ['what lonely backticks enclose', 'a ` [[a]] and `` [[b]]', ['a', 'b']],
    ['what is between backticks of two paragraphs', 'a ` b\n\n[[a]] ` c', ['a']],
    ['nothing in a fence', '```md\n[[a]]\n```\n[[b]]\n~~~\n[[c]]\n```\n~~~\n[[d]]', ['b', 'd']],
    ['nothing in a longer fence', '````\n```\n[[a]]\n```\n````\n[[b]]', ['b']],
    ['nothing in a fence without an end', '[[a]]\n```\n[[b]]', ['a']],
    ['nothing in a quoted fence', '> ```\n> [[a]]\n> ```\n> [[b]]', ['b']],
    ['nothing longer than a path can be', `[[${'x'.repeat(501)}]]`, []],
  ])('are found: %s', (_what, text, expected) => {
    expect(targets(text)).toEqual(expected);
  });

  it('are counted, each with its first line', () => {
    expect(linkTargets('one\n[[a]] [[./b]]\n\n[[a|x]] [[cafe\u0301]] [[caf\u00e9]]')).toEqual([
      { target: 'a', line: 2, times: 2 },
      { target: 'b', line: 2, times: 1 },
      { target: 'caf\u00e9', line: 4, times: 2 },
    ]);
  });

  it('are found quickly in a text that has nothing but beginnings', () => {
    for (const text of ['[['.repeat(400_000), '`'.repeat(900_000), '` `` '.repeat(200_000), '[[a#|'.repeat(200_000)])
      expect(targets(text)).toEqual([]);
  });
});

const piece = fc.constantFrom(
  '[[old]]',
  '[[old.md]]',
  '![[old#Part|alias]]',
  '[[other]]',
  '[[older]]',
  '[[a/old]]',
  '`[[old]]`',
  '`',
  '``',
  '```\n',
  '~~~\n',
  '\n',
  '\n\n',
  ' text ',
  '[[',
  ']]',
  '|',
  '#',
  '\\',
  '> ',
  '[[old\\|x]]',
  '[[ old ]]',
  'é\u{1f6a2}',
);

describe('rewriting links', () => {
  it('changes the targets that were to change, and not one character else', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const moved = (target: string) => target === 'old' || target === 'old.md';
        const before = wikilinks(text);

        const { text: after, rewritten } = rewriteLinks(text, (target) => (moved(target) ? 'x/new' : undefined));

        const found = wikilinks(after);
        expect(rewritten).toBe(before.filter(({ target }) => moved(target)).length);
        expect(found.map(({ target }) => target)).toEqual(
          before.map(({ target }) => (moved(target) ? 'x/new' : target)),
        );
        expect(withoutTargets(after, found)).toEqual(withoutTargets(text, before));
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves a text without such links as it is', () => {
    const text = '[[a]] `[[old]]`';
    expect(rewriteLinks(text, (target) => (target === 'old' ? 'new' : undefined))).toEqual({ text, rewritten: 0 });
  });
});

/** All that stands between the targets. */
function withoutTargets(text: string, links: readonly { readonly start: number; readonly end: number }[]) {
  const edges = [0, ...links.flatMap(({ start, end }) => [start, end]), text.length];
  return edges.flatMap((edge, index) => (index % 2 === 0 ? [text.slice(edge, edges[index + 1])] : []));
}
