import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAt, filter, tools } from './test/filtering.ts';

const cuts = fc.array(fc.nat(), { maxLength: 30 });

/** Pieces that calls are made of, whole and in parts, and what looks like them. */
const fragments = [
  '<function_calls>',
  '</function_calls>',
  '<tool_calls>',
  '</tool_calls>',
  '<function_calls>',
  '<invoke name="vault_search">',
  "<invoke name='vault_read'>",
  '<invoke name="other">',
  '</invoke>',
  '<parameter name="query">',
  '<parameter name="limit" string="false">',
  '</parameter>',
  '</parameter>',
  '<tool_call>',
  '</tool_call>',
  '{"name": "vault_list", "arguments": {}}',
  '{"name": "vault_search", "arguments": {"query": "a"}}',
  '<｜DSML｜function_calls>',
  '<｜DSML｜invoke name="vault_list">',
  '</｜DSML｜invoke>',
  '</｜DSML｜function_calls>',
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁call▁begin｜>',
  '<｜tool▁sep｜>',
  '<｜tool▁call▁end｜>',
  '<function=vault_list>',
  '</function>',
  '<arg_key>',
  'vault_search',
  'vault_list{}',
  'vault_read{"path": "a"}',
  '{',
  '}',
  '"',
  '\\',
  '<',
  '</',
  '<inv',
  'a_',
  '```',
  '\n',
  ' ',
  'words ',
  '🙂',
  '[',
  ']',
];
const soup = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fragments) }, { weight: 1, arbitrary: fc.string() }), {
    maxLength: 25,
  })
  .map((pieces) => pieces.join(''));

/** Arguments as a model may write them. */
const words = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll('<', '‹').trim());
const search = fc.record({ query: words, limit: fc.integer() });

type Form = (input: { readonly query: string; readonly limit: number }) => string;
const inTags = (mark: string, attributes = ['', '']) => {
  const form: Form = ({ query, limit }) =>
    `<${mark}invoke name="vault_search"><${mark}parameter name="query"${attributes[0]}>${query}</${mark}parameter>\n<${mark}parameter name="limit"${attributes[1]}>${limit}</${mark}parameter></${mark}invoke>`;
  return form;
};
const dsml: Form = inTags('｜DSML｜', [' string="true"', ' string="false"']);
const forms: readonly Form[] = [
  inTags(''),
  inTags('antml:'),
  (input) => `<function_calls>\n${inTags('')(input)}\n</function_calls>`,
  (input) => `<tool_calls>${inTags('antml:')(input)}</tool_calls>`,
  (input) => `<function_calls>${inTags('antml:')(input)}</function_calls>`,
  (input) => `<｜DSML｜function_calls>\n${dsml(input)}\n</｜DSML｜function_calls>`,
  (input) => `<tool_call>${JSON.stringify({ name: 'vault_search', arguments: input })}</tool_call>`,
  (input) => `<tool_call>\n${JSON.stringify({ name: 'vault_search', arguments: input }, null, 2)}\n</tool_call>`,
  (input) => `vault_search${JSON.stringify(input)}`,
];

/** Anything that neither is markup nor quotes it nor makes another word of a tool's name. */
const prose = fc
  .string({ unit: 'binary', maxLength: 60 })
  .filter((text) => text.isWellFormed() && !/[`~]/.test(text) && filter(text).calls.length === 0)
  .map((text) => `${text} `);

describe('calls in text', () => {
  it('are the same however the text is cut', () => {
    fc.assert(
      fc.property(soup, cuts, (text, places) => {
        const { segments: _whole, ...expected } = filter(text);
        const { segments: _pieces, ...actual } = filter(cutAt(text, places));
        expect(actual).toEqual(expected);
        const { segments: _letters, ...letters } = filter(text.split(''));
        expect(letters).toEqual(expected);
      }),
      { numRuns: 1_500 },
    );
  });

  it('are the same whether or not what is plain is passed at a glance', () => {
    fc.assert(
      fc.property(soup, cuts, (text, places) => {
        const pieces = cutAt(text, places);
        const { segments: _glance, ...atAGlance } = filter(pieces);
        const { segments: _closely, ...closely } = filter(pieces, tools, { closely: true });
        expect(atAGlance).toEqual(closely);
      }),
      { numRuns: 1_500 },
    );
  });

  it('keep their place between the words', () => {
    const order = (pieces: string | readonly string[]) =>
      filter(pieces).segments.reduce((told, segment) => {
        if (segment.type === 'markup') return told;
        return told + (segment.type === 'text' ? segment.text : `\u0001${segment.call.name}\u0002`);
      }, '');
    fc.assert(
      fc.property(soup, cuts, (text, places) => {
        expect(order(cutAt(text, places))).toBe(order(text));
      }),
      { numRuns: 500 },
    );
  });

  it('are found wherever they stand, and nothing of them is shown', () => {
    const part = fc.record({ before: prose, input: search, form: fc.constantFrom(...forms) });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), prose, cuts, (parts, after, places) => {
        const text = parts.map(({ before, input, form }) => before + form(input)).join('') + after;
        const { text: shown, inputs } = filter(cutAt(text, places));

        expect(shown).toBe(parts.map(({ before }) => before).join('') + after);
        expect(inputs).toEqual(parts.map(({ input }) => ['vault_search', input]));
      }),
      { numRuns: 1_500 },
    );
  });

  it('in a fenced block are shown as they are', () => {
    fc.assert(
      fc.property(search, fc.constantFrom(...forms), cuts, (input, form, places) => {
        const body = form(input).replaceAll('\n', ' ');
        const text = `See:\n\`\`\`\n${body}\n\`\`\`\nThat was it.`;
        expect(filter(cutAt(text, places))).toMatchObject({ text, calls: [] });
      }),
      { numRuns: 300 },
    );
  });

  it('are nowhere in a text without markup, which passes byte for byte', () => {
    const harmless = fc
      .array(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom(
            '<',
            '<<',
            '</',
            '{',
            '}',
            '"',
            'vault_search',
            'vault_',
            '```',
            '\n',
            '<div>',
            '<|',
            '<｜',
            '<in',
          ),
        ),
      )
      .map((pieces) => pieces.join(''))
      .filter(
        (text) => !/<\/?(?:antml:|[|｜]{1,2}DSML)?.*?(?:invoke|tool_call|function_calls|parameter)|[a-z]\{/.test(text),
      );
    fc.assert(
      fc.property(harmless, cuts, (text, places) => {
        expect(filter(cutAt(text, places))).toMatchObject({ text, calls: [] });
      }),
      { numRuns: 1_500 },
    );
  });

  it('are never lost: every character is shown, or belongs to markup', () => {
    fc.assert(
      fc.property(soup, (text) => {
        const { segments } = filter(text);
        const told = segments.reduce(
          (length, segment) => length + (segment.type === 'call' ? 0 : segment.text.length),
          0,
        );
        expect(told).toBeGreaterThanOrEqual(text.length);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the work grows with the text, not with its square', () => {
  /** A million characters would take hours if each looked at all the others. */
  it.each([
    ['<', 1_000_000],
    ['</', 1_000_000],
    ['<i', 1_000_000],
    ['<tool_call>{"', 1_000_000],
    ['<invoke name="vault_list"><parameter name="a">', 1_000_000],
    ['<invoke name="vault_list"><parameter name="a"></invoke>', 300_000],
    ['<tool_call>{"</tool_call>', 100_000],
    ['vault_search{"', 300_000],
    ['<function_calls> ', 300_000],
    ['<｜tool▁call▁begin｜>', 300_000],
    ['```\n', 300_000],
    [' ', 1_000_000],
  ])('for %j again and again', { timeout: 60_000 }, (unit, size) => {
    const text = unit.repeat(Math.ceil(size / unit.length));
    const pieces = Array.from({ length: Math.ceil(text.length / 50) }, (_, index) =>
      text.slice(index * 50, index * 50 + 50),
    );
    const [whole, cut] = [filter(text), filter(pieces)];

    expect(cut.text === whole.text).toBe(true);
    expect(cut.calls.length).toBe(whole.calls.length);
  });
});
