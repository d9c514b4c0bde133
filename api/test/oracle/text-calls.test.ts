import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { transports } from '../kit/live.ts';
import { reply } from '../kit/model-replies.ts';
import { type OracleKit, startOracleKit } from './kit/oracle-kit.ts';
import type { Told } from './kit/told.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

const markup = /<\/?(?:antml:|[|｜]+DSML[|｜]+)?(?:invoke|parameter|tool_call|function_calls)|vault_\w+\{/;

function shown(told: Told): string {
  return [...told.of('ContentChunk'), ...told.of('ThinkingChunk')].map(({ text }) => text).join('');
}

describe.each(transports)('calls written as text, over %s', (_name, transport) => {
  it('are run like others, with sources, and never shown', async () => {
    const told = await kit.ask(user, { model: 'simulated/text-calls', question: 'caching' }, transport);
    const results = told.of('ToolResultChunk');

    expect(told.reason).toBe('COMPLETED');
    expect(results.map(({ name, ok }) => [name, ok])).toEqual([
      ['vault_search', true],
      ['vault_list', true],
      ['vault_read', true],
      ['vault_search', true],
    ]);
    expect(told.of('SourceChunk').length).toBeGreaterThan(0);
    expect(told.of('ThinkingChunk').length).toBeGreaterThan(0);
    expect(shown(told)).not.toMatch(markup);
    expect(told.exchange.answer).toContain('4 calls that were written as text');
  });
});

describe('on the last turn', () => {
  it('they are answered as not offered, and not shown either', async () => {
    const call = '<function_calls><invoke name="vault_list"></invoke></function_calls>';
    kit.script().always(() => reply.text(`Looking. ${call} vault_search{"query": "more"}`));
    const told = await kit.ask(user, { config: { maxIterations: 2 } });
    const last = told.of('ToolCallChunk').filter(({ turn }) => turn === 2);

    expect(last.filter(({ status }) => status === 'NOT_RUN').map(({ name }) => name)).toEqual([
      'vault_list',
      'vault_search',
    ]);
    expect(shown(told)).not.toMatch(markup);
    expect(told.reason).toBe('MAX_ITERATIONS');
  });

  it('a malformed one is a failed call that tells the model what to fix', async () => {
    const script = kit.script(
      reply.text('<tool_call>{"name": "vault_list", "arguments": {"folder": }}</tool_call>'),
      reply.text('Then without it.'),
    );
    const told = await kit.ask(user);
    const second = await script.request(2);

    expect(told.of('ToolResultChunk')).toMatchObject([
      { name: 'vault_list', ok: false, error: expect.stringContaining('not valid JSON') },
    ]);
    expect(second.text).toContain('The call is not valid JSON');
    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'Then without it.' });
  });
});
