import { describe, expect, it } from 'vitest';
import { callModel } from '../call-model.ts';
import type { ModelEvent, ModelMessage } from '../model-port.ts';
import { createOfflineModel } from './offline-model.ts';

const tools = [{ name: 'vault_search', description: 'Find notes.', inputSchema: { type: 'object' } }];
const hits = [
  { path: 'ships/endurance.md', title: 'Endurance', line: 1, snippet: 'The harbour was left in August.', score: 0.9 },
  { path: 'ports/plymouth.md', title: 'Plymouth', line: 3, snippet: 'A harbour in Devon.', score: 0.4 },
];
const notes = [
  {
    path: 'ships/endurance.md',
    title: 'Endurance',
    text: '# Endurance\n\nBuilt in Norway.\n\nThe expedition left the harbour of Plymouth in August 1914.\n',
  },
  { path: 'ports/plymouth.md', title: 'Plymouth', text: '# Plymouth\n\n- A harbour in Devon\n- It rains' },
];

async function turn(messages: readonly ModelMessage[], offered = true) {
  const events: ModelEvent[] = [];
  const request = { messages, tools: offered ? tools : [], maxOutputTokens: 2_000, thinking: false };
  const limits = { signal: new AbortController().signal, deadline: performance.now() + 30_000 };
  for await (const event of callModel(createOfflineModel({ pace: 0 }), { ...request, ...limits })) events.push(event);
  return {
    text: events.map((event) => (event.type === 'text-delta' ? event.text : '')).join(''),
    calls: events.flatMap((event) =>
      event.type === 'tool-call' ? [{ name: event.name, input: event.arguments }] : [],
    ),
  };
}

const asked: ModelMessage = { role: 'user', text: 'Which harbour did the expedition leave from?' };

function used(name: string, results: readonly { ok: boolean; value: unknown }[]): readonly ModelMessage[] {
  const ids = results.map((_, index) => `${name}-${index}`);
  return [
    { role: 'assistant', text: '', toolCalls: ids.map((callId) => ({ callId, name, arguments: {} })) },
    {
      role: 'tool',
      results: results.map(({ ok, value }, index) => ({
        callId: ids[index] ?? '',
        name,
        ok,
        text: ok ? JSON.stringify(value) : String(value),
      })),
    },
  ];
}

const searched = used('vault_search', [{ ok: true, value: { hits } }]);
const searchedInVain = used('vault_search', [{ ok: true, value: { hits: [] } }]);
const read = used(
  'vault_read',
  notes.map((value) => ({ ok: true, value })),
);

describe('the offline model', () => {
  it('searches for the words that matter', async () => {
    expect((await turn([asked])).calls).toEqual([
      { name: 'vault_search', input: { query: 'harbour expedition leave', limit: 6 } },
    ]);
  });

  it('reads what it found', async () => {
    expect((await turn([asked, ...searched])).calls).toEqual([
      { name: 'vault_read', input: { path: 'ships/endurance.md' } },
      { name: 'vault_read', input: { path: 'ports/plymouth.md' } },
    ]);
  });

  it('answers with the passages that fit, numbered, and says that no language model was used', async () => {
    const { text, calls } = await turn([asked, ...searched, ...read]);

    expect(calls).toEqual([]);
    expect(text).toContain('without a language model');
    expect(text).toContain(
      '- The expedition left the harbour of Plymouth in August 1914. [1]\n- A harbour in Devon [2]',
    );
    expect(text).toContain('[1] Endurance (ships/endurance.md)\n[2] Plymouth (ports/plymouth.md)');
    expect(text).not.toContain('Built in Norway');
  });

  it('quotes the search when it may not read any more', async () => {
    const { text, calls } = await turn([asked, ...searched], false);

    expect(calls).toEqual([]);
    expect(text).toContain('The harbour was left in August. [1]');
  });

  it('quotes the search when no note could be read', async () => {
    const failed = used('vault_read', [{ ok: false, value: 'Not run.' }]);

    expect((await turn([asked, ...searched, ...failed])).text).toContain('The harbour was left in August. [1]');
  });

  it('says that nothing was found, and what the vault holds', async () => {
    const listing = { folders: [{ path: 'ships', notes: 4 }], notes: [{ path: 'welcome.md', title: 'Welcome' }] };
    const listed = used('vault_list', [{ ok: true, value: listing }]);

    expect((await turn([asked, ...searchedInVain])).calls).toEqual([{ name: 'vault_list', input: { folder: '' } }]);
    const { text } = await turn([asked, ...searchedInVain, ...listed]);
    expect(text).toContain('nothing on harbour, expedition, leave');
    expect(text).toContain('- ships/ (4 notes)\n- Welcome (welcome.md)');
  });

  it('says that it could not search', async () => {
    const failed = used('vault_search', [{ ok: false, value: 'The database is away.' }]);

    expect((await turn([asked, ...failed])).text).toContain('could not be searched: The database is away.');
    expect((await turn([asked], false)).text).toContain('could not be searched in this turn');
  });

  it('answers the present question, not an earlier one or a notice', async () => {
    const earlier: ModelMessage[] = [asked, ...searched, { role: 'assistant', text: 'From Plymouth.', toolCalls: [] }];
    const messages: ModelMessage[] = [
      ...earlier,
      { role: 'user', text: 'Who built the ship?' },
      { role: 'user', text: '<notice>Approaching a limit.</notice>' },
    ];

    expect((await turn(messages)).calls).toEqual([{ name: 'vault_search', input: { query: 'built ship', limit: 6 } }]);
  });

  it.each(['', '???', 'the'])('has something to say to “%s”', async (text) => {
    const { calls } = await turn([{ role: 'user', text }]);

    expect(calls).toHaveLength(1);
  });
});
