import type { EffectiveSetting, SettingField, SettingKind, SettingLayer } from '../agent/settings.ts';
import type { SettingGroup } from '../settings/setting-group.ts';
import type { SettingsInForce } from '../settings/user-settings-service.ts';
import { builder } from './builder.ts';

/** The types by which a group of settings is shown; their fields come from the group's zod schema. */

export const scalars = { WHOLE_NUMBER: 'Int', TEXT: 'String', SWITCH: 'Boolean' } as const satisfies Record<
  SettingKind,
  string
>;

export const ConfigLayer = builder.enumType('ConfigLayer', {
  description: 'Where a value comes from: later layers win, and a ceiling caps them all.',
  values: {
    BUILT_IN: { description: 'The default that the server comes with.' },
    ORGANISATION: { description: 'The default that an administrator set for everyone.' },
    USER: { description: 'Set for this person.' },
    QUERY: { description: 'Set for one query only.' },
    CEILING: { description: 'The wish was higher; the organisation capped it.' },
  } satisfies Record<SettingLayer, { description: string }>,
});

const SettingKindType = builder.enumType('SettingKind', {
  description: 'What sort of value a setting takes.',
  values: {
    WHOLE_NUMBER: { description: 'A whole number within bounds.' },
    TEXT: { description: 'A text; its bounds are lengths.' },
    SWITCH: { description: 'On or off.' },
  } satisfies Record<SettingKind, { description: string }>,
});

/** For a group of nothing but whole numbers values are Int, otherwise JSON. */
export type ValueScalar = 'Int' | 'JSON';

export function describeForSchema(field: SettingField): string {
  if (field.kind !== 'WHOLE_NUMBER') return `${field.title}. ${field.help}`;
  const unit = field.unit === '%' ? ' percent' : ` ${field.unit}`;
  return `${field.title}: ${field.min} to ${field.max}${unit}, ${field.default} by default. ${field.help}`;
}

/** The settings as one object by field name, with the version that an update sends back. */
export function defineValues(name: string, description: string, group: SettingGroup) {
  return builder.objectRef<SettingsInForce>(name).implement({
    description,
    fields: (t) => ({
      ...Object.fromEntries(
        group.fields.map((field, index) => [
          field.name,
          t.field({
            type: scalars[field.kind],
            description: describeForSchema(field),
            resolve: (settings) => settings.fields[index]?.value ?? field.default,
          }),
        ]),
      ),
      version: t.exposeInt('version', { description: 'Grows by one with every change; send it back with an update.' }),
    }),
  });
}

export function defineEffective(names: { list: string; field: string }, scalar: ValueScalar) {
  const EffectiveField = builder.objectRef<EffectiveSetting>(names.field).implement({
    description: "One field's value in force, and the layer that set it.",
    fields: (t) => ({
      field: t.exposeString('field', { description: 'The name of the setting.' }),
      value: t.field({ type: scalar, description: 'The value in force.', resolve: ({ value }) => value }),
      layer: t.field({ type: ConfigLayer, description: 'The layer that set it.', resolve: ({ layer }) => layer }),
      own: t.field({
        type: scalar,
        nullable: true,
        description: 'What the person set, even when capped; null when nothing.',
        resolve: ({ own }) => own ?? null,
      }),
      fallback: t.field({
        type: scalar,
        description: 'What applies, before the ceiling, when the person sets nothing.',
        resolve: ({ fallback }) => fallback,
      }),
      fallbackLayer: t.field({
        type: ConfigLayer,
        description: 'The layer of `fallback`.',
        resolve: ({ fallbackLayer }) => fallbackLayer,
      }),
      ceiling: t.int({
        nullable: true,
        description: "The organisation's ceiling, if there is one.",
        resolve: ({ ceiling }) => ceiling ?? null,
      }),
    }),
  });
  return builder.objectRef<SettingsInForce>(names.list).implement({
    description: 'Every setting in force, with the layer that set it.',
    fields: (t) => ({
      fields: t.field({
        type: [EffectiveField],
        description: 'One entry for each setting.',
        resolve: ({ fields }) => [...fields],
      }),
    }),
  });
}

export function defineField(name: string, scalar: ValueScalar) {
  const nullable = scalar === 'JSON';
  return builder.objectRef<SettingField>(name).implement({
    description: 'What a client needs to draw and check one setting.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'The name in inputs and results.' }),
      title: t.exposeString('title', { description: 'What people call it.' }),
      help: t.exposeString('help', { description: 'One sentence on what it does.' }),
      unit: t.exposeString('unit', { description: 'What it counts; empty when it is no number.' }),
      kind: t.field({
        type: SettingKindType,
        description: 'What sort of value it takes.',
        resolve: ({ kind }) => kind,
      }),
      default: t.field({ type: scalar, description: 'The built-in default.', resolve: (field) => field.default }),
      min: t.int({
        nullable,
        description: 'The smallest value, or shortest length.',
        resolve: ({ min }) => min as number,
      }),
      max: t.int({
        nullable,
        description: 'The largest value, or longest length.',
        resolve: ({ max }) => max as number,
      }),
    }),
  });
}

/** One enum value per field, so that a misspelt name is refused before anything happens. */
export function defineFieldNames(name: string, { fields }: SettingGroup) {
  return builder.enumType(name, {
    description: 'The names of these settings.',
    values: Object.fromEntries(fields.map((field) => [field.name, { description: field.title }])),
  });
}

export function defineOverride(name: string, description: string, fields: readonly SettingField[]) {
  return builder.inputType(name, {
    description,
    fields: (t) =>
      Object.fromEntries(
        fields.map((field) => [
          field.name,
          t.field({ type: scalars[field.kind], description: describeForSchema(field) }),
        ]),
      ),
  });
}
