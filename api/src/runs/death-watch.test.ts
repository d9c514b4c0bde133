import { describe, expect, it } from 'vitest';
import { DeathWatch } from './death-watch.ts';

describe('a death watch', () => {
  it('takes one that has left for dead at once', () => {
    expect(new DeathWatch(100).look([{ id: 'a', heartbeat: null, silent: false }], 0)).toEqual(['a']);
  });

  it('waits before it believes a silence', () => {
    const watch = new DeathWatch(100);
    const silent = { id: 'a', heartbeat: 1, silent: true };

    expect([watch.look([silent], 0), watch.look([silent], 99), watch.look([silent], 100)]).toEqual([[], [], ['a']]);
  });

  it('spares one that was heard again, as after an outage of the database', () => {
    const watch = new DeathWatch(100);
    watch.look([{ id: 'a', heartbeat: 1, silent: true }], 0);
    watch.look([{ id: 'a', heartbeat: 2, silent: false }], 90);

    expect(watch.look([{ id: 'a', heartbeat: 2, silent: true }], 150)).toEqual([]);
    expect(watch.look([{ id: 'a', heartbeat: 2, silent: true }], 250)).toEqual(['a']);
  });
});
