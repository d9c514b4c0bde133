import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepFreeze } from './freeze.ts';
import { fingerprint } from './json.ts';
import { addSeen, hasSeen, nothingSeen, type SeenSet } from './seen-set.ts';

const anyFingerprint = fc.oneof(
  fc.nat(500).map((number) => fingerprint(String(number))),
  fc.string({ unit: fc.constantFrom('0', 'f'), minLength: 16, maxLength: 16 }),
);

describe('SeenSet', () => {
  it('holds exactly what was added, as a Set does', () => {
    fc.assert(
      fc.property(fc.array(anyFingerprint), fc.array(anyFingerprint), (added, asked) => {
        const set = added.reduce<SeenSet>((grown, one) => deepFreeze(addSeen(grown, one)), nothingSeen);
        const model = new Set(added);

        for (const one of [...added, ...asked]) expect(hasSeen(set, one)).toBe(model.has(one));
      }),
    );
  });

  it('leaves every earlier set as it was', () => {
    const one = addSeen(nothingSeen, fingerprint('one'));
    const two = addSeen(one, fingerprint('two'));

    expect(hasSeen(nothingSeen, fingerprint('one'))).toBe(false);
    expect(hasSeen(one, fingerprint('two'))).toBe(false);
    expect(hasSeen(two, fingerprint('one')) && hasSeen(two, fingerprint('two'))).toBe(true);
  });

  it('is the same set when nothing is new, and survives JSON', () => {
    const set = ['a', 'b', 'c'].reduce((grown, text) => addSeen(grown, fingerprint(text)), nothingSeen);

    expect(addSeen(set, fingerprint('b'))).toBe(set);
    expect(hasSeen(JSON.parse(JSON.stringify(set)), fingerprint('c'))).toBe(true);
  });
});
