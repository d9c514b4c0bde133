import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StartedParts } from './started-parts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('stops parts in reverse, past those that fail or never end, and names them', async () => {
  const stopped: string[] = [];
  const logged: unknown[] = [];
  const parts = new StartedParts();
  const add = (name: string, end: () => Promise<void>) =>
    parts.add(name, () => {
      stopped.push(name);
      return end();
    });
  add('database', async () => undefined);
  add('feed', () => Promise.reject(new Error('gone')));
  add('runs', () => new Promise(() => undefined));
  add('server', async () => undefined);
  const done = parts.stop({ error: (details: object, message: string) => void logged.push({ ...details, message }) });
  await vi.runAllTimersAsync();
  await done;

  expect(stopped).toEqual(['server', 'runs', 'feed', 'database']);
  expect(logged).toEqual([
    { part: 'runs', message: 'did not stop in time' },
    { part: 'feed', reason: 'Error: gone', message: 'did not stop cleanly' },
  ]);
});

it('stops each part once', async () => {
  const stop = vi.fn(async () => undefined);
  const parts = new StartedParts();
  parts.add('server', stop);
  await parts.stop({ error: () => undefined });
  await parts.stop({ error: () => undefined });

  expect(stop).toHaveBeenCalledOnce();
});
