import { describe, expect, it } from 'vitest';
import { filter, shownAtOnce } from './test/filtering.ts';
import { problems } from './text-call.ts';

const search = [['vault_search', { query: 'caching', limit: 3 }]];
const parameters = (prefix = '') =>
  `<${prefix}parameter name="query">caching</${prefix}parameter>\n<${prefix}parameter name="limit">3</${prefix}parameter>`;
const invoke = (prefix = '') => `<${prefix}invoke name="vault_search">\n${parameters(prefix)}\n</${prefix}invoke>`;
const json = '{"name": "vault_search", "arguments": {"query": "caching", "limit": 3}}';
const dsml = (mark: string, name: string) =>
  [
    `<${mark}${name}>`,
    `<${mark}invoke name="vault_search">`,
    `<${mark}parameter name="query" string="true">caching</${mark}parameter>`,
    `<${mark}parameter name="limit" string="false">3</${mark}parameter>`,
    `</${mark}invoke>`,
    `</${mark}${name}>`,
  ].join('\n');

const forms: readonly (readonly [string, string])[] = [
  ['invoke in function_calls', `<function_calls>\n${invoke()}\n</function_calls>`],
  ['invoke in tool_calls', `<tool_calls>${invoke()}</tool_calls>`],
  ['invoke with Anthropic’s namespace', `<function_calls>\n${invoke('antml:')}\n</function_calls>`],
  ['a bare invoke', invoke()],
  ['a bare invoke with the namespace', invoke('antml:')],
  ['an invoke with JSON', '<invoke name="vault_search">{"query": "caching", "limit": 3}</invoke>'],
  ['an invoke in single quotes', invoke().replaceAll('"', "'")],
  ['Hermes', `<tool_call>\n${json}\n</tool_call>`],
  ['Hermes without blanks', `<tool_call>${json}</tool_call>`],
  ['Hermes in tool_calls', `<tool_calls>\n<tool_call>${json}</tool_call>\n</tool_calls>`],
  ['a list in tool_calls', `<tool_calls>[${json}]</tool_calls>`],
  [
    'Hermes with the arguments as text',
    `<tool_call>{"name":"vault_search","arguments":"{\\"query\\":\\"caching\\",\\"limit\\":3}"}</tool_call>`,
  ],
  [
    'Qwen’s functions',
    '<tool_call>\n<function=vault_search>\n<parameter=query>\ncaching\n</parameter>\n<parameter=limit>\n3\n</parameter>\n</function>\n</tool_call>',
  ],
  [
    'GLM’s keys and values',
    '<tool_call>vault_search\n<arg_key>query</arg_key>\n<arg_value>caching</arg_value>\n<arg_key>limit</arg_key>\n<arg_value>3</arg_value>\n</tool_call>',
  ],
  ['DSML', dsml('｜DSML｜', 'function_calls')],
  ['DSML of the next version', dsml('｜DSML｜', 'tool_calls')],
  ['DSML with double bars', dsml('｜｜DSML｜｜', 'tool_calls')],
  ['DSML with plain bars', dsml('|DSML|', 'function_calls')],
  [
    'DeepSeek’s older marks',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>vault_search\n```json\n{"query": "caching", "limit": 3}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  [
    'DeepSeek’s newer marks',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>vault_search<｜tool▁sep｜>{"query": "caching", "limit": 3}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  ['inline', 'vault_search{"query": "caching", "limit": 3}'],
  ['inline over several lines', 'vault_search{\n  "query": "caching",\n  "limit": 3\n}'],
];

describe.each(forms)('%s', (_name, form) => {
  it('is found and not shown', () => {
    expect(filter(`Let me look. ${form} Done.`)).toMatchObject({ text: 'Let me look.  Done.', inputs: search });
  });

  it('is found letter by letter, and never is a piece of it shown', () => {
    const { text, inputs, segments } = filter([...`Let me look. ${form}\nDone.`]);

    expect(text).toBe('Let me look. \nDone.');
    expect(inputs).toEqual(search);
    expect(segments.filter(({ type }) => type === 'markup').length).toBeGreaterThan(1);
  });

  it('is found twice, one after the other', () => {
    expect(filter(`${form}\n${form}`).inputs).toEqual([...search, ...search]);
  });

  it('is shown in a fenced block', () => {
    const quoted = `So it is written:\n\`\`\`xml\n${form.replaceAll('```', "'''")}\n\`\`\`\n`;
    expect(filter(quoted)).toMatchObject({ text: quoted, calls: [] });
    expect(filter([...quoted, ...form])).toMatchObject({ text: quoted, inputs: search });
  });
});

describe('several calls', () => {
  it('in one wrapper keep their order', () => {
    const { text, inputs } = filter(
      'Both.<function_calls>\n<invoke name="vault_list">\n</invoke>\n<invoke name="vault_read"><parameter name="path">a.md</parameter></invoke>\n</function_calls>',
    );

    expect(text).toBe('Both.');
    expect(inputs).toEqual([
      ['vault_list', {}],
      ['vault_read', { path: 'a.md' }],
    ]);
  });

  it('in one Hermes element are all made', () => {
    expect(
      filter('<tool_call>\n{"name":"vault_list"}\n{"name":"vault_read","arguments":{"path":"b"}}\n</tool_call>!'),
    ).toMatchObject({
      text: '!',
      inputs: [
        ['vault_list', {}],
        ['vault_read', { path: 'b' }],
      ],
    });
  });

  it('follow each other inline without a blank', () => {
    expect(filter('vault_list{}vault_read{"path":"a"}').inputs).toHaveLength(2);
  });
});

describe('the values of a call', () => {
  it('may hold anything but their own closing tag', () => {
    const body = 'if (a < b && c > d) { </invoke> </function_calls> <invoke name="x"> "quoted" }';
    const written = `<function_calls><invoke name="vault_write"><parameter name="body">${body}</parameter></invoke></function_calls>`;

    expect(filter([...written])).toMatchObject({ text: '', inputs: [['vault_write', { body }]] });
  });

  it('in JSON may hold closing tags', () => {
    const body = 'about </tool_call> and \\"}{';
    const { text, inputs } = filter([
      ...`<tool_call>{"name":"vault_write","arguments":{"body":"${body}"}}</tool_call>.`,
    ]);

    expect(text).toBe('.');
    expect(inputs).toEqual([['vault_write', { body: 'about </tool_call> and "}{' }]]);
  });

  it('are texts where the tool wants texts, whatever they look like', () => {
    expect(filter('<invoke name="vault_search"><parameter name="query">42</parameter></invoke>').inputs).toEqual([
      ['vault_search', { query: '42' }],
    ]);
    expect(
      filter('<invoke name="other"><parameter name="a">42</parameter><parameter name="b">[1]</parameter></invoke>')
        .inputs,
    ).toEqual([['other', { a: 42, b: [1] }]]);
  });

  it('lose the line breaks around them, and no more', () => {
    expect(
      filter('<invoke name="vault_write"><parameter name="body">\n\n# Title\n\n</parameter></invoke>').inputs,
    ).toEqual([['vault_write', { body: '\n# Title\n' }]]);
  });
});

describe('ordinary text passes unchanged', () => {
  it.each([
    ['if (a < b) return a << 2;'],
    ['<table><tr><td>1</td></tr></table> <i>x</i> <a href="#">y</a> <invoice/>'],
    ['One may invoke the tool; <invoke> alone means nothing, nor does <invoke name="vault_search"> as such.'],
    ['The tag <tool_call> opens a call, </tool_call> closes it. <function_calls> wraps several.'],
    ['<function_call>{"action": "vault_search"}</function_call>'],
    ['vault_search is a tool, and so are vault_read{…} and vault_list {"folder": ""}.'],
    ['my_vault_search{"query": "x"} and vault_searching{"query": "x"}'],
    ['{"name": "vault_search", "arguments": {"query": "x"}}'],
    ['unknown_tool{"query": "x"}'],
    ['vault_search{query}'],
    ['A half tag at the end: <tool_cal'],
    ['A word at the end: vault_sea'],
    ['```\n<tool_call>{"name":"x"}</tool_call>\nvault_list{}\n```'],
    ['~~~xml\n<invoke name="x"></invoke>\n~~~\nand'],
    ['  - list\n    ```\n    vault_list{}\n    ```\n'],
    ['|DSML| <|DSML| <｜｜'],
    ['<\n<<<<>>'],
    [''],
  ])('%j', (text) => {
    expect(filter(text)).toMatchObject({ text, calls: [] });
    expect(filter([...text])).toMatchObject({ text, calls: [] });
  });

  it.each([
    ['Hello < world', 'Hello < world'],
    ['Hello <tab', 'Hello <tab'],
    ['Hello <to', 'Hello '],
    ['Hello vault_', 'Hello '],
    ['Hello vaults', 'Hello vaults'],
    ['Hello vault_search{', 'Hello '],
    ['Hello vault_search{q', 'Hello vault_search{q'],
    ['Hello <function_calls> is', 'Hello <function_calls> is'],
  ])('and at once, unless it may become a call: %s', (piece, shown) => {
    expect(shownAtOnce(piece)).toBe(shown);
  });

  it('after a fence was closed, calls are calls again', () => {
    expect(filter('```\ncode\n```\nvault_list{}')).toMatchObject({
      text: '```\ncode\n```\n',
      inputs: [['vault_list', {}]],
    });
    expect(filter('a ``` b\nvault_list{}').inputs).toHaveLength(1);
  });
});

describe('a malformed call', () => {
  it.each([
    [
      'JSON with a slip',
      '<tool_call>{"name": "vault_search", "arguments": {"query": }}</tool_call> ok',
      ' ok',
      'vault_search',
    ],
    [
      'JSON with a quotation mark too many',
      '<tool_call>{"name": "vault_search", "arguments": {"query": "say "hi""}}</tool_call> ok',
      ' ok',
      'vault_search',
    ],
    ['JSON without a name', '<tool_call>{"arguments": {}}</tool_call> ok', ' ok', 'unnamed_tool'],
  ])('of %s is answered with what to fix', (_what, written, text, name) => {
    for (const pieces of [written, [...written]]) {
      expect(filter(pieces)).toMatchObject({ text, inputs: [[name, problems.notJson]] });
    }
  });

  it('with words between its tags is answered, and they are not lost', () => {
    const { text, calls } = filter('<invoke name="vault_read"><parameter name="path">a</parameter> oops </invoke> ok');

    expect(text).toBe(' ok');
    expect(calls).toMatchObject([{ name: 'vault_read', problem: problems.unreadable, input: '{"path":"a"}oops ' }]);
  });

  it('lacking brackets at its end is mended', () => {
    expect(filter('<tool_call>{"name": "vault_read", "arguments": {"path": "a"}</tool_call>').inputs).toEqual([
      ['vault_read', { path: 'a' }],
    ]);
    expect(filter('<tool_call>{"name": "vault_list"}}</tool_call>!')).toMatchObject({
      text: '!',
      inputs: [['vault_list', {}]],
    });
  });

  it('without its closing tags is complete when its arguments are', () => {
    expect(filter('<function_calls><invoke name="vault_read"><parameter name="path">a</parameter>').inputs).toEqual([
      ['vault_read', { path: 'a' }],
    ]);
    expect(filter('<tool_call>{"name": "vault_list"}').inputs).toEqual([['vault_list', {}]]);
    expect(filter('<invoke name="vault_read"><parameter name="path">a</invoke> and text')).toMatchObject({
      text: ' and text',
      inputs: [['vault_read', { path: 'a' }]],
    });
  });

  it.each([
    ['<function_calls><invoke name="vault_read"><parameter name="path">a.m'],
    ['<function_calls>\n<invoke name="vault_read'],
    ['<tool_call>{"name": "vault_read", "argu'],
    ['vault_read{"path": "a'],
    ['<tool_call><function=vault_read><parameter=path>a'],
    ['<｜tool▁call▁begin｜>vault_read<｜tool▁sep｜>{"path": '],
  ])('that was cut off is answered as cut off: %s', (written) => {
    const { text, calls } = filter([...written]);

    expect(text).toBe('');
    expect(calls).toMatchObject([{ name: expect.stringMatching(/vault_read|unnamed_tool/), problem: problems.cutOff }]);
  });

  it('leaves no closing tag behind', () => {
    expect(filter('<function_calls>\n<invoke name="vault_list"></invoke>\nNow I wait.\n</function_calls>\n').text).toBe(
      '\nNow I wait.\n\n',
    );
  });

  it('inline that turns out to be no JSON is text', () => {
    expect(filter([...'vault_search{"query": what}'])).toMatchObject({
      text: 'vault_search{"query": what}',
      calls: [],
    });
    expect(filter('vault_list{"a" <tool_call>{"name":"vault_list"}</tool_call>')).toMatchObject({
      text: 'vault_list{"a" ',
      inputs: [['vault_list', {}]],
    });
  });
});
