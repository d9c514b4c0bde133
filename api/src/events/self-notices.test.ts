import { describe, expect, it } from 'vitest';
import { EventBus } from './bus.ts';
import { type SelfNotice, SelfNotices } from './self-notices.ts';

/** A run with one reminder, made in its first turn. What it has used can be set; `told` counts how often it came. */
function remindedOf(notice: Partial<SelfNotice>) {
  const run = { turn: 1, messages: 1, tokensUsed: 0, promptTokens: 0, told: 0 };
  const bus = new EventBus({
    now: () => 0,
    turn: () => run.turn,
    reportFailure: (error) => {
      throw error;
    },
  });
  const notices = new SelfNotices();
  notices.listen(bus, {
    windowSize: 100,
    turn: () => run.turn,
    messages: () => run.messages,
    tokensUsed: () => run.tokensUsed,
    promptTokens: () => run.promptTokens,
  });
  bus.on('agent.self.notify', () => {
    run.told += 1;
  });
  notices.add({ id: 'n', message: 'Look.', category: 'c', priority: 'NORMAL', ...notice }, run.turn);
  const call = { callId: 'c', tool: 'vault_read', arguments: {}, durationMs: 1 };
  return {
    run,
    nextTurn() {
      run.turn += 1;
      bus.emit('agent.turn.start', { expectedInput: 1, messages: run.messages, tokensUsed: run.tokensUsed });
      return run.told;
    },
    answer(how: 'pending' | 'success' | 'failure' | 'timeout' | 'not_run') {
      bus.emit(`tool.call.${how}`, { ...call, result: '', error: '' });
      return run.told;
    },
  };
}

describe('a reminder for after a tool', () => {
  it.each(['success', 'failure', 'timeout'] as const)('comes with its %s', (how) => {
    expect(remindedOf({ afterTool: 'vault_read' }).answer(how)).toBe(1);
  });

  it.each(['pending', 'not_run'] as const)('does not come while the tool has done nothing: %s', (how) => {
    const { answer, nextTurn } = remindedOf({ afterTool: 'vault_read' });

    expect(answer(how)).toBe(0);
    expect(nextTurn()).toBe(0);
    expect(answer('success')).toBe(1);
  });

  it('and some turns comes with the first answer of the tool after them', () => {
    const { answer, nextTurn } = remindedOf({ afterTool: 'vault_read', afterTurns: 2 });

    expect(answer('success')).toBe(0);
    expect([nextTurn(), nextTurn()]).toEqual([0, 0]);
    expect(answer('success')).toBe(1);
  });
});

describe('a reminder for after some turns and a condition', () => {
  it('does not come before the turns are over, although the condition holds', () => {
    const { run, nextTurn } = remindedOf({ afterTurns: 3, messagesAbove: 5 });
    run.messages = 6;

    expect([nextTurn(), nextTurn(), nextTurn(), nextTurn()]).toEqual([0, 0, 1, 1]);
  });

  it('does not come before the condition holds, although the turns are over', () => {
    const { run, nextTurn } = remindedOf({ afterTurns: 1, tokensAbove: 100 });

    expect([nextTurn(), nextTurn()]).toEqual([0, 0]);
    run.tokensUsed = 101;
    expect(nextTurn()).toBe(1);
  });
});

it('a reminder with several conditions comes when one of them holds', () => {
  const { run, nextTurn } = remindedOf({ contextAbove: 50, tokensAbove: 100 });

  expect(nextTurn()).toBe(0);
  run.promptTokens = 51;
  expect(nextTurn()).toBe(1);
});
