import type {
  AgentConfigFieldFragment,
  EffectiveFieldFragment,
  EffectiveModelSettingFragment,
  JsonValue,
  ModelSettingsFieldFragment,
} from '@oracle-agent/sdk/documents';
import type { SettingField, SettingsSnapshot, SettingValue } from './setting.ts';

/** From the API's descriptions and standings to what a form works on. */

export function agentField({ name, ...rest }: AgentConfigFieldFragment): SettingField {
  return { ...rest, key: name, kind: 'WHOLE_NUMBER', optional: false };
}

export function modelField({ name, ...rest }: ModelSettingsFieldFragment): SettingField {
  return { ...rest, key: name, default: toValue(rest.default), optional: false };
}

export function toSnapshot(
  version: number,
  fields: readonly (EffectiveFieldFragment | EffectiveModelSettingFragment)[],
): SettingsSnapshot {
  const standings = fields.map((effective) => [
    effective.field,
    {
      value: toValue(effective.value),
      layer: effective.layer,
      own: effective.own === null ? null : toValue(effective.own),
      fallback: toValue(effective.fallback),
      fallbackLayer: effective.fallbackLayer,
      ceiling: effective.ceiling,
    },
  ]);
  return { version, standings: Object.fromEntries(standings) };
}

export function toValue(json: JsonValue): SettingValue {
  return typeof json === 'number' || typeof json === 'string' || typeof json === 'boolean'
    ? json
    : JSON.stringify(json);
}
