import type { OrganisationSetting, OrganisationSettings } from '../settings/organisation-service.ts';
import { AgentConfigOverride } from './agent-config.ts';
import { builder } from './builder.ts';
import { viewerOf } from './context.ts';
import { ModelSettingsCeiling, ModelSettingsOverride } from './model-settings.ts';
import { answerOutcome } from './outcome.ts';
import { invalidTypes } from './problem.ts';

const OrganisationSettingType = builder.objectRef<OrganisationSetting>('OrganisationSetting').implement({
  description: 'What the organisation decided about one setting.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'The name of the setting.' }),
    default: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The default for everyone; null: the built-in one.',
      resolve: (setting) => setting.default ?? null,
    }),
    ceiling: t.int({
      nullable: true,
      description: 'What nobody may exceed; null: only the bounds apply.',
      resolve: ({ ceiling }) => ceiling ?? null,
    }),
  }),
});

export const OrganisationConfig = builder.objectRef<OrganisationSettings>('OrganisationConfig').implement({
  description: 'The defaults and ceilings that administrators set for everyone.',
  fields: (t) => ({
    agentConfig: t.field({
      type: [OrganisationSettingType],
      description: 'One entry for each limit.',
      resolve: ({ agentConfig }) => [...agentConfig],
    }),
    modelSettings: t.field({
      type: [OrganisationSettingType],
      description: 'One entry for each model setting.',
      resolve: ({ modelSettings }) => [...modelSettings],
    }),
    allowedModels: t.exposeStringList('allowedModels', {
      description: 'Which models may answer: ids, or patterns in which `*` stands for anything. Empty: all.',
    }),
    version: t.exposeInt('version', { description: 'Grows by one with every change; send it back with an update.' }),
    updatedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was last changed; null: never.',
      resolve: ({ updatedAt }) => updatedAt ?? null,
    }),
  }),
});

interface Conflict {
  readonly conflict: OrganisationSettings;
}

const OrganisationConfigConflict = builder.objectRef<Conflict>('OrganisationConfigConflict').implement({
  description: 'Somebody changed the settings since they were read; `current` is what stands now.',
  fields: (t) => ({
    message: t.string({
      description: 'What happened, in a sentence.',
      resolve: ({ conflict }) => `These settings were changed meanwhile; they are at version ${conflict.version} now.`,
    }),
    current: t.field({
      type: OrganisationConfig,
      description: 'What stands now.',
      resolve: ({ conflict }) => conflict,
    }),
  }),
});

const UpdateOrganisationConfigResult = builder.unionType('UpdateOrganisationConfigResult', {
  description: 'The saved settings, or why nothing was saved.',
  types: [OrganisationConfig, invalidTypes.InvalidInput, OrganisationConfigConflict],
  resolveType: (value) =>
    'problems' in value ? 'InvalidInput' : 'conflict' in value ? 'OrganisationConfigConflict' : 'OrganisationConfig',
});

const UpdateOrganisationConfigInput = builder.inputType('UpdateOrganisationConfigInput', {
  description: 'Only the fields present change; null clears one.',
  fields: (t) => ({
    expectedVersion: t.int({
      description: 'The version that the change is based on; when it no longer stands, nothing changes.',
    }),
    defaults: t.field({ type: AgentConfigOverride, description: 'Default limits for everyone.' }),
    ceilings: t.field({ type: AgentConfigOverride, description: 'Limits that nobody may exceed.' }),
    modelDefaults: t.field({ type: ModelSettingsOverride, description: 'Default model settings for everyone.' }),
    allowedModels: t.stringList({
      description: 'The models that may answer: ids, or patterns such as openrouter/*. An empty list allows all.',
    }),
    modelCeilings: t.field({ type: ModelSettingsCeiling, description: 'Model settings that nobody may exceed.' }),
  }),
});

builder.queryField('organisationConfig', (t) =>
  t.field({
    type: OrganisationConfig,
    description: 'The defaults and ceilings for everyone. Administrators only.',
    authScopes: { admin: true },
    resolve: (_root, _args, { organisation }) => organisation.read(),
  }),
);

builder.mutationField('updateOrganisationConfig', (t) =>
  t.field({
    type: UpdateOrganisationConfigResult,
    description:
      'Changes defaults and ceilings, all or none; ceilings hold at once, for everybody. Administrators only.',
    authScopes: { admin: true },
    args: { input: t.arg({ type: UpdateOrganisationConfigInput, required: true, description: 'What to change.' }) },
    resolve: async (_root, { input }, context) => {
      const { expectedVersion, defaults, ceilings, modelDefaults, modelCeilings, allowedModels } = input;
      const models = allowedModels === undefined ? {} : { allowedModels: allowedModels?.length ? allowedModels : null };
      return answerOutcome(
        await context.organisation.update({
          actorId: viewerOf(context).userId,
          expectedVersion: expectedVersion ?? undefined,
          change: {
            defaults: defaults ?? undefined,
            ceilings: ceilings ?? undefined,
            modelDefaults: modelDefaults ?? undefined,
            modelCeilings: { ...modelCeilings, ...models },
          },
        }),
      );
    },
  }),
);
