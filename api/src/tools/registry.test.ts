import { estimateTokenCount } from 'tokenx';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { builtInTools } from './built-in-tools.ts';
import { createToolRegistry } from './registry.ts';
import { defineTool, usualTimeout } from './tool.ts';

const named = (name: string) =>
  defineTool({ name, description: 'Does it.', input: z.object({ count: z.int().default(1) }), run: async () => null });

describe('the registry', () => {
  it('refuses two tools of one name, and names that providers refuse', () => {
    expect(() => createToolRegistry([named('one'), named('one')])).toThrow('Two tools are called "one".');
    expect(() => named('No Such Name')).toThrow('"No Such Name" is no tool name');
  });

  it('declares what a model needs, with defaults as optional', () => {
    expect(createToolRegistry([named('one')]).declarations).toEqual([
      {
        name: 'one',
        description: 'Does it.',
        inputSchema: {
          type: 'object',
          properties: {
            count: { type: 'integer', default: 1 },
          },
        },
      },
    ]);
  });

  it('gives every tool the usual timeout and no flags, unless it says otherwise', () => {
    expect(named('one')).toMatchObject({
      timeoutMs: usualTimeout,
      repeatable: false,
      idempotent: false,
      sideEffect: false,
    });
    expect(builtInTools.find('vault_write')).toMatchObject({ idempotent: true, sideEffect: true });
  });
});

describe('the built-in tools', () => {
  it('leave most of the fixed part of the prompt to the instructions', () => {
    expect(builtInTools.names).toContain('vault_search');
    expect(estimateTokenCount(JSON.stringify(builtInTools.declarations))).toBeLessThan(1_250);
  });

  it('take no project from the model', () => {
    expect(JSON.stringify(builtInTools.declarations)).not.toMatch(/project|user/i);
  });
});
