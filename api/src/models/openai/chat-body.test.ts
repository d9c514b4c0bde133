import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../model-port.ts';
import { translatePrompt } from '../prompt-translation.ts';
import { ChatBody } from './chat-body.ts';

function bodyOf(messages: readonly ModelMessage[], modelId = 'a-model') {
  const options: LanguageModelV4CallOptions = { prompt: translatePrompt(messages), maxOutputTokens: 10 };
  return JSON.parse(new ChatBody(modelId).write(options, { extra: {}, newerCap: false }));
}

describe('the body of a request', () => {
  const call = { callId: 'a', name: 'vault_read', arguments: { path: 'a.md' } };
  const failed = { callId: 'b', name: 'vault_list', ok: false, text: 'No folder.' };
  const marks = { chatCompletions: { asContent: true, modelId: 'a-model' } };
  const continuation = [{ text: 'I should read it.', marks }];
  const messages: readonly ModelMessage[] = [
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'What is in it?' },
    { role: 'assistant', text: '', toolCalls: [call], continuation },
    { role: 'tool', results: [{ callId: 'a', name: 'vault_read', ok: true, text: '{"text":"Hi"}' }, failed] },
  ];

  it('holds the whole conversation', () => {
    expect(bodyOf(messages).messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is in it?' },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'I should read it.',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'vault_read', arguments: '{"path":"a.md"}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: '{"text":"Hi"}' },
      { role: 'tool', tool_call_id: 'b', content: 'No folder.' },
    ]);
  });

  it('shows reasoning only to the model it came from', () => {
    expect(bodyOf(messages, 'another-model').messages[2]).not.toHaveProperty('reasoning_content');
  });

  it('offers no tools and no choice of them when there are none', () => {
    expect(Object.keys(bodyOf(messages)).sort()).toEqual([
      'max_tokens',
      'messages',
      'model',
      'stream',
      'stream_options',
    ]);
  });

  it('writes each message once, however often it is sent', () => {
    let written = 0;
    const counted = { path: 'a.md', toJSON: () => ({ number: ++written }) };
    const prompt = translatePrompt([{ role: 'assistant', text: '', toolCalls: [{ ...call, arguments: {} }] }]);
    const [message] = prompt;
    if (message?.role === 'assistant')
      for (const part of message.content) if (part.type === 'tool-call') part.input = counted;
    const body = new ChatBody('a-model');

    for (let turn = 0; turn < 5; turn++) body.write({ prompt }, { extra: {}, newerCap: false });

    expect(written).toBe(1);
  });
});
