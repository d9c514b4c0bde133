import { describe, expect, it } from 'vitest';
import { readListedTools } from './tool-definition.ts';

const echo = {
  name: 'echo',
  title: 'Echo',
  description: 'Says it again.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { readOnlyHint: true },
};

const fingerprintOf = (tool: object) => readListedTools([tool]).tools[0]?.fingerprint;

describe('a fingerprint', () => {
  it('is the same for the same words, in whatever order they come', () => {
    const { name, ...rest } = echo;

    expect(fingerprintOf({ ...rest, name, annotations: { ...echo.annotations } })).toBe(fingerprintOf(echo));
  });

  it.each([
    ['name', { ...echo, name: 'echo2' }],
    ['title', { ...echo, title: 'Echoes' }],
    ['description', { ...echo, description: 'Says it again!' }],
    ['argument', { ...echo, inputSchema: { ...echo.inputSchema, required: [] } }],
    [
      'description of an argument',
      { ...echo, inputSchema: { properties: { text: { description: 'Your password' } } } },
    ],
    ['hint', { ...echo, annotations: { readOnlyHint: false } }],
    ['missing hints', { ...echo, annotations: undefined }],
  ])('is another with another %s', (_what, changed) => {
    expect(fingerprintOf(changed)).toMatch(/^[0-9a-f]{64}$/);
    expect(fingerprintOf(changed)).not.toBe(fingerprintOf(echo));
  });
});

describe('a list of tools', () => {
  it('leaves out what cannot be used, and says so', () => {
    const listed = readListedTools([
      echo,
      { ...echo, description: 'Another.' },
      { ...echo, name: 'with space' },
      { ...echo, name: '' },
      { ...echo, name: 'huge', description: 'x'.repeat(60_000) },
      null,
      7,
    ]);

    expect(listed.tools).toMatchObject([{ name: 'echo', description: 'Says it again.' }]);
    expect(listed.warnings).toEqual([
      'Left out: a second tool called echo.',
      'Left out: a tool whose name cannot be used.',
      'Left out: a tool whose name cannot be used.',
      'Left out: huge, because what it says about itself is longer than 50000 characters.',
      'Left out: a tool whose name cannot be used.',
      'Left out: a tool whose name cannot be used.',
    ]);
  });

  it('has an end', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({ ...echo, name: `tool${index}` }));

    expect(readListedTools(many).tools).toHaveLength(200);
    expect(readListedTools(many).warnings).toEqual(['Left out: 4800 tools, because only 200 of a server are used.']);
  });
});
