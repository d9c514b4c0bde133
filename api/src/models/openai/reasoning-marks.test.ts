import { describe, expect, it } from 'vitest';
import { closing, reply, step } from '../../../test/kit/model-replies.ts';
import type { ModelMessage } from '../model-port.ts';
import { useAsking } from '../test/asking.ts';

const asking = useAsking();
const call = { callId: 'a', name: 'vault_list', arguments: {} };

/** Two turns: what the model said in the first is shown to it in the second. */
async function secondRequest(...deltas: readonly object[]) {
  const calling = step.toolCall({ id: 'a', name: 'vault_list', arguments: {} });
  asking.server.script(
    reply.stream([...deltas.map(step.delta), calling, ...closing('tool_calls')]),
    reply.text('Done'),
  );
  const { finish } = await asking.ask();
  const continuation = finish?.continuation;
  const said: ModelMessage = {
    role: 'assistant',
    text: '',
    toolCalls: [call],
    ...(continuation === undefined ? {} : { continuation }),
  };
  await asking.ask({ messages: [{ role: 'user', text: 'Go on' }, JSON.parse(JSON.stringify(said))] });
  return (await asking.server.request(2)).body.messages[1];
}

describe('reasoning before a tool call is shown to its model again', () => {
  it('as it came in reasoning_content', async () => {
    const message = await secondRequest({ reasoning_content: 'First ' }, { reasoning_content: 'look.' });

    expect(message).toMatchObject({ reasoning_content: 'First look.' });
  });

  it('as it came in reasoning_details, pieces joined, signatures kept', async () => {
    const message = await secondRequest(
      {
        reasoning: 'First ',
        reasoning_details: [{ type: 'reasoning.text', text: 'First ', index: 0, signature: null }],
      },
      {
        reasoning: 'look.',
        reasoning_details: [{ type: 'reasoning.text', text: 'look.', index: 0, signature: 'signed' }],
      },
      { reasoning_details: [{ type: 'reasoning.encrypted', data: 'secret', index: 1 }] },
    );

    expect(message?.reasoning_details).toEqual([
      { type: 'reasoning.text', text: 'First look.', index: 0, signature: 'signed' },
      { type: 'reasoning.encrypted', data: 'secret', index: 1 },
    ]);
  });

  it('not at all when it came as plain reasoning', async () => {
    expect(Object.keys((await secondRequest({ reasoning: 'Hm.' })) ?? {}).sort()).toEqual([
      'content',
      'role',
      'tool_calls',
    ]);
  });
});
