import { describe, expect, it } from 'vitest';
import { closing, reply, type Step, step } from '../../test/kit/model-replies.ts';
import { seeded } from '../../test/oracle/kit/seeded.ts';
import { callModel } from './call-model.ts';
import type { ModelEvent, ToolDeclaration } from './model-port.ts';
import { type Heard, request, useAsking } from './test/asking.ts';

const asking = useAsking();

const properties = { query: { type: 'string' }, limit: { type: 'integer' } };
const tools: readonly ToolDeclaration[] = [
  { name: 'vault_search', description: 'Find.', inputSchema: { type: 'object', properties } },
  { name: 'vault_list', description: 'List.', inputSchema: { type: 'object' } },
];
const call = '<tool_call>{"name": "vault_search", "arguments": {"query": "größer 🙂", "limit": 2}}</tool_call>';
const found = { name: 'vault_search', arguments: { query: 'größer 🙂', limit: 2 } };

function reasoningOf({ events }: Heard): string {
  return events.map((event) => (event.type === 'reasoning-delta' ? event.text : '')).join('');
}

/** A reply whose bytes are cut wherever the seed says. */
function cutReply(steps: readonly Step[], seed: number) {
  const random = seeded(seed);
  const bytes = Buffer.concat(steps.flatMap((one) => (one.do === 'send' ? [Buffer.from(one.bytes)] : [])));
  const pieces: Step[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + Math.floor(random() * 60);
    pieces.push(step.raw(bytes.subarray(at, end)));
    at = end;
  }
  return reply.stream(pieces);
}

describe('a call written as text', () => {
  it.each([1, 2, 3])('in the answer is told as a call, however it arrives (%i)', async (seed) => {
    const letters = [...`Let me look.\n${call}\nSoon.`].map(step.text);
    asking.server.script(cutReply([...letters, ...closing('stop')], seed));
    const heard = await asking.ask({ tools });

    expect(heard.text).toBe('Let me look.\n\nSoon.');
    expect(heard.calls).toMatchObject([{ ...found, callId: 'call_1_1' }]);
    expect(heard.finish).toMatchObject({ kind: 'stop' });
  });

  it('in the reasoning too, and the two do not mix', async () => {
    asking.server.script(
      reply.stream([
        step.reasoning('I should search. <tool_'),
        step.reasoning(call.slice('<tool_'.length)),
        step.reasoning(' And then? <tool'),
        step.text('_call> is a tag, '),
        step.text('vault_list{}'),
        ...closing('stop'),
      ]),
    );
    const heard = await asking.ask({ tools });

    expect(reasoningOf(heard)).toBe('I should search.  And then? <tool');
    expect(heard.text).toBe('_call> is a tag, ');
    expect(heard.calls).toMatchObject([found, { name: 'vault_list', arguments: {} }]);
    expect(new Set(heard.calls.map(({ callId }) => callId)).size).toBe(2);
    const order = heard.events.map((event) => event.type).filter((type) => type !== 'arguments-delta');
    expect(order.lastIndexOf('reasoning-delta')).toBeLessThan(order.indexOf('text-delta'));
  });

  it('stands beside native ones', async () => {
    asking.server.script(
      reply.stream([
        step.text(`${call} vault`),
        step.toolCall({ id: 'native', name: 'vault_list', arguments: {} }),
        ...closing('tool_calls'),
      ]),
    );
    const heard = await asking.ask({ tools });

    expect(heard.text).toBe(' vault');
    expect(heard.calls.map(({ callId }) => callId)).toEqual(['call_1_1', 'native']);
  });

  it('that is malformed or cut off says what to fix', async () => {
    asking.server.script(
      reply.text(
        '<tool_call>{"name": "vault_search", "arguments": {"query": oops}}</tool_call> Ha. vault_list{"folder": "',
      ),
    );
    const heard = await asking.ask({ tools });

    expect(heard.text).toBe(' Ha. ');
    expect(heard.calls).toMatchObject([
      { name: 'vault_search', problem: expect.stringContaining('not valid JSON') },
      { name: 'vault_list', problem: expect.stringContaining('cut off') },
    ]);
    expect(heard.calls.filter((one) => 'arguments' in one)).toEqual([]);
  });

  it('is not shown either when the tools are withheld', async () => {
    asking.server.script(reply.text(`Well. ${call} vault_list{}`));
    const heard = await asking.ask({ tools: [], withheldTools: tools });

    expect(heard.text).toBe('Well.  ');
    expect(heard.calls).toHaveLength(2);
  });

  it('is text where there are no tools at all', async () => {
    asking.server.script(reply.text(call));

    expect(await asking.ask({ tools: [] })).toMatchObject({ text: call, calls: [] });
  });

  it('counts while it is written, so that a budget can stop it', async () => {
    asking.server.script(reply.text([...call]));
    const { events } = await asking.ask({ tools });

    const counted = events.map((event) => (event.type === 'arguments-delta' ? event.text : '')).join('');
    expect(counted).toBe(call);
  });

  it('is not made when the reply then fails', async () => {
    asking.server.script(
      reply.stream([step.text('So: vault_list{"folder": "'), step.error({ code: 400, message: 'No.' }), step.done()]),
    );
    const heard = await asking.ask({ tools });

    expect(heard.failure).toBeDefined();
    expect(heard).toMatchObject({ text: 'So: ', calls: [] });
  });
});

describe('what might have become a call', () => {
  it.each([
    ['drops the connection', [step.break()]],
    ['reports an error', [step.error({ code: 502, message: 'Lost it.' }), step.done()]],
  ])('is told as text when the provider %s', async (_how, end: readonly Step[]) => {
    asking.server.script(reply.stream([step.text('Look into the vault'), step.text('_sea'), ...end]));
    const heard = await asking.ask({ tools });

    expect(heard.text).toBe('Look into the vault_sea');
    expect(heard.failure).toBeDefined();
    expect(heard.calls).toEqual([]);
  });

  it('is told as text when the run is stopped', async () => {
    asking.server.script(reply.stream([step.text('Look into the vault'), step.hang()]));
    const stop = new AbortController();
    let text = '';
    await callModel(asking.model, request({ tools, signal: stop.signal }), (event) => {
      if (event.type === 'text-delta') text += event.text;
      stop.abort();
      return undefined;
    });

    expect(text).toBe('Look into the vault');
  });

  it('is told with all of the delta that it came in when the run is stopped meanwhile', async () => {
    asking.server.script(reply.stream([step.text(`${call} Then more.`), step.hang()]));
    const stop = new AbortController();
    const events: ModelEvent[] = [];
    await callModel(asking.model, request({ tools, signal: stop.signal }), (event) => {
      events.push(event);
      stop.abort();
      return undefined;
    });

    expect(events.map(({ type }) => type)).toContain('tool-call');
    expect(events.at(-1)).toEqual({ type: 'text-delta', text: ' Then more.' });
  });

  it('is not made a call when the reply breaks off in the middle of it', async () => {
    asking.server.script(reply.stream([step.text('So: '), step.text(call.slice(0, -15)), step.break()]));
    const heard = await asking.ask({ tools });

    expect(heard.text).toBe('So: ');
    expect(heard.calls).toEqual([]);
  });
});
