import { Repeater, SlidingBuffer } from '@repeaterjs/repeater';
import type { ChangeFeed } from '../store/changes.ts';

/**
 * The person's id now, and again whenever their settings may have changed. Readers read the present state each
 * time, so a slow one misses nothing when several changes are told as one.
 */
export function followSettings(changes: ChangeFeed, userId: string): AsyncIterable<string> {
  return new Repeater<string>(async (push, stop) => {
    const stopListening = changes.listen((change) => {
      const concerns = change.type === 'settings-changed' && (change.userId === null || change.userId === userId);
      if (concerns || change.type === 'changes-missed') void push(userId);
    });
    void push(userId);
    await stop;
    stopListening();
  }, new SlidingBuffer(1));
}
