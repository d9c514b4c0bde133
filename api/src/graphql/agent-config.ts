import { agentConfigGroup } from '../settings/setting-group.ts';
import { definePersonalSettings } from './personal-settings.ts';
import { defineOverride } from './setting-types.ts';

export const { Values: AgentConfig, Effective: EffectiveConfig } = definePersonalSettings({
  group: agentConfigGroup,
  type: 'AgentConfig',
  noun: 'agentConfig',
  effective: { query: 'effectiveConfig', list: 'EffectiveConfig', field: 'EffectiveField' },
  invalid: 'InvalidAgentConfig',
  scalar: 'Int',
  description: "The limits of a person's agent.",
});

export const AgentConfigOverride = defineOverride('AgentConfigOverride', 'Any of the limits.', agentConfigGroup.fields);
