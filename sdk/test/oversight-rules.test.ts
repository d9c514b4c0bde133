import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOversight } from '../src/oversight.ts';
import { type OversightKit, startOversightKit } from './oversight-kit.ts';

let kit: OversightKit;
beforeAll(async () => {
  kit = await startOversightKit();
});
afterAll(() => kit.stop());

describe('the oversight of rules', () => {
  const text = (message: string) =>
    `id = "calm"\nname = "Calm"\ntrigger = "TURN_START"\n[action.set_state]\nkey = "said"\nvalue = "${message}"\n`;

  it('writes, checks, tries, switches and deletes them', async () => {
    const { rules } = kit.oversight;
    const mine = makeOversight(kit.client).rules;

    expect(await rules.check({ text: text('{{ trn }}') })).toMatchObject({ valid: false, problems: [{ line: 6 }] });
    expect(await rules.save({ text: text('hello') })).toMatchObject({ __typename: 'Rule', version: 1 });
    expect((await rules.get('calm'))?.versions).toHaveLength(1);
    expect((await rules.list({ first: 100 })).edges.map(({ node }) => node.id)).toContain('calm');
    const walked: string[] = [];
    for await (const { id } of rules.all({ first: 2 })) walked.push(id);
    expect(walked).toContain('calm');
    expect(await rules.problems()).toEqual([]);
    expect((await rules.words('TURN_START')).length).toBeGreaterThan(20);
    expect(await rules.test({ ruleId: 'calm' })).toMatchObject({ __typename: 'RuleTest', turns: [3] });

    expect(await mine.setEnabled({ ruleId: 'calm', enabled: false })).toMatchObject({ enabledForMe: false });
    expect(await mine.setEnabled({ ruleId: 'calm' })).toMatchObject({ enabledForMe: true });
    expect(await mine.setState({ ruleId: 'calm', key: 'said', value: 'hi' })).toMatchObject({ values: { said: 'hi' } });
    expect(await mine.state({ ruleId: 'calm' })).toMatchObject({ values: { said: 'hi' } });

    expect((await rules.firings({ ruleId: 'calm' })).totalCount).toBe(0);
    for await (const firing of rules.allFirings({ ruleId: 'calm' })) expect(firing).toBeUndefined();
    expect(await rules.delete('calm')).toBe(true);
    expect(await rules.get('calm')).toBeNull();
  });
});
