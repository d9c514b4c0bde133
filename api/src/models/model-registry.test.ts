import { describe, expect, it } from 'vitest';
import { createModels, UnknownModel } from './model-registry.ts';

const bare = createModels({});
const nowhere = 'http://127.0.0.1:1/v1';
const full = createModels(
  { OPENROUTER_API_KEY: 'key-1', ANTHROPIC_API_KEY: 'key-2', ORACLE_OPENAI_BASE_URL: nowhere },
  { addresses: { openRouter: nowhere, anthropic: nowhere } },
);

function refusal(name: string, models = bare): string {
  const found = models.find(name);
  return found instanceof UnknownModel ? found.message : '';
}

describe('the models', () => {
  it.each([
    ['offline', 'built-in', 'offline'],
    ['simulated/loop', 'built-in', 'simulated/loop'],
    ['openrouter/moonshotai/kimi-k2:free', 'openrouter', 'moonshotai/kimi-k2:free'],
    ['openai/llama3', 'openai-compatible', 'llama3'],
    ['anthropic/claude-x', 'anthropic.messages', 'claude-x'],
  ])('include %s', (name, provider, modelId) => {
    expect(full.find(name)).toMatchObject({ specificationVersion: 'v4', provider, modelId });
  });

  it.each([
    ['openrouter/a/b', 'OPENROUTER_API_KEY'],
    ['anthropic/claude-x', 'ANTHROPIC_API_KEY'],
    ['openai/llama3', 'ORACLE_OPENAI_BASE_URL'],
  ])('say what %s lacks', (name, variable) => {
    expect(refusal(name)).toContain(variable);
  });

  it.each(['gpt-9', 'openai/', 'simulated/unheard-of', '', 'toString'])(
    'do not know “%s”, and say what there is',
    (name) => {
      expect(refusal(name)).toMatch(/^There is no model .* Available: .*offline, simulated\/answer/);
    },
  );

  it('guess what was meant', () => {
    expect(refusal('simulated/lop')).toContain('Did you mean simulated/loop');
    expect(refusal('ofline')).toContain('Did you mean offline?');
  });

  it('never mention a key', async () => {
    expect(refusal('nothing', full) + JSON.stringify(await full.catalogue())).not.toContain('key-');
  });
});
