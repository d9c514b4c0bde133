import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReplyGuard } from './reply-guard.ts';
import { request } from './test/asking.ts';

describe('ReplyGuard', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function guarding(seconds: number) {
    return new ReplyGuard(request({ deadline: performance.now() + seconds * 1_000 }));
  }

  it('waits a minute for the first sign', () => {
    const guard = guarding(600);

    vi.advanceTimersByTime(59_000);
    guard.alive();
    expect(guard.end).toBeUndefined();

    vi.advanceTimersByTime(1_000);
    expect(guard.end).toMatchObject({ code: 'TIMEOUT', message: 'The model did not begin to reply within 60 s.' });
  });

  it('waits half a minute from one sign to the next, keep-alives included', () => {
    const guard = guarding(600);
    for (const sign of [() => guard.sign(), () => guard.sign(), () => guard.alive()]) {
      sign();
      vi.advanceTimersByTime(29_000);
    }
    expect(guard.end).toBeUndefined();

    vi.advanceTimersByTime(1_000);
    expect(guard.end).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('nothing came for 30 s') });
  });

  it('waits a second for what follows an error', () => {
    const guard = guarding(600);
    guard.sign();
    guard.hurry();

    vi.advanceTimersByTime(1_000);

    expect(guard.end).toMatchObject({ code: 'TIMEOUT' });
  });

  it('waits for nothing past the deadline', () => {
    const guard = guarding(10);
    guard.sign();

    vi.advanceTimersByTime(10_000);

    expect(guard.end).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('ran out') });
  });

  it('leaves no timer and no listener behind', () => {
    const guard = guarding(600);

    guard.close();

    expect(vi.getTimerCount()).toBe(0);
  });
});
