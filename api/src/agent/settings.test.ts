import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentConfigSchema, ModelSettingsSchema } from './config.ts';
import {
  checkChange,
  describeSettings,
  type Layers,
  layerSettings,
  readStored,
  type SettingField,
  type SettingValue,
} from './settings.ts';

const limits = describeSettings(AgentConfigSchema);
const models = describeSettings(ModelSettingsSchema);
const groups = [
  ['limits', limits],
  ['model settings', models],
] as const;

/** Any valid value of a field. */
function validValue({ kind, min = 0, max = 0 }: SettingField): fc.Arbitrary<SettingValue> {
  switch (kind) {
    case 'WHOLE_NUMBER':
      return fc.integer({ min, max });
    case 'TEXT':
      return fc.string({ minLength: min, maxLength: Math.min(max, 30) }).map((text) => text.replaceAll(' ', '-'));
    case 'SWITCH':
      return fc.boolean();
  }
}

/** Valid values for some of the fields. */
function someValues(fields: readonly SettingField[]): fc.Arbitrary<Record<string, SettingValue>> {
  const all = fc.record(Object.fromEntries(fields.map((field) => [field.name, validValue(field)])));
  return fc
    .tuple(all, fc.subarray(fields.map(({ name }) => name)))
    .map(([values, names]) => Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))));
}

function layersOf(fields: readonly SettingField[]): fc.Arbitrary<Layers> {
  const numbers = fields.filter(({ kind }) => kind === 'WHOLE_NUMBER');
  const ceilings = someValues(numbers).map((values) => values as Record<string, number>);
  const values = someValues(fields);
  return fc.record({ builtIn: values, organisation: values, user: values, query: values, ceilings });
}

describe.each(groups)('the declared %s', (_name, fields) => {
  it('have a default within their bounds, and words for people', () => {
    for (const field of fields) {
      expect(field.accepts(field.default), field.name).toBe(true);
      expect(checkChange(fields, { [field.name]: field.default })).toEqual([]);
      expect(field.title && field.help, field.name).toBeTruthy();
    }
  });
});

describe.each(groups)('layering %s', (_name, fields) => {
  it('never puts a value above its ceiling in force', () => {
    fc.assert(
      fc.property(layersOf(fields), (layers) => {
        for (const { value, ceiling } of layerSettings(fields, layers)) {
          if (ceiling !== undefined) expect(value).toBeLessThanOrEqual(ceiling);
        }
      }),
    );
  });

  it('names the layer whose value is in force, and no later layer wished otherwise', () => {
    fc.assert(
      fc.property(layersOf(fields), (layers) => {
        for (const [index, { field: name, value, layer, ceiling }] of layerSettings(fields, layers).entries()) {
          const wishes = {
            QUERY: layers.query?.[name],
            USER: layers.user?.[name],
            ORGANISATION: layers.organisation?.[name],
            BUILT_IN: layers.builtIn?.[name] ?? fields[index]?.default,
          };
          const wished = Object.values(wishes).find((wish) => wish !== undefined);
          if (layer === 'CEILING') {
            expect(value).toBe(ceiling);
            expect(wished).toBeGreaterThan(ceiling ?? Number.POSITIVE_INFINITY);
          } else {
            expect(wishes[layer]).toBe(value);
            expect(wished).toBe(value);
          }
        }
      }),
    );
  });

  it('tells what the person set, and what would apply had they set nothing', () => {
    fc.assert(
      fc.property(layersOf(fields), (layers) => {
        const { user: _user, query: _query, ceilings: _ceilings, ...below } = layers;
        const without = layerSettings(fields, below);
        for (const [index, { field: name, own, fallback, fallbackLayer }] of layerSettings(fields, layers).entries()) {
          expect(own).toBe(layers.user?.[name]);
          expect({ fallback, fallbackLayer }).toEqual({
            fallback: without[index]?.value,
            fallbackLayer: without[index]?.layer,
          });
        }
      }),
    );
  });
});

describe.each(groups)('checking a change of %s', (_name, fields) => {
  it('accepts every change within the bounds', () => {
    fc.assert(
      fc.property(someValues(fields), (change) => {
        expect(checkChange(fields, change)).toEqual([]);
      }),
    );
  });

  it('reports exactly the fields that are not acceptable, each once, with what was sent', () => {
    const junk = fc.oneof(fc.jsonValue(), fc.double(), fc.integer());
    const change = fc.record(Object.fromEntries(fields.map(({ name }) => [name, junk])), { requiredKeys: [] });

    fc.assert(
      fc.property(change, (sent) => {
        const problems = checkChange(fields, sent);
        const bad = fields.filter((field) => Object.hasOwn(sent, field.name) && !field.accepts(sent[field.name]));
        expect(problems.map(({ field }) => field)).toEqual(bad.map(({ name }) => name));
        for (const { field, message, value } of problems) {
          expect(value).toBe(sent[field]);
          expect(message).toMatch(/^[A-Z].* must be .*; you sent .*\.$/s);
        }
      }),
    );
  });

  it('refuses names that are no setting, those of every object included', () => {
    const strange = fc.oneof(fc.string(), fc.constantFrom('constructor', 'toString', '__proto__'));

    fc.assert(
      fc.property(strange, (name) => {
        fc.pre(!fields.some((field) => field.name === name));
        expect(checkChange(fields, { [name]: 1 })).toMatchObject([{ field: name, value: 1 }]);
      }),
    );
  });
});

describe('checking against a ceiling', () => {
  it('accepts a limit if and only if it lies between the smallest value and the ceiling', () => {
    const cases = fc.constantFrom(...limits).chain((field) => {
      const { min = 0, max = 0 } = field;
      return fc.tuple(fc.constant(field), fc.integer({ min, max }), fc.integer({ min: min - 5, max: max + 5 }));
    });

    fc.assert(
      fc.property(cases, ([field, ceiling, value]) => {
        const problems = checkChange(limits, { [field.name]: value }, { ceilings: { [field.name]: ceiling } });
        expect(problems.length === 0).toBe(value >= (field.min ?? 0) && value <= ceiling);
      }),
    );
  });
});

describe.each(groups)('reading stored %s', (_name, fields) => {
  const stored = fc.oneof(
    fc.jsonValue(),
    fc.record(Object.fromEntries(fields.map(({ name }) => [name, fc.jsonValue()])), { requiredKeys: [] }),
    fc.record(Object.fromEntries(fields.map(({ name }) => [name, fc.double()])), { requiredKeys: [] }),
  );

  it('never throws, and yields nothing but valid values of known fields, whatever is stored', () => {
    fc.assert(
      fc.property(stored, (value) => {
        for (const [name, read] of Object.entries(readStored(fields, value))) {
          expect(fields.find((field) => field.name === name)?.accepts(read)).toBe(true);
        }
      }),
    );
  });

  it('keeps every valid value as it is', () => {
    fc.assert(
      fc.property(someValues(fields), (values) => {
        expect(readStored(fields, values)).toEqual(values);
      }),
    );
  });
});
