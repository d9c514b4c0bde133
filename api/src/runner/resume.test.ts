import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../models/model-port.ts';
import { type EarlierCall, type EarlierWork, resumedMessages } from './resume.ts';

/** As many tokens as characters, to count by hand. */
const measure = (message: ModelMessage): number => {
  if (message.role === 'assistant') return message.text.length + JSON.stringify(message.toolCalls).length;
  if (message.role === 'tool') return message.results.reduce((sum, { text }) => sum + text.length, 0);
  return message.text.length;
};
const told = (work: readonly EarlierWork[], room = 1_000_000) =>
  resumedMessages(work, { resumption: 'continue', room, measure });
const call = (turn: number, answerLength: number, result = `result of ${turn}`): EarlierCall => ({
  ...{ name: 'look', arguments: { turn }, turn, ok: true, result, answerLength },
});

/** What was said, called and answered, in short. */
const short = (messages: readonly ModelMessage[]) =>
  messages.map((message) => {
    if (message.role === 'tool') return message.results.map(({ text }) => text);
    return message.role === 'assistant' ? `${message.text}|${message.toolCalls.length}` : message.role;
  });

describe('earlier work', () => {
  it('is told turn by turn, each call with its result, and then to go on', () => {
    const work = [{ answer: 'One. Two. Three', calls: [call(1, 5), call(1, 5, 'other'), call(2, 10)] }];

    expect(short(told(work))).toEqual([
      'One. |2',
      ['result of 1', 'other'],
      'Two. |1',
      ['result of 2'],
      'Three|0',
      'user',
    ]);
  });

  it('of several runs reads as that of one: words with no call behind them join what follows', () => {
    const work = [
      { answer: 'A', calls: [] },
      { answer: 'B', calls: [call(1, 1)] },
      { answer: '', calls: [call(1, 0)] },
      { answer: ' ', calls: [] },
      { answer: 'C', calls: [] },
    ];

    expect(short(told(work))).toEqual(['A\n\nB|1', ['result of 1'], '|1', ['result of 1'], 'C|0', 'user']);
  });

  it('that left nothing is begun anew', () => {
    expect(told([{ answer: ' \n', calls: [] }])).toEqual([
      { role: 'user', text: expect.stringMatching(/^<notice>.*anew.*<\/notice>$/) },
    ]);
  });

  it('loses the oldest results first when there is no room for all', () => {
    const long = 'x'.repeat(2_000);
    const work = [{ answer: '', calls: [call(1, 0, long), call(2, 0, long), call(3, 0, long)] }];
    const lengths = (room: number) =>
      told(work, room).flatMap((message) =>
        message.role === 'tool' ? message.results.map(({ text }) => text.length) : [],
      );

    expect(lengths(10_000)).toEqual([2_000, 2_000, 2_000]);
    expect(lengths(5_200)).toEqual([expect.toSatisfy((length: number) => length < 700), 2_000, 2_000]);
    expect(lengths(3_500)[2]).toBe(2_000);
    expect(Math.max(...lengths(1_000))).toBeLessThan(700);
    expect(lengths(10)).toHaveLength(1);
  });

  it('is always whole: every call has its result, under an id of its own, whatever the room', () => {
    const calls = fc.array(
      fc.record({ turn: fc.nat(6), answerLength: fc.nat(40), result: fc.string({ maxLength: 300 }), ok: fc.boolean() }),
      { maxLength: 12 },
    );
    const works = fc.array(
      fc.record({
        answer: fc.string({ maxLength: 40 }),
        calls: calls.map((drawn) =>
          drawn
            .toSorted((one, other) => one.turn - other.turn)
            .map((each) => ({ name: 'look', arguments: {}, ...each })),
        ),
      }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(works, fc.nat(4_000), (work, room) => {
        const messages = told(work, room);
        const called = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
        const ids = called.map(({ callId }) => callId);

        expect(
          messages.flatMap((message) => (message.role === 'tool' ? message.results : [])).map((each) => each.callId),
        ).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
        expect(messages.at(-1)?.role).toBe('user');
        for (const [index, { role }] of messages.entries()) {
          if (role === 'tool') expect(messages[index - 1]?.role).toBe('assistant');
          if (role === 'assistant') expect(messages[index - 1]?.role).not.toBe('assistant');
        }
      }),
      { numRuns: 300 },
    );
  });
});
