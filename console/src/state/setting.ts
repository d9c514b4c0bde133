/** The shape every settings form works on, whichever settings it shows: a person's limits, models, the organisation's. */

export type SettingValue = number | string | boolean;
export type SettingKind = 'WHOLE_NUMBER' | 'TEXT' | 'SWITCH';
export type Layer = 'BUILT_IN' | 'ORGANISATION' | 'USER' | 'QUERY' | 'CEILING';

export interface SettingField {
  /** Unique within its form and the path under which the server reports problems. */
  readonly key: string;
  readonly title: string;
  readonly help: string;
  readonly unit: string;
  readonly kind: SettingKind;
  readonly default: SettingValue;
  /** Smallest value, or shortest length of a text. */
  readonly min: number | null;
  readonly max: number | null;
  /** May be left out altogether: an emptied input means "not set", and an unset field shows nothing. */
  readonly optional: boolean;
}

/** Where a field stands: what is set on this layer, and what is in force because of it. */
export interface Standing {
  readonly value: SettingValue;
  readonly layer: Layer;
  /** Null: nothing is set on this layer. */
  readonly own: SettingValue | null;
  readonly fallback: SettingValue;
  readonly fallbackLayer: Layer;
  readonly ceiling: number | null;
}

export type Standings = Readonly<Record<string, Standing>>;

export interface SettingsSnapshot {
  readonly version: number;
  readonly standings: Standings;
}

/** The standing once `own` is set to another value; mirrors the server's layering so that the answer can be shown at once. */
export function standingWith(standing: Standing, own: SettingValue | null): Standing {
  const wanted = own ?? standing.fallback;
  const layer = own === null ? standing.fallbackLayer : 'USER';
  const { ceiling } = standing;
  const capped = ceiling !== null && typeof wanted === 'number' && wanted > ceiling;
  return { ...standing, own, value: capped ? ceiling : wanted, layer: capped ? 'CEILING' : layer };
}

/** The largest number a person may choose: the field's own bound or, where lower, the organisation's ceiling. */
export function highestAllowed(field: SettingField, standing: Standing): number | null {
  if (standing.ceiling === null) return field.max;
  return field.max === null ? standing.ceiling : Math.min(field.max, standing.ceiling);
}
