import fc from 'fast-check';

/** A value of whatever kind, as TOML writes it. */
const value = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('0', '-1', '7', '1.5', 'inf', 'nan', 'true', '2026-05-01', '2026-05-01T10:00:00Z', "'''\na'''"),
    fc.string({ unit: fc.constantFrom('a', 'é', '*', '.', '{', '}', ' ', '>') }).map((text) => JSON.stringify(text)),
    fc.array(tie('value'), { maxLength: 2 }).map((items) => `[${items.join(', ')}]`),
    tie('value').map((inner) => `{ ${inner.startsWith('"') ? '"__proto__"' : 'key'} = ${inner} }`),
  ),
})).value;

/** The lines of a sound file, of which one or two say something else, of whatever kind, or are not there at all. */
export function spoiltToml(sound: string): fc.Arbitrary<string> {
  const lines = sound.trimEnd().split('\n');
  const spoilt = fc.tuple(fc.nat(lines.length - 1), fc.option(value, { freq: 9 }));
  return fc.array(spoilt, { minLength: 1, maxLength: 2 }).map((places) => {
    const changed = [...lines];
    for (const [place, given] of places)
      changed[place] = given === null ? '' : (lines[place] ?? '').replace(/=.*/, () => `= ${given}`);
    return changed.join('\n');
  });
}
