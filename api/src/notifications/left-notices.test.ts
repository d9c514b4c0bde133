import { describe, expect, it } from 'vitest';
import type { ModelNotice } from '../events/model-notice.ts';
import type { SelfNotice } from '../events/self-notices.ts';
import { failureOf, subscriberOf } from '../events/test/subscribers.ts';
import { leftOverOf } from './left-notices.ts';

const run = '00000000-0000-4000-8000-000000000000';
const subscriber = subscriberOf({ priority: 'CRITICAL' });

function reminders(count: number, more: Partial<SelfNotice> = {}): readonly SelfNotice[] {
  return Array.from({ length: count }, (_, index) => {
    const text = `${more.priority ?? 'reminder'} ${index}`;
    return { id: text, message: text, category: 'c', priority: 'NORMAL', ...more };
  });
}

function others(count: number): readonly ModelNotice[] {
  return Array.from({ length: count }, (_, index) => ({
    subscriber,
    entry: { event: failureOf(index, 0, `tool ${index}`), times: 1, since: 0, first: index },
  }));
}

describe('what a run leaves for the next session', () => {
  it('is all of it, as long as a session can be told of it', () => {
    const { fresh, dropped } = leftOverOf(run, others(15), reminders(5));

    expect(fresh).toHaveLength(20);
    expect(dropped).toBe(0);
  });

  it('says how much is missing when there is more: reminders stay, and of the others the oldest', () => {
    const { fresh, dropped } = leftOverOf(run, others(40), reminders(10));
    const messages = fresh.map(({ message }) => message);

    expect(messages.slice(0, 10)).toEqual(reminders(10).map(({ message }) => message));
    expect(messages.slice(10, 19)).toEqual(Array.from({ length: 9 }, (_, index) => `tool ${index} failed`));
    expect(messages.slice(19)).toEqual(['31 less important notices of the session before could not be kept.']);
    expect(dropped).toBe(31);
  });

  it('is what matters most when there are too many reminders', () => {
    const { fresh } = leftOverOf(
      run,
      [],
      [...reminders(20, { priority: 'LOW' }), ...reminders(15, { priority: 'HIGH' })],
    );

    expect(fresh.map(({ message }) => message).filter((message) => message.startsWith('HIGH'))).toHaveLength(15);
    expect(fresh).toHaveLength(20);
  });

  it('gives back whatever was claimed, however much that is', () => {
    const { back, fresh, dropped } = leftOverOf(run, others(20), reminders(20, { fromEarlier: true }));

    expect(back).toHaveLength(20);
    expect(fresh).toHaveLength(20);
    expect(dropped).toBe(0);
  });

  it('has ids that are the same whenever it is left, and of no other run', () => {
    const ids = (runId: string) => leftOverOf(runId, others(30), []).fresh.map(({ id }) => id);

    expect(ids(run)).toEqual(ids(run));
    expect(new Set([...ids(run), ...ids(run.replace('8', '9'))]).size).toBe(40);
  });
});
