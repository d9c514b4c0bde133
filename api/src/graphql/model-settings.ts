import { modelSettingsGroup } from '../settings/setting-group.ts';
import { definePersonalSettings } from './personal-settings.ts';
import { defineOverride } from './setting-types.ts';

const { fields } = modelSettingsGroup;

export const { Values: ModelSettings, Effective: EffectiveModelSettings } = definePersonalSettings({
  group: modelSettingsGroup,
  type: 'ModelSettings',
  noun: 'modelSettings',
  effective: { query: 'effectiveModelSettings', list: 'EffectiveModelSettings', field: 'EffectiveModelSetting' },
  invalid: 'InvalidInput',
  scalar: 'JSON',
  description: 'Which models answer a person, and how much they are given.',
});

export const ModelSettingsOverride = defineOverride('ModelSettingsOverride', 'Any of the model settings.', fields);

export const ModelSettingsCeiling = defineOverride(
  'ModelSettingsCeiling',
  'Any of the model settings that are numbers.',
  fields.filter((field) => field.kind === 'WHOLE_NUMBER'),
);
