import type { z } from 'zod';

/** Pure rules for any set of settings declared as a zod object: describing, checking, reading back and layering. */

export type SettingValue = number | string | boolean;
export type SettingKind = 'WHOLE_NUMBER' | 'TEXT' | 'SWITCH';
export type SettingLayer = 'BUILT_IN' | 'ORGANISATION' | 'USER' | 'QUERY' | 'CEILING';
export type SettingValues = Readonly<Record<string, SettingValue>>;
export type Ceilings = Readonly<Record<string, number>>;

export interface SettingField {
  readonly name: string;
  readonly kind: SettingKind;
  readonly title: string;
  readonly unit: string;
  readonly help: string;
  readonly default: SettingValue;
  /** Smallest value, or shortest length of a text. */
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly accepts: (value: unknown) => boolean;
}

export interface FieldProblem {
  readonly field: string;
  readonly message: string;
  readonly value: unknown;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

export interface EffectiveSetting {
  readonly field: string;
  readonly value: SettingValue;
  readonly layer: SettingLayer;
  /** What the person set; undefined when nothing. */
  readonly own: SettingValue | undefined;
  /** What would be in force, before the ceiling, had the person set nothing. */
  readonly fallback: SettingValue;
  readonly fallbackLayer: SettingLayer;
  readonly ceiling: number | undefined;
}

export interface Layers {
  readonly builtIn?: SettingValues;
  readonly organisation?: SettingValues;
  readonly user?: SettingValues;
  readonly query?: SettingValues;
  readonly ceilings?: Ceilings;
}

export function describeSettings(schema: z.ZodObject): readonly SettingField[] {
  return Object.entries(schema.shape).map(([name, field]) => describeField(name, field as z.ZodDefault<SettingType>));
}

/** Reads what is stored, whatever its age: unknown fields are passed over, numbers are brought within the bounds. */
export function readStored(fields: readonly SettingField[], stored: unknown): SettingValues {
  if (typeof stored !== 'object' || stored === null) return {};
  const values: Record<string, SettingValue> = {};
  for (const field of fields) {
    if (!Object.hasOwn(stored, field.name)) continue; // most are not set, and refusing undefined costs zod the most
    const value = (stored as Record<string, unknown>)[field.name];
    const mended = field.accepts(value) ? (value as SettingValue) : mend(field, value);
    if (mended !== undefined) values[field.name] = mended;
  }
  return values;
}

/** Checks every field of a change and reports all that is wrong with it; undefined means "not part of the change". */
export function checkChange(
  fields: readonly SettingField[],
  change: Readonly<Record<string, unknown>>,
  options: { readonly ceilings?: Ceilings; readonly nullClears?: boolean; readonly prefix?: string } = {},
): readonly FieldProblem[] {
  const { ceilings = {}, nullClears = false, prefix = '' } = options;
  const known = fields.filter(({ name }) => Object.hasOwn(change, name)).map(({ name }) => name);
  const unknown = Object.keys(change).filter((name) => !known.includes(name));
  const problems: FieldProblem[] = [];
  for (const name of [...known, ...unknown]) {
    const value = change[name];
    if (value === undefined || (value === null && nullClears)) continue;
    const field = fields.find((candidate) => candidate.name === name);
    const problem = field ? checkValue(field, value, ceilings[name]) : unknownField(name, value);
    if (problem) problems.push({ ...problem, field: `${prefix}${name}` });
  }
  return problems;
}

export function layerSettings(fields: readonly SettingField[], layers: Layers): readonly EffectiveSetting[] {
  return fields.map((field) => layerField(field, layers));
}

function layerField(field: SettingField, layers: Layers): EffectiveSetting {
  const builtIn = layers.builtIn?.[field.name] ?? field.default;
  const organisation = layers.organisation?.[field.name];
  const own = layers.user?.[field.name];
  const query = layers.query?.[field.name];
  const ceiling = layers.ceilings?.[field.name];

  const fallback = organisation ?? builtIn;
  const fallbackLayer = organisation === undefined ? 'BUILT_IN' : 'ORGANISATION';
  const wanted = query ?? own ?? fallback;
  const layer = query !== undefined ? 'QUERY' : own !== undefined ? 'USER' : fallbackLayer;
  const capped = ceiling !== undefined && typeof wanted === 'number' && wanted > ceiling;

  return {
    field: field.name,
    value: capped ? ceiling : wanted,
    layer: capped ? 'CEILING' : layer,
    own,
    fallback,
    fallbackLayer,
    ceiling,
  };
}

type SettingType = z.ZodNumber | z.ZodString | z.ZodBoolean;

function describeField(name: string, declared: z.ZodDefault<SettingType>): SettingField {
  const inner = declared.unwrap();
  const { title = name, unit = '', help = '' } = (declared.meta() ?? {}) as Record<'title' | 'unit' | 'help', string>;
  const standard = declared.def.defaultValue as SettingValue;
  const accepts = (value: unknown) => inner.safeParse(value).success;
  const common = { name, title, unit, help, default: standard, accepts };
  switch (inner.def.type) {
    case 'number': {
      const { minValue, maxValue } = inner as z.ZodNumber;
      return { ...common, kind: 'WHOLE_NUMBER', min: minValue ?? undefined, max: maxValue ?? undefined };
    }
    case 'string': {
      const { minLength, maxLength } = inner as z.ZodString;
      return { ...common, kind: 'TEXT', min: minLength ?? undefined, max: maxLength ?? undefined };
    }
    case 'boolean':
      return { ...common, kind: 'SWITCH', min: undefined, max: undefined };
  }
}

/** A bound may have moved since the value was stored; anything else that does not fit is as if never set. */
function mend(field: SettingField, value: unknown): SettingValue | undefined {
  if (field.kind !== 'WHOLE_NUMBER' || typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Math.min(Math.max(Math.round(value), field.min ?? -Infinity), field.max ?? Infinity);
}

function checkValue(field: SettingField, value: unknown, ceiling: number | undefined): FieldProblem | undefined {
  const max = ceiling === undefined ? field.max : Math.min(ceiling, field.max ?? ceiling);
  if (field.accepts(value) && !(typeof value === 'number' && max !== undefined && value > max)) return undefined;
  const message = `${field.title} must be ${describeBounds(field, value, max)}; you sent ${show(value)}.`;
  return { field: field.name, message, value, min: field.min, max };
}

function describeBounds(field: SettingField, value: unknown, max: number | undefined): string {
  switch (field.kind) {
    case 'WHOLE_NUMBER': {
      const noun = Number.isInteger(value) ? '' : 'a whole number ';
      const why = max === field.max ? '' : ", your organisation's ceiling";
      return `${noun}between ${group(field.min)} and ${group(max)}${why}`;
    }
    case 'TEXT':
      return `${group(field.min)} to ${group(field.max)} printable characters without spaces`;
    case 'SWITCH':
      return 'on or off';
  }
}

function unknownField(name: string, value: unknown): FieldProblem {
  return { field: name, message: `There is no setting called ${show(name)}.`, value, min: undefined, max: undefined };
}

function group(value: number | undefined): string {
  return value === undefined ? 'any' : String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

function show(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? group(value) : String(value);
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
