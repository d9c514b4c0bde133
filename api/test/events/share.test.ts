import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../src/models/token-estimate.ts';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { calling, noticesOf, type OracleKit } from '../oracle/kit/oracle-kit.ts';
import { useSubscribers } from './kit/subscribers-kit.ts';

let kit: OracleKit;
let user: TestUser;
const { folder, declare } = useSubscribers((started) => {
  ({ kit, user } = started);
});

const calls = 20;
/** The window of a model that nothing is known of, and the share of it that notices may take. */
const room = 64_000 * 0.05;

describe('what notices take of the window', () => {
  it('is a twentieth at most: the least important are counted and come with the next request, and the person is told all', async () => {
    const wordy = (priority: string) =>
      `events = ["tool.call.failure"]\ninject = "TURN_END"\npriority = "${priority}"\ntemplate = "${priority} {error}"`;
    await declare({
      'a-low': wordy('LOW'),
      'b-critical': wordy('CRITICAL'),
      'c-normal': wordy('NORMAL'),
    });
    const missing = Array.from({ length: calls }, (_, index) => ({
      id: `c${index}`,
      name: 'vault_read',
      arguments: { path: Array.from({ length: 42 }, (_one, part) => `${index}x${part}`).join(' ') },
    }));
    const script = kit.script(calling(missing), calling('one'), reply.text('Done.'));
    const told = await kit.ask(user, { config: { maxToolCallsPerTurn: calls } });
    const notice = noticesOf(await script.request(2)).join();
    const next = noticesOf(await script.request(3)).join();
    const mentions = (priority: string, text = notice) => text.split(`${priority} There is no note`).length - 1;
    const toFollow = Number(/(\d+) less important notices to follow\./.exec(notice)?.[1]);

    expect(estimateTokens(notice)).toBeLessThan(room * 1.1);
    expect(estimateTokens(notice)).toBeGreaterThan(room * 0.8);
    expect(mentions('CRITICAL')).toBe(calls);
    expect(mentions('NORMAL')).toBe(calls);
    expect(mentions('LOW')).toBeLessThan(calls);
    expect(mentions('LOW') + toFollow).toBe(calls);
    expect(mentions('LOW', next)).toBe(toFollow);
    const shown = told.system('NOTIFICATION').map(({ message }) => message.split('\n'));
    expect(shown.filter(([first]) => first?.startsWith('LOW')).map(({ length }) => length)).toEqual([calls]);
  });
});

describe('the file of a subscriber', () => {
  it('counts as it is changed from the next turn of a run under way', async () => {
    const steps = (title: string) =>
      `id = "steps"\ntitle = "${title}"\ndescription = "D"\nexample = "E"\nevents = ["agent.turn.end"]\ninject = "TURN_END"\ntemplate = "${title}"\n`;
    await declare({ steps: 'events = ["agent.turn.end"]\ninject = "TURN_END"\ntemplate = "T"' });
    const title = async () => {
      const { notificationSubscribers } = await user.ask<{ notificationSubscribers: { id: string; title: string }[] }>(
        '{ notificationSubscribers { id title } }',
      );
      return notificationSubscribers.find(({ id }) => id === 'steps')?.title;
    };
    kit.script(
      calling('one'),
      async () => {
        folder.write('steps.toml', steps('Changed'));
        await expect.poll(title).toBe('Changed');
        return calling('two');
      },
      reply.text('Done.'),
    );
    const told = await kit.ask(user);

    expect(told.system('NOTIFICATION').map(({ message }) => message)).toEqual(['T', 'T', 'Changed']);
  });
});
