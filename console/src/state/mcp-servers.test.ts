import type { McpServerFragment } from '@oracle-agent/sdk/documents';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftOf, inputToAdd, inputToUpdate, isWholeNumber, problemOf } from './mcp-server-draft.ts';
import { accessOf, approvable, approvalsOf, byName, countOf, type McpTool, placeOf } from './mcp-servers.ts';

const server: McpServerFragment = {
  __typename: 'McpServer',
  id: 'one',
  name: 'notes',
  transport: 'STDIO',
  url: null,
  command: 'node',
  args: ['server.js', 'two\nlines'],
  environmentNames: ['KEY', 'TOKEN'],
  headerNames: [],
  enabled: true,
  everyone: false,
  timeoutSeconds: 30,
  status: 'CONNECTED',
  statusReason: null,
  warnings: [],
  version: 3,
  createdAt: '2026-11-01T00:00:00Z',
  updatedAt: '2026-11-01T00:00:00Z',
  users: [{ __typename: 'User', id: 'ada', name: 'Ada', email: 'ada@example.com' }],
  tools: [],
};

function tool(name: string, state: McpTool['state'], available = true): McpTool {
  const definition = {
    __typename: 'McpToolDefinition',
    title: null,
    description: '',
    inputSchema: {},
    annotations: {},
    fingerprint: `print of ${name}`,
  } as const;
  return {
    __typename: 'McpTool',
    name,
    toolName: `notes_${name}`,
    state,
    available,
    approvedAt: null,
    promptTokens: 1,
    approved: state === 'PENDING' ? null : definition,
    present: available ? definition : null,
  };
}

describe('what is sent about a new server', () => {
  const draft = draftOf(undefined);

  it('is only what belongs to the way it is reached', () => {
    const entered = { ...draft, name: ' web ', url: 'https://a.example', command: 'left over', args: 'left over' };
    const secrets = [{ name: 'authorization ', value: 'Bearer x', stored: false }];
    expect(inputToAdd({ ...entered, secrets })).toEqual({
      name: 'web',
      transport: 'HTTP',
      timeoutSeconds: 30,
      url: 'https://a.example',
      headers: [{ name: 'authorization', value: 'Bearer x' }],
    });
    expect(inputToAdd({ ...entered, transport: 'STDIO', args: 'one\n\n two \n' })).toEqual({
      name: 'web',
      transport: 'STDIO',
      timeoutSeconds: 30,
      command: 'left over',
      args: ['one', ' two '],
      environment: [],
    });
  });

  it('holds a timeout only when that is a whole number', () => {
    fc.assert(fc.property(fc.nat(999_999_999), (number) => isWholeNumber(` ${number} `)));
    for (const text of ['', 'soon', '1.5', '-1', '1e3', '12345678901']) expect(isWholeNumber(text)).toBe(false);
  });
});

describe('what is sent about a server that is edited', () => {
  const draft = draftOf(server);

  it('is nothing but its version while nothing was changed', () => {
    expect(inputToUpdate(server, 5, draft)).toEqual({ id: 'one', expectedVersion: 5 });
  });

  it('is what was changed', () => {
    expect(inputToUpdate(server, 3, { ...draft, name: 'other', timeout: '60' })).toEqual({
      id: 'one',
      expectedVersion: 3,
      name: 'other',
      timeoutSeconds: 60,
    });
  });

  it('lists all secrets once one is changed, added or removed; those left empty keep their value', () => {
    const [key, token] = draft.secrets;
    if (!key || !token) throw new Error('there are two');
    const sent = (secrets: typeof draft.secrets) => inputToUpdate(server, 3, { ...draft, secrets }).environment;
    expect(sent([key, { ...token, value: 'new' }])).toEqual([{ name: 'KEY' }, { name: 'TOKEN', value: 'new' }]);
    expect(sent([key])).toEqual([{ name: 'KEY' }]);
    expect(sent([key, { name: 'MORE', value: '', stored: false }])).toEqual([
      { name: 'KEY' },
      { name: 'MORE', value: '' },
    ]);
  });
});

describe('problems', () => {
  it('are found at their field or at a part of it', () => {
    const problems = { fields: { 'args.2': 'too long', url: 'no address' }, general: undefined };
    expect(problemOf(problems, 'args')).toBe('too long');
    expect(problemOf(problems, 'url')).toBe('no address');
    expect(problemOf(problems, 'ur')).toBeUndefined();
  });
});

describe('servers and their tools', () => {
  const tools = [tool('a', 'APPROVED'), tool('b', 'PENDING'), tool('c', 'CHANGED'), tool('d', 'CHANGED', false)];

  it('are counted, and approved as they were looked at', () => {
    expect(countOf(tools)).toEqual({ all: 4, approved: 1, changed: 2 });
    expect(approvalsOf(approvable(tools))).toEqual([
      { name: 'b', fingerprint: 'print of b' },
      { name: 'c', fingerprint: 'print of c' },
    ]);
  });

  it('are told in a line, by name', () => {
    expect(placeOf(server)).toBe('node server.js two\nlines');
    expect(placeOf({ ...server, transport: 'HTTP', url: 'https://a.example' })).toBe('https://a.example');
    expect(accessOf(server)).toEqual({ everyone: false, userIds: ['ada'] });
    expect(byName([{ name: 'b' }, { name: 'a' }]).map(({ name }) => name)).toEqual(['a', 'b']);
  });
});
