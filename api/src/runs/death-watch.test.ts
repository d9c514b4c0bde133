import { describe, expect, it } from 'vitest';
import { DeathWatch } from './death-watch.ts';

const heard = (heartbeat: number) => [{ id: 'a', heartbeat, silent: false }];
const silentSince = (heartbeat: number) => [{ id: 'a', heartbeat, silent: true }];

describe('a death watch', () => {
  it('takes one that has left for dead at once', () => {
    expect(new DeathWatch(100).look([{ id: 'a', heartbeat: null, silent: false }], 0)).toEqual(['a']);
  });

  it('does not believe a silence that it has not watched', () => {
    const watch = new DeathWatch(100);

    expect([0, 60, 99, 100].map((now) => watch.look(silentSince(1), now))).toEqual([[], [], [], ['a']]);
  });

  it('watches from the last heartbeat it saw, not from the end of the lease', () => {
    const watch = new DeathWatch(100);
    for (const now of [0, 90, 180]) watch.look(heard(1), now);

    expect(watch.look(silentSince(1), 270)).toEqual(['a']);
  });

  it('spares one that was heard again', () => {
    const watch = new DeathWatch(100);
    for (const now of [0, 60]) watch.look(silentSince(1), now);
    watch.look(heard(2), 90);

    expect(watch.look(silentSince(2), 150)).toEqual([]);
  });

  it('begins anew when it could not look for a while, as after an outage of the database', () => {
    const watch = new DeathWatch(100);
    for (const now of [0, 60]) watch.look(heard(1), now);

    expect([1_000, 1_060, 1_100].map((now) => watch.look(silentSince(1), now))).toEqual([[], [], ['a']]);
  });
});
