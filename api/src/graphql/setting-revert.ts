import type { FieldProblem } from '../agent/settings.ts';
import type { SettingDifference } from '../settings/setting-difference.ts';
import { settingGroups } from '../settings/setting-group.ts';
import type { RevertOutcome } from '../settings/setting-reverts.ts';
import { builder } from './builder.ts';
import { viewerOf } from './context.ts';
import { OrganisationConfig } from './organisation.ts';
import { userIdDescription } from './personal-settings.ts';
import { invalid, invalidTypes } from './problem.ts';
import { SettingGroupType, titleOf } from './setting-change.ts';
import { ConfigLayer } from './setting-types.ts';
import { existingSubject } from './subject.ts';
import { User } from './user.ts';

const SettingDifferenceType = builder.objectRef<SettingDifference>('SettingDifference').implement({
  description: 'How one setting differs between two points of its history.',
  fields: (t) => ({
    group: t.field({ type: SettingGroupType, description: 'Which set of settings.', resolve: ({ group }) => group }),
    layer: t.field({ type: ConfigLayer, description: 'Which layer.', resolve: ({ layer }) => layer }),
    field: t.exposeString('field', { description: 'The name of the setting.' }),
    title: t.string({ description: 'What people call the setting.', resolve: titleOf }),
    from: t.field({
      type: 'JSON',
      nullable: true,
      description: 'At the first point; null: not set.',
      resolve: ({ from }) => from ?? null,
    }),
    to: t.field({
      type: 'JSON',
      nullable: true,
      description: 'At the second point; null: not set.',
      resolve: ({ to }) => to ?? null,
    }),
  }),
});

const fromTo = builder.args((t) => ({
  from: t.int({ required: true, description: 'The settings after this version; 1: as they were at first.' }),
  to: t.int({ required: true, description: 'Compared with those after this version.' }),
}));

builder.objectField(User, 'settingDifferences', (t) =>
  t.field({
    type: [SettingDifferenceType],
    description: "How this person's settings after one version differ from those after another.",
    args: { group: t.arg({ type: SettingGroupType, required: true, description: 'Which settings.' }), ...fromTo },
    resolve: async ({ id }, { group, from, to }, { history }) => [
      ...(await history.between({ userId: id, group }, from, to)),
    ],
  }),
);

builder.objectField(OrganisationConfig, 'settingDifferences', (t) =>
  t.field({
    type: [SettingDifferenceType],
    description: "How the organisation's settings after one version differ from those after another.",
    args: fromTo,
    resolve: async (_organisation, { from, to }, { history }) => [
      ...(await history.between({ userId: null }, from, to)),
    ],
  }),
);

type Reverted = Extract<RevertOutcome, { type: 'reverted' }>;
type Conflict = Extract<RevertOutcome, { type: 'conflict' }>;

const SettingsRevert = builder.objectRef<Reverted>('SettingsRevert').implement({
  description: 'Settings put back to an earlier point, or what that would change.',
  fields: (t) => ({
    applied: t.exposeBoolean('applied', { description: 'Whether it was done; false for a dry run.' }),
    version: t.exposeInt('version', { description: 'The version that stands now.' }),
    differences: t.field({
      type: [SettingDifferenceType],
      description: 'Each setting that changes by it.',
      resolve: ({ differences }) => [...differences],
    }),
  }),
});

const SettingsRevertConflict = builder.objectRef<Conflict>('SettingsRevertConflict').implement({
  description: 'Somebody changed the settings since they were read; nothing was changed.',
  fields: (t) => ({
    message: t.string({
      description: 'What happened, in a sentence.',
      resolve: ({ version }) => `These settings were changed meanwhile; they are at version ${version} now.`,
    }),
    version: t.exposeInt('version', { description: 'The version that stands now.' }),
  }),
});

const RevertSettingsResult = builder.unionType('RevertSettingsResult', {
  description: 'What was put back, or why nothing was.',
  types: [SettingsRevert, invalidTypes.InvalidInput, SettingsRevertConflict],
  resolveType: (value) =>
    'differences' in value ? 'SettingsRevert' : 'problems' in value ? 'InvalidInput' : 'SettingsRevertConflict',
});

const point = builder.args((t) => ({
  to: t.int({ required: true, description: 'The settings are to be as they were after this version.' }),
  expectedVersion: t.int({
    description: 'The version that stands as far as you know; when it no longer does, nothing changes.',
  }),
  dryRun: t.boolean({ defaultValue: false, description: 'Only tell what would change.' }),
}));

const answer = (outcome: RevertOutcome) => (outcome.type === 'invalid' ? invalid(outcome.problems) : outcome);

builder.mutationFields((t) => ({
  revertSettings: t.field({
    type: RevertSettingsResult,
    description: "Puts a person's settings back to an earlier point of their history: an update like any other.",
    args: {
      userId: t.arg.id({ description: userIdDescription }),
      group: t.arg({ type: SettingGroupType, required: true, description: 'Which settings.' }),
      ...point,
    },
    resolve: async (_root, { userId, group, to, expectedVersion, dryRun }, context) => {
      const subject = await existingSubject(context, userId);
      const settings = settingGroups.find(({ name }) => name === group);
      if (!settings) return invalid([notPersonal(group)]);
      return answer(
        await context.reverts.ofPerson(settings, subject, {
          actorId: viewerOf(context).userId,
          to,
          expectedVersion: expectedVersion ?? undefined,
          dryRun: dryRun ?? false,
        }),
      );
    },
  }),
  revertOrganisationConfig: t.field({
    type: RevertSettingsResult,
    description: "Puts the organisation's defaults and ceilings back to an earlier point. Administrators only.",
    authScopes: { admin: true },
    args: point,
    resolve: async (_root, { to, expectedVersion, dryRun }, context) =>
      answer(
        await context.reverts.ofOrganisation({
          actorId: viewerOf(context).userId,
          to,
          expectedVersion: expectedVersion ?? undefined,
          dryRun: dryRun ?? false,
        }),
      ),
  }),
}));

function notPersonal(group: string): FieldProblem {
  const message = 'MCP servers are not settings of a person; they cannot be put back.';
  return { field: 'group', message, value: group, min: undefined, max: undefined };
}
