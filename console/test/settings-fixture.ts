import type { SettingField, SettingsSnapshot, SettingValue, Standing } from '../src/state/setting.ts';
import { standingWith } from '../src/state/setting.ts';

/** Settings for unit tests: a few fields with made-up bounds, and standings built from what is set. */

export function buildField(key: string, changes: Partial<SettingField> = {}): SettingField {
  return {
    key,
    title: 'Max iterations',
    help: 'How many turns.',
    unit: 'turns',
    kind: 'WHOLE_NUMBER',
    default: 15,
    min: 1,
    max: 50,
    optional: false,
    ...changes,
  };
}

export function buildStanding(own: SettingValue | null = null, changes: Partial<Standing> = {}): Standing {
  const unset: Standing = {
    value: 15,
    layer: 'BUILT_IN',
    own: null,
    fallback: 15,
    fallbackLayer: 'BUILT_IN',
    ceiling: null,
    ...changes,
  };
  return standingWith(unset, own);
}

export function buildSnapshot(version: number, own: Readonly<Record<string, SettingValue | null>>): SettingsSnapshot {
  const standings = Object.fromEntries(Object.entries(own).map(([key, value]) => [key, buildStanding(value)]));
  return { version, standings };
}
