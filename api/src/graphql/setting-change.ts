import { settingGroups } from '../settings/setting-group.ts';
import type { SettingChange } from '../store/entities/setting-change.ts';
import type { User as UserRow } from '../store/entities/user.ts';
import { builder } from './builder.ts';
import { viewerOf } from './context.ts';
import { OrganisationConfig } from './organisation.ts';
import { answerPage, definePage, pageArgs } from './page.ts';
import { ConfigLayer } from './setting-types.ts';
import { User } from './user.ts';

export const SettingGroupType = builder.enumType('SettingGroup', {
  description: 'Which set of settings a change belongs to.',
  values: {
    AGENT_CONFIG: { description: "The agent's limits." },
    MODEL_SETTINGS: { description: 'The model settings.' },
    MCP_SERVERS: { description: 'The MCP servers; a field is the name of the server and what of it was changed.' },
  },
});

/** Somebody whom the reader need not be allowed to reach: an ordinary user sees who changed their limits, no more. */
export const Person = builder.objectRef<UserRow>('Person').implement({
  description: 'A person, by name only.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the person.' }),
    name: t.exposeString('name', { description: 'What they are called.' }),
  }),
});

const SettingChangeType = builder.objectRef<SettingChange>('SettingChange').implement({
  description: 'One entry of the audit log: who changed whose setting, when, from what to what.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the entry.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When.' }),
    actor: t.field({
      type: Person,
      nullable: true,
      description: 'Who made the change; null when that person is gone.',
      resolve: async ({ actorId }, _args, { people }) => (actorId ? ((await people.find(actorId)) ?? null) : null),
    }),
    user: t.field({
      type: User,
      nullable: true,
      description: "Whose setting it is; null for the organisation's.",
      resolve: async ({ userId }, _args, { people }) => (userId ? ((await people.find(userId)) ?? null) : null),
    }),
    group: t.field({ type: SettingGroupType, description: 'Which set of settings.', resolve: ({ group }) => group }),
    layer: t.field({
      type: ConfigLayer,
      description: 'Which layer: ORGANISATION, USER or CEILING.',
      resolve: ({ layer }) => layer,
    }),
    field: t.exposeString('field', { description: 'The name of the setting.' }),
    title: t.string({ description: 'What people call the setting.', resolve: titleOf }),
    oldValue: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Before; null: not set.',
      resolve: (it) => it.oldValue ?? null,
    }),
    newValue: t.field({
      type: 'JSON',
      nullable: true,
      description: 'After; null: not set.',
      resolve: (it) => it.newValue ?? null,
    }),
    version: t.exposeInt('version', { description: 'The version of the settings that the change made.' }),
  }),
});

export function titleOf({ group, field }: Pick<SettingChange, 'group' | 'field'>): string {
  return settingGroups.find(({ name }) => name === group)?.fields.find(({ name }) => name === field)?.title ?? field;
}

const SettingChangeConnection = definePage('SettingChange', SettingChangeType);

builder.objectField(OrganisationConfig, 'settingChanges', (t) =>
  t.field({
    type: SettingChangeConnection,
    description: "What was changed in the organisation's settings, newest first.",
    args: pageArgs,
    resolve: (_organisation, args, { history }) => answerPage(history.ofOrganisation(args)),
  }),
);

builder.queryField('settingChanges', (t) =>
  t.field({
    type: SettingChangeConnection,
    description: "The audit log, newest first: the caller's own; for administrators everyone's and the organisation's.",
    args: pageArgs,
    resolve: (_root, args, context) => answerPage(context.history.visibleTo(viewerOf(context), args)),
  }),
);

builder.objectField(User, 'settingChanges', (t) =>
  t.field({
    type: SettingChangeConnection,
    description: "What was changed in this person's settings, newest first.",
    args: pageArgs,
    resolve: ({ id }, args, { history }) => answerPage(history.of(id, args)),
  }),
);
