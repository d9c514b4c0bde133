import { describe, expect, it } from 'vitest';
import { closing, reply, type Step, step } from '../../test/kit/model-replies.ts';
import type { ModelMessage } from './model-port.ts';
import { question, useAsking } from './test/asking.ts';

const asking = useAsking();

describe('a tool call', () => {
  it.each([
    ['empty', ''],
    ['null', null],
    ['missing', undefined],
    ['the word null', 'null'],
    ['blank', '  '],
  ])('with %s arguments has none', async (_what, given) => {
    asking.server.script(reply.toolCalls([{ name: 'vault_list', arguments: given }]));

    expect((await asking.ask()).calls).toMatchObject([{ name: 'vault_list', arguments: {} }]);
  });

  it('with broken JSON says so, and its siblings stand', async () => {
    asking.server.script(
      reply.toolCalls([
        { name: 'vault_read', arguments: '{"path": ' },
        { name: 'vault_list', arguments: {} },
      ]),
    );

    const { calls } = await asking.ask();

    expect(calls[0]).not.toHaveProperty('arguments');
    expect(calls[0]).toMatchObject({ argumentsText: '{"path": ', problem: expect.stringContaining('not valid JSON') });
    expect(calls[1]).toMatchObject({ arguments: {} });
  });

  it('of 5 MB is refused with a reason', async () => {
    asking.server.script(reply.toolCalls([{ name: 'vault_write', arguments: { body: 'x'.repeat(5_000_000) } }]));

    const { calls } = await asking.ask();

    expect(calls[0]?.problem).toContain('too long');
    expect(calls[0]?.argumentsText.length).toBeLessThan(1_000);
    expect(calls[0]).not.toHaveProperty('arguments');
  });

  it('that never ends is not kept whole', async () => {
    const piece = step.delta({
      tool_calls: [{ index: 0, function: { name: 'vault_write', arguments: 'x'.repeat(100_000) } }],
    });
    asking.server.script(reply.stream([...Array(30).fill(piece), ...closing('tool_calls')]));

    const { events, calls } = await asking.ask();
    const kept = events.reduce((sum, event) => sum + (event.type === 'arguments-delta' ? event.text.length : 0), 0);

    expect(kept).toBeLessThanOrEqual(1_100_000);
    expect(calls).toMatchObject([{ problem: expect.stringContaining('too long') }]);
  });

  it('gets an id of its own when the provider repeats one or leaves it empty', async () => {
    const messages: readonly ModelMessage[] = [
      { role: 'user', text: question },
      { role: 'assistant', text: '', toolCalls: [{ callId: '0', name: 'vault_list', arguments: {} }] },
      { role: 'tool', results: [{ callId: '0', name: 'vault_list', ok: true, text: '{}' }] },
    ];
    const ids = ['0', '', null, 'new', 'new'];
    asking.server.otherwise(
      reply.toolCalls(ids.map((id, index) => ({ id, name: 'vault_read', arguments: { path: `${index}` } }))),
    );

    const callIds = (await asking.ask({ messages })).calls.map(({ callId }) => callId);
    const again = (await asking.ask({ messages })).calls.map(({ callId }) => callId);

    expect(callIds).toEqual(['call_2_1', 'call_2_2', 'call_2_3', 'new', 'call_2_5']);
    expect(again).toEqual(callIds);
  });

  it.each(['', '   '])('without a name (“%s”) gets one that nobody has', async (name) => {
    asking.server.script(reply.toolCalls([{ name, arguments: {} }]));

    expect((await asking.ask()).calls).toMatchObject([{ name: 'unnamed_tool' }]);
  });

  it('counts whatever the finish reason says', async () => {
    asking.server.script(reply.toolCalls([{ name: 'vault_list' }], { finish: 'stop' }));

    expect((await asking.ask()).calls).toHaveLength(1);
  });

  it.each<[string, readonly Step[]]>([
    [
      'under one index',
      [
        step.delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '{"n":1}' } }] }),
        step.delta({ tool_calls: [{ index: 0, id: 'b', function: { name: 'two', arguments: '{"n":2}' } }] }),
      ],
    ],
    [
      'without index and id',
      [
        step.delta({ tool_calls: [{ function: { name: 'one', arguments: '{"n":1}' } }] }),
        step.delta({ tool_calls: [{ function: { name: 'two', arguments: { n: 2 } } }] }),
      ],
    ],
    [
      'piece by piece, in turn',
      [
        step.delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '{"n"' } }] }),
        step.delta({ tool_calls: [{ index: 1, id: 'b', function: { name: 'two', arguments: '{"n"' } }] }),
        step.delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: ':1}' } }] }),
        step.delta({ tool_calls: [{ index: 1, function: { name: '', arguments: ':2}' } }] }),
      ],
    ],
    [
      'under one index, named before they are filled',
      [
        step.delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: '' } }] }),
        step.delta({ tool_calls: [{ index: 0, id: 'b', function: { name: 'two', arguments: '' } }] }),
        step.delta({ tool_calls: [{ index: 0, id: 'a', function: { arguments: '{"n":1}' } }] }),
        step.delta({ tool_calls: [{ index: 0, id: 'b', function: { arguments: '{"n":2}' } }] }),
      ],
    ],
  ])('is told from its sibling when they come %s', async (_how, steps) => {
    asking.server.script(reply.stream([...steps, ...closing('tool_calls')]));

    expect((await asking.ask()).calls).toMatchObject([
      { name: 'one', arguments: { n: 1 } },
      { name: 'two', arguments: { n: 2 } },
    ]);
  });
});
