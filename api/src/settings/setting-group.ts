import { AgentConfigSchema, ModelSettingsSchema } from '../agent/config.ts';
import { describeSettings, type SettingField } from '../agent/settings.ts';

/** A set of settings that is saved, versioned and audited together, and where its parts are stored. */
export interface SettingGroup {
  readonly name: 'AGENT_CONFIG' | 'MODEL_SETTINGS';
  readonly fields: readonly SettingField[];
  readonly values: 'agentConfig' | 'modelSettings';
  readonly version: 'agentConfigVersion' | 'modelSettingsVersion';
  readonly defaults: 'agentDefaults' | 'modelDefaults';
  readonly ceilings: 'agentCeilings' | 'modelCeilings';
}

export const agentConfigGroup: SettingGroup = {
  name: 'AGENT_CONFIG',
  fields: describeSettings(AgentConfigSchema),
  values: 'agentConfig',
  version: 'agentConfigVersion',
  defaults: 'agentDefaults',
  ceilings: 'agentCeilings',
};

export const modelSettingsGroup: SettingGroup = {
  name: 'MODEL_SETTINGS',
  fields: describeSettings(ModelSettingsSchema),
  values: 'modelSettings',
  version: 'modelSettingsVersion',
  defaults: 'modelDefaults',
  ceilings: 'modelCeilings',
};

/** The settings whose value is the name of a model. */
export const modelFields: readonly string[] = ['oracleModel', 'subagentModel'];

export const settingGroups = [agentConfigGroup, modelSettingsGroup] as const;
