import { describe, expect, it } from 'vitest';
import { titleOf } from './note-text.ts';

describe('titleOf', () => {
  it.each([
    ['the front matter', '---\ntags: [a]\ntitle: From the matter\n---\n# Heading', 'From the matter'],
    ['quoted front matter', '---\r\ntitle: "Quoted: yes"\r\n---\r\ntext', 'Quoted: yes'],
    ['the first heading', 'Some words\n\n## Second level\n\n# The heading #\n\n# Another', 'The heading'],
    ['the heading when the front matter has no title', '---\ntitle:\n---\n# Heading', 'Heading'],
    ['no comment within code', '```sh\n# comment\n```\n\n~~~\n# another\n~~~\n# Heading', 'Heading'],
    ['the file name', 'just text #no heading', 'ferry plan'],
    ['the file name when there is no text', '', 'ferry plan'],
    ['no title from a rule in the text', 'text\n---\ntitle: no\n---\n', 'ferry plan'],
  ])('takes %s', (_source, body, title) => {
    expect(titleOf('plans/ferry plan.md', body)).toBe(title);
  });

  it('keeps a name that is nothing but an ending, and cuts what is endless', () => {
    expect(titleOf('.md', '')).toBe('.md');
    expect(titleOf('a.md', `# ${'long '.repeat(200)}`)).toHaveLength(300);
  });
});
