import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { defineTool } from '../../src/tools/tool.ts';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { calling, type OracleKit } from '../oracle/kit/oracle-kit.ts';
import type { Told } from '../oracle/kit/told.ts';
import { firingsOf, setState, useRulesKit } from './rule-kit.ts';

const wordy = defineTool({
  name: 'wordy',
  description: 'Answers at length.',
  input: z.object({ n: z.int() }),
  run: async ({ n }) => `${'a'.repeat(3_000)}${n}`,
});

let kit: OracleKit;
let user: TestUser;
const rule = useRulesKit(
  (started) => {
    ({ kit, user } = started);
  },
  { tools: createToolRegistry([wordy]) },
);

const longList = `[${[...Array(50).keys()].join(', ')}]`;
const nested = (levels: number, wrap: (inner: string) => string): string =>
  levels === 0 ? 'turn > 0' : wrap(nested(levels - 1, wrap));

/** As bad as each can be and still be taken. */
const hostile: Readonly<Record<string, string>> = {
  'pairs-of-calls': 'history.tools.exists(a, history.tools.exists(b, a.turn > b.turn + 900))',
  'compared-calls': 'history.tools.all(a, history.tools.all(b, a.name == b.name || true))',
  'long-lists': `${longList}.all(a, ${longList}.all(b, a + b < 99 + turn))`,
  'made-lists': `${longList}.map(a, ${longList}.map(b, a * b)).size() == 50`,
  'deep-choices': nested(20, (inner) => `(${inner} ? true : false)`),
  'deep-negations': nested(22, (inner) => `!(${inner})`),
  'stars-of-stars': 'tool.result.matches("(a*)*b")',
  'plus-of-plus': 'tool.result.matches("((a+)+)+c")',
  'two-ways': 'tool.result.matches("(a|aa)+$")',
  'many-maybes': 'tool.result.matches("(a?){12}b")',
  'all-letters': 'tool.result.split("").size() > 3',
  'measured-often': nested(8, (inner) => `(${inner} && tool.resultTokens + tool.resultTokens > 0)`),
};
const failing = { 'no-such-call': 'history.tools[400].ok', 'no-number': 'int(tool.result) > 3' };

/** All that the person sees of a run, but for names and times. */
function seen({ chunks, text, reason, ending }: Told) {
  const { turns, usage, message } = ending;
  const kinds = chunks.map(({ __typename }) => __typename).filter((name) => name !== 'ContentChunk');
  kinds.sort(); // calls in flight at once may answer in any order
  return { kinds, text, reason, turns, usage, message };
}

describe('rules that are as costly as they may be', () => {
  it('change nothing about a run but that they are reported, and keep no other rule from being asked', async () => {
    const calls = (turn: number) =>
      calling([...Array(20).keys()].map((n) => ({ name: 'wordy', arguments: { n: turn * 100 + n } })));
    const ask = (who: TestUser) => {
      kit.script(calls(1), calls(2), calls(3), reply.text('All was said.'));
      return kit.ask(who, { config: { maxToolCallsPerTurn: 20 } });
    };
    const undisturbed = await ask(await kit.newUser());
    const action = setState('key = "seen"\nvalue = true');
    for (const [id, condition] of Object.entries({ ...hostile, ...failing }))
      await rule(id, { trigger: 'TOOL_COMPLETE', priority: 900, once: true, condition, action });
    await rule('modest', { trigger: 'TOOL_COMPLETE', priority: 1, once: true, action });
    const disturbed = await ask(user);

    expect(seen(disturbed)).toEqual(seen(undisturbed));
    expect(disturbed.reason).toBe('COMPLETED');
    expect(await firingsOf(user, 'modest')).toMatchObject([{ error: null }]);
    for (const id of Object.keys(failing))
      expect([id, await firingsOf(user, id)]).toMatchObject([id, [{ effect: null, error: expect.any(String) }]]);
    // Whether a rule has overrun is the machine's to say; if it has, it was told once, and not asked again.
    for (const id of Object.keys(hostile)) {
      const errors = (await firingsOf(user, id)).flatMap(({ error }) => error ?? []);
      expect([id, errors.filter((error) => !error.includes('longer than 5 ms'))]).toEqual([id, []]);
      expect(errors.length).toBeLessThanOrEqual(1);
    }
  });
});
