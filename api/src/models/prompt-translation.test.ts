import { describe, expect, it } from 'vitest';
import type { ModelMessage } from './model-port.ts';
import { translatePrompt, translateTools } from './prompt-translation.ts';

describe('translatePrompt', () => {
  it('translates each message once, ever', () => {
    const messages: readonly ModelMessage[] = [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'Why?' },
    ];

    const first = translatePrompt(messages);
    const later = translatePrompt([...messages, { role: 'assistant', text: 'So.', toolCalls: [] }]);

    expect(later[0]).toBe(first[0]);
    expect(later[1]).toBe(first[1]);
  });

  it('keeps tools too', () => {
    const tools = [{ name: 'vault_list', description: 'List.', inputSchema: { type: 'object' } }];

    expect(translateTools(tools)).toBe(translateTools(tools));
  });

  it('gives names and arguments a form that providers accept', () => {
    const calls = [
      { callId: 'a', name: 'functions.vault list', arguments: 'not an object' },
      { callId: 'b', name: '', arguments: { path: 'a.md' } },
    ];

    const [message] = translatePrompt([{ role: 'assistant', text: '', toolCalls: calls }]);

    expect(message?.content).toEqual([
      { type: 'tool-call', toolCallId: 'a', toolName: 'functions_vault_list', input: {} },
      { type: 'tool-call', toolCallId: 'b', toolName: '_', input: { path: 'a.md' } },
    ]);
  });
});
