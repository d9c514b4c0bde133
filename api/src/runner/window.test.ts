import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../models/model-port.ts';
import { buildPrompt, say } from './prompt.ts';
import type { PastExchange, RunContext } from './run-context.ts';
import { type Opened, openRun } from './test/context.ts';
import { makeRoom, usableWindow } from './window.ts';

/** About so many tokens. */
const words = (tokens: number) => 'word '.repeat(Math.max(1, Math.round(tokens / 1.15)));

function past(count: number, tokens: number): readonly PastExchange[] {
  return Array.from({ length: count }, (_, index) => ({
    question: `Question ${index}`,
    answer: words(tokens),
    partial: false,
  }));
}

function sayTurn(run: RunContext, turn: number, sizes: readonly number[]): void {
  const calls = sizes.map((_, index) => ({ callId: `${turn}-${index}`, name: 'look', arguments: {} }));
  say(run, { role: 'assistant', text: '', toolCalls: calls });
  const results = calls.map(({ callId, name }, index) => ({ callId, name, ok: true, text: words(sizes[index] ?? 0) }));
  say(run, { role: 'tool', results });
}

function questionsOf(run: RunContext): readonly string[] {
  return run.messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));
}

function notices(run: Opened): readonly string[] {
  return run.emitted.flatMap((chunk) => (chunk.type === 'SystemChunk' ? [chunk.message] : []));
}

describe('the history', () => {
  it('is sent whole when it fits', () => {
    const run = openRun();

    buildPrompt(run, past(10, 3_000));

    expect(run.pastExchanges).toBe(10);
    expect(run.emitted).toEqual([]);
  });

  it('loses its oldest exchanges when it would overflow the window, and that is said', () => {
    const run = openRun();

    buildPrompt(run, past(10, 10_000));

    expect(questionsOf(run)).toEqual([...[5, 6, 7, 8, 9].map((index) => `Question ${index}`), 'Q?']);
    expect(run.promptTokens).toBeLessThanOrEqual(usableWindow(64_000));
    expect(notices(run)).toEqual([expect.stringMatching(/^5 earlier exchanges were left out: .* window of 64,000\.$/)]);
    expect(run.lateHints).toEqual(['5 earlier exchanges were left out here for lack of room.']);
  });

  it('takes no more than half of the budget', () => {
    const run = openRun({ tokenBudget: 20_000 });

    buildPrompt(run, past(3, 4_000));

    expect(questionsOf(run)).toEqual(['Question 1', 'Question 2', 'Q?']);
    expect(notices(run)).toEqual([expect.stringMatching(/^1 earlier exchange was left out: .* budget of 20,000\.$/)]);
  });

  it('is measured once, however long it is', () => {
    const run = openRun({ tokenBudget: 2_000 });

    buildPrompt(run, past(100, 50));

    // Question, answer and calls of each exchange, the instructions, the question itself and the tools.
    expect(run.estimates()).toBeLessThanOrEqual(3 * 100 + 3);
  });
});

describe('a run that outgrows the window', () => {
  it('keeps everything as long as it fits', () => {
    const run = openRun();
    buildPrompt(run, past(2, 10_000));
    sayTurn(run, 1, [10_000, 10_000]);
    const before = [...run.messages];

    makeRoom(run);

    expect(run.messages).toEqual(before);
    expect(run.emitted).toEqual([]);
  });

  it('leaves out earlier exchanges first, then what is in the oldest results', () => {
    const run = openRun();
    buildPrompt(run, past(2, 10_000));
    for (const turn of [1, 2, 3, 4]) sayTurn(run, turn, [6_500, 6_500]);

    makeRoom(run);

    expect(questionsOf(run)).toEqual(['Q?']);
    const lengths = run.messages.flatMap((message) =>
      message.role === 'tool' ? [message.results.map(({ text }) => text.length > 1_000)] : [],
    );
    expect(lengths).toEqual([
      [false, false],
      [true, true],
      [true, true],
      [true, true],
    ]);
    expect(notices(run)).toEqual([
      expect.stringMatching(/^2 earlier exchanges were left out and 2 tool results were shortened: /),
    ]);
  });

  it('shortens the newest results when they alone are too much', () => {
    const run = openRun();
    buildPrompt(run, []);
    sayTurn(run, 1, [40_000, 40_000]);

    makeRoom(run);

    expect(run.promptTokens).toBeLessThanOrEqual(usableWindow(64_000));
    expect(run.promptTokens).toBeGreaterThan(20_000);
  });

  it('always fits, with an answer for every call, and measures no message again that stays', () => {
    const turns = fc.array(fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 5 }), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(fc.integer({ min: 2_000, max: 20_000 }), turns, fc.nat(8), (windowSize, sizes, exchanges) => {
        const run = openRun({ windowSize });
        buildPrompt(run, past(exchanges, 900));
        for (const [turn, results] of sizes.entries()) {
          sayTurn(run, turn, results);
          const measured = run.estimates();
          makeRoom(run);
          const changed = run.messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
          expect(run.estimates() - measured).toBeLessThanOrEqual(2 * changed.length);
          expect(run.promptTokens).toBeLessThanOrEqual(usableWindow(windowSize));
        }
        expect(run.sizes).toHaveLength(run.messages.length);
        expect(run.messages.filter(isUnanswered(run.messages))).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});

function isUnanswered(messages: readonly ModelMessage[]) {
  return (message: ModelMessage, place: number): boolean => {
    if (message.role !== 'assistant' || message.toolCalls.length === 0) return false;
    const next = messages[place + 1];
    const answered = next?.role === 'tool' ? next.results.map(({ callId }) => callId) : [];
    return JSON.stringify(answered) !== JSON.stringify(message.toolCalls.map(({ callId }) => callId));
  };
}
