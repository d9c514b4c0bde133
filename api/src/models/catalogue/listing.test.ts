import { describe, expect, it } from 'vitest';
import { readListing } from './listing.ts';

const only = (entry: object) => readListing({ data: [entry] })?.[0];

describe('a list of models', () => {
  it('as OpenRouter writes it: window, tools and reasoning by the parameters that a model takes', () => {
    const entry = {
      id: 'vendor/wise:free',
      name: 'Vendor: Wise (free)',
      context_length: 262_144,
      architecture: { output_modalities: ['text'] },
      supported_parameters: ['max_tokens', 'include_reasoning', 'tools'],
    };

    expect(only(entry)).toEqual({
      id: 'vendor/wise:free',
      title: 'Vendor: Wise (free)',
      window: 262_144,
      tools: true,
      thinking: true,
    });
    expect(only({ ...entry, supported_parameters: ['max_tokens'] })).toMatchObject({ tools: false, thinking: false });
  });

  it('as Anthropic writes it', () => {
    const entry = {
      type: 'model',
      id: 'claude-some-1',
      display_name: 'Claude Some 1',
      max_input_tokens: 1_000_000,
      capabilities: { thinking: { supported: true } },
    };

    expect(only(entry)).toEqual({
      id: 'claude-some-1',
      title: 'Claude Some 1',
      window: 1_000_000,
      tools: undefined,
      thinking: true,
    });
  });

  it.each([
    ['vLLM', { max_model_len: 32_768 }, { window: 32_768 }],
    ['llama.cpp', { meta: { n_ctx_train: 8_192 } }, { window: 8_192 }],
    ['Groq', { context_window: 131_072 }, { window: 131_072 }],
    [
      'Mistral',
      { max_context_length: 128_000, capabilities: { completion_chat: true, function_calling: true } },
      { window: 128_000, tools: true },
    ],
    ['a list of capabilities', { capabilities: ['completion', 'tools'] }, { tools: true, thinking: false }],
    ['plain OpenAI', { object: 'model' }, { window: undefined, tools: undefined, thinking: undefined }],
    ['nonsense', { context_length: '8k', max_model_len: -1, capabilities: 'many' }, { window: undefined }],
  ])('by %s', (_who, entry, expected) => {
    expect(only({ id: 'some', ...entry })).toMatchObject({ id: 'some', title: 'some', ...expected });
  });

  it('holds nothing that cannot answer a question or cannot be named', () => {
    const others = [
      { id: 'text-embedding-3-large' },
      { id: 'whisper-1' },
      { id: 'painter', architecture: { output_modalities: ['image'] } },
      { id: 'embedder', capabilities: { completion_chat: false } },
      { id: 'two words' },
      { id: 7 },
      'text',
      null,
    ];

    expect(readListing({ data: [...others, { id: 'good' }, { id: 'good', name: 'again' }] })).toHaveLength(1);
  });

  it.each([[null], ['models'], [{ error: 'no' }], [{ data: 'none' }]])('is not %j', (answer) => {
    expect(readListing(answer)).toBeUndefined();
  });
});
