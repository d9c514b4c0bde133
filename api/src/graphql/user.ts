import { unauthenticated } from '../access/access-error.ts';
import { agentConfigGroup, modelSettingsGroup } from '../settings/setting-group.ts';
import type { User as UserRow } from '../store/entities/user.ts';
import { retrying } from '../store/retry.ts';
import { AgentConfig, EffectiveConfig } from './agent-config.ts';
import { builder } from './builder.ts';
import { viewerOf } from './context.ts';
import { followSettings } from './follow-settings.ts';
import { EffectiveModelSettings, ModelSettings } from './model-settings.ts';
import { answerPage, backwardArgs, definePage, pageArgs } from './page.ts';
import { invalid, invalidTypes } from './problem.ts';
import { existingSubject } from './subject.ts';
import { AccessToken } from './token.ts';

export const Role = builder.enumType('Role', {
  description: 'What a person may do.',
  values: {
    USER: { description: 'Uses the agent and reaches what is theirs.' },
    ADMIN: { description: "Also manages people, everyone's settings and the organisation's." },
  },
});

export const User = builder.objectRef<UserRow>('User').implement({
  description: 'A person with a token, settings and limits of their own.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the person.' }),
    email: t.exposeString('email', { description: 'The address, in lower case; no two people share one.' }),
    name: t.exposeString('name', { description: 'What the person is called.' }),
    role: t.field({ type: Role, description: 'What the person may do.', resolve: ({ role }) => role }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Since when they are known here.' }),
    agentConfig: t.field({
      type: AgentConfig,
      description: 'Their limits, as they stand for the next question.',
      resolve: ({ id }, _args, { settings }) => settings.inForce(agentConfigGroup, id),
    }),
    effectiveConfig: t.field({
      type: EffectiveConfig,
      description: 'Their limits with the layer that set each.',
      resolve: ({ id }, _args, { settings }) => settings.inForce(agentConfigGroup, id),
    }),
    modelSettings: t.field({
      type: ModelSettings,
      description: 'Their model settings, as they stand for the next question.',
      resolve: ({ id }, _args, { settings }) => settings.inForce(modelSettingsGroup, id),
    }),
    effectiveModelSettings: t.field({
      type: EffectiveModelSettings,
      description: 'Their model settings with the layer that set each.',
      resolve: ({ id }, _args, { settings }) => settings.inForce(modelSettingsGroup, id),
    }),
    tokens: t.field({
      type: [AccessToken],
      description: 'Their tokens, newest first, ended ones included.',
      resolve: async ({ id }, _args, { tokens }) => [...(await tokens.of(id))],
    }),
  }),
});

export const UserConnection = definePage('User', User);

const UserSort = builder.enumType('UserSort', {
  description: 'What people are listed by.',
  values: {
    NAME: { description: 'Their name, capitals not minded.' },
    EMAIL: { description: 'Their address.' },
    ROLE: { description: 'Their role.' },
    CREATED_AT: { description: 'When they came.' },
  },
});

const SortDirection = builder.enumType('SortDirection', {
  description: 'Which way a list runs.',
  values: { ASC: { description: 'Smallest or oldest first.' }, DESC: { description: 'Largest or newest first.' } },
});

const CreateUserInput = builder.inputType('CreateUserInput', {
  description: 'A new person.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'Their address; nobody else may have it.' }),
    name: t.string({ required: true, description: 'What they are called, 1 to 200 characters.' }),
    role: t.field({ type: Role, defaultValue: 'USER', description: 'What they may do.' }),
  }),
});

const CreateUserResult = builder.unionType('CreateUserResult', {
  description: 'The new person, or why there is none.',
  types: [User, invalidTypes.InvalidInput],
  resolveType: (value) => ('problems' in value ? 'InvalidInput' : 'User'),
});

builder.queryFields((t) => ({
  viewer: t.field({
    type: User,
    description: 'The person who is asking.',
    resolve: async (_root, _args, context) => {
      const user = await context.people.find(viewerOf(context).userId);
      if (!user) throw unauthenticated();
      return user;
    },
  }),
  user: t.field({
    type: User,
    nullable: true,
    description: 'A person by id; null when there is none that the caller may see.',
    args: { id: t.arg.id({ required: true, description: 'The id of the person.' }) },
    resolve: async (_root, { id }, context) => {
      const user = viewerOf(context).mayReach(id) ? await context.people.find(id) : undefined;
      return user ?? null;
    },
  }),
  users: t.field({
    type: UserConnection,
    description: 'Everybody, in pages. Administrators only.',
    authScopes: { admin: true },
    args: {
      ...pageArgs,
      ...backwardArgs,
      search: t.arg.string({ description: 'Only those whose name or address contains this.' }),
      sort: t.arg({ type: UserSort, defaultValue: 'NAME', description: 'What to list by.' }),
      direction: t.arg({ type: SortDirection, defaultValue: 'ASC', description: 'Which way.' }),
    },
    resolve: (_root, { search, sort, direction, ...page }, { people }) =>
      answerPage(people.list({ ...page, search: search ?? '', sort: sort ?? 'NAME', direction: direction ?? 'ASC' })),
  }),
}));

builder.mutationField('createUser', (t) =>
  t.field({
    type: CreateUserResult,
    description: 'Adds a person. They sign in with a token that is issued for them. Administrators only.',
    authScopes: { admin: true },
    args: { input: t.arg({ type: CreateUserInput, required: true, description: 'Who.' }) },
    resolve: async (_root, { input }, { people }) => {
      const created = await people.create({ ...input, role: input.role ?? 'USER' });
      return 'id' in created ? created : invalid(created);
    },
  }),
);

const patienceWithDatabase = 5_000;

builder.subscriptionField('settingsChanged', (t) =>
  t.field({
    type: User,
    description: "A person with their settings: now, and again after every change to theirs or the organisation's.",
    args: { userId: t.arg.id({ description: "Whose: for administrators. Without it, the caller's own." }) },
    subscribe: async (_root, { userId }, context) => {
      const subject = await existingSubject(context, userId);
      return followSettings(context.changes, subject);
    },
    resolve: async (userId, _args, { people }) => {
      // Told when the database has come back, too, which may not be true of every connection at once.
      const user = await retrying(() => people.find(userId), AbortSignal.timeout(patienceWithDatabase));
      if (!user) throw unauthenticated();
      return user;
    },
  }),
);
