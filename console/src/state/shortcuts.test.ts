import { describe, expect, it } from 'vitest';
import { keysOf, makeShortcutReader, shortcutsFor } from './shortcuts.ts';

function reader(role: 'USER' | 'ADMIN' = 'ADMIN') {
  let time = 10_000;
  const read = makeShortcutReader(
    () => shortcutsFor(role),
    () => time,
  );
  return {
    press: (...keys: readonly string[]) => keys.map((key) => read(key)?.id),
    wait: (ms: number) => {
      time += ms;
    },
  };
}

describe('shortcuts', () => {
  it('are no two for the same keys, and none is the beginning of another', () => {
    const all = shortcutsFor('ADMIN').map(keysOf);

    expect(new Set(all).size).toBe(all.length);
    for (const keys of all) expect(all.filter((other) => other.startsWith(`${keys} `))).toEqual([]);
  });

  it('are read one key after the other', () => {
    expect(reader().press('g', 's')).toEqual([undefined, 'go:/settings']);
    expect(reader().press('n')).toEqual(['new']);
  });

  it('start over when the second key comes too late or does not fit', () => {
    const slow = reader();
    slow.press('g');
    slow.wait(2_000);

    expect(slow.press('s')).toEqual([undefined]);
    expect(reader().press('g', 'n')).toEqual([undefined, 'new']);
    expect(reader().press('g', 'g', 's')).toEqual([undefined, undefined, 'go:/settings']);
    expect(reader().press('g', 'x', 's')).toEqual([undefined, undefined, undefined]);
  });

  it('lead nowhere that the person may not go', () => {
    expect(reader('USER').press('g', 'u')).toEqual([undefined, undefined]);
    expect(reader('ADMIN').press('g', 'u')).toEqual([undefined, 'go:/admin/users']);
  });
});
