import { describe, expect, it } from 'vitest';
import { openRunEvents } from './run-events.ts';
import { subscriberOf } from './test/subscribers.ts';

/** The events of a run in which one subscriber repeats what rules say, and what it left over in the end. */
function open() {
  const leftOver: string[] = [];
  const subscriber = subscriberOf({
    events: ['rule.said'],
    inject: 'IMMEDIATE',
    template: '{text}',
    columns: ['text'],
    keep: true,
  });
  const events = openRunEvents(
    {
      windowSize: 100_000,
      now: () => 0,
      turn: () => 1,
      state: () => {
        throw new Error('Nobody here asks for it.');
      },
      messages: () => 1,
      promptTokens: () => 1,
      toolCalls: () => [],
      tighten: () => undefined,
      tell: () => undefined,
      estimateTokens: (text) => text.length,
      reportFailure: () => undefined,
    },
    {
      subscribers: () => [subscriber],
      listeners: [],
      later: () => () => undefined,
      onLeftOver: (notices) => leftOver.push(...notices.map(({ entry }) => JSON.stringify(entry.event.payload))),
    },
  );
  return { events, leftOver, say: (text: string) => events.emit('rule.said', { text }) };
}

describe('what the model should be told', () => {
  it('is told again until it was heard', () => {
    const { events, say } = open();
    say('one');

    expect(events.takeHints().join()).toContain('one');
    expect(events.takeHints().join()).toContain('one');
    events.hintsHeard();
    expect(events.takeHints()).toEqual([]);
  });

  it('is not taken for heard when it came up after the request', () => {
    const { events, say } = open();
    say('one');
    events.takeHints();
    say('two');
    events.hintsHeard();

    expect(events.takeHints().join()).toContain('two');
    expect(events.takeHints().join()).not.toContain('one');
  });

  it('waits for the next request when there is no room for it, and is told once', () => {
    const { events, say } = open();
    const texts = [...Array(60).keys()].map((index) => `number ${index} ${'word '.repeat(40)}`.trim());
    for (const text of texts) say(text);
    const requests: string[] = [];
    for (let hints = events.takeHints(); hints.length > 0; hints = events.takeHints()) {
      requests.push(hints.join('\n'));
      events.hintsHeard();
    }

    expect(requests.length).toBeGreaterThan(1);
    expect(requests[0]).toMatch(/\d+ less important notices to follow\.$/);
    const told = requests.join('\n');
    for (const text of texts) expect(told.split(text)).toHaveLength(2);
  });

  it('is left over when the run ends before it was heard', () => {
    const { events, say, leftOver } = open();
    say('one');
    events.takeHints();
    events.hintsHeard();
    say('two');
    events.takeHints();
    events.end();

    expect(leftOver).toEqual(['{"text":"two"}']);
  });
});
