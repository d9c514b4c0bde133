import { describe, expect, it } from 'vitest';
import { AgentConfigSchema } from '../agent/config.ts';
import { type Ending, endingOf } from '../agent/ending.ts';
import { closingWords } from '../agent/explanation.ts';
import { initialState } from '../agent/state.ts';
import type { TerminationReason } from '../agent/termination.ts';
import type { ExchangeToolCall } from '../store/entities/exchange.ts';
import { leftWork, startOfRow, type TellableExchange, tellHistory } from './telling.ts';

const state = {
  ...initialState({ userId: 'u', projectId: 'p', config: AgentConfigSchema.parse({}), now: 0 }),
  turn: 3,
};

function endedBy(reason: TerminationReason): Ending {
  return endingOf(state, { reason, unfinishedTools: [], saved: { contentCharacters: 0, toolCalls: 0, sources: 0 } });
}

/** An exchange as it is saved, with the closing words where there are some. */
function exchange(
  kind: TellableExchange['kind'],
  question: string,
  written: string,
  reason: TerminationReason = 'COMPLETED',
): TellableExchange {
  const answer = `${written}${closingWords(state, reason, written.trim() !== '') ?? ''}`;
  return { kind, question, answer, partial: reason !== 'COMPLETED', ending: endedBy(reason) };
}

describe('history', () => {
  it('tells questions with their answers, and the last word of a limit where nothing followed it', () => {
    const limited = exchange('ASK', 'two', 'so far', 'TIMEOUT');

    expect(tellHistory([exchange('ASK', 'one', 'yes'), limited])).toEqual([
      { question: 'one', answer: 'yes', partial: false },
      { question: 'two', answer: limited.answer, partial: true },
    ]);
    expect(limited.answer).toMatch(/^so far\n\nStopped at the time limit/);
  });

  it('joins what goes on with it, without the words of the limits in between', () => {
    const path = [
      exchange('ASK', 'one', 'a', 'MAX_ITERATIONS'),
      exchange('CONTINUE', 'one', '', 'NO_PROGRESS'),
      exchange('CONTINUE', 'one', 'c', 'CANCELLED'),
      exchange('CONTINUE', 'one', 'd'),
      exchange('ASK', 'two', 'e'),
    ];

    expect(tellHistory(path)).toEqual([
      { question: 'one', answer: 'a\n\nc\n\nd', partial: false },
      { question: 'two', answer: 'e', partial: false },
    ]);
    expect(tellHistory(path.slice(0, 3))).toEqual([{ question: 'one', answer: 'a\n\nc', partial: true }]);
  });

  it('lets an answer given now stand for what came before it, unless it was cut off itself', () => {
    const start = exchange('ASK', 'one', 'a', 'TIMEOUT');

    expect(tellHistory([start, exchange('ANSWER_NOW', 'one', 'whole')])).toEqual([
      { question: 'one', answer: 'whole', partial: false },
    ]);
    expect(tellHistory([start, exchange('ANSWER_NOW', 'one', 'ha', 'CANCELLED')])).toEqual([
      { question: 'one', answer: 'a\n\nha', partial: true },
    ]);
  });

  it('has the question even when it begins in the middle', () => {
    const path = [exchange('CONTINUE', 'one', 'b'), exchange('ASK', 'two', 'c')];

    expect(tellHistory(path)[0]).toEqual({ question: 'one', answer: 'b', partial: false });
    expect(startOfRow(path)).toBe(1);
    expect(startOfRow(path.slice(0, 1))).toBe(0);
  });
});

describe('what an exchange leaves', () => {
  it('is every call with what came of it; one that never ran leaves nothing', () => {
    const call = (callId: string, rest: Partial<ExchangeToolCall>): ExchangeToolCall => ({
      ...{ callId, name: 'look', arguments: { callId }, turn: 1, fate: 'succeeded', answerLength: 0 },
      ...rest,
    });
    const left = leftWork(exchange('ASK', 'one', 'a', 'TIMEOUT'), [
      call('1', { result: { hits: [1] } }),
      call('2', { result: 'text' }),
      call('3', { fate: 'failed', error: 'No.' }),
      call('4', { fate: 'not-run' }),
      call('5', { fate: 'unknown', error: 'The server stopped.' }),
      call('6', { fate: 'stopped' }),
    ]);

    expect(left.answer).toBe('a');
    expect(left.calls.map(({ ok, result }) => [ok, result])).toEqual([
      [true, '{"hits":[1]}'],
      [true, 'text'],
      [false, 'No.'],
      [false, 'The server stopped.'],
      [false, expect.stringContaining('not known')],
    ]);
  });
});
