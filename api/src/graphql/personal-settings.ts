import { conflict } from '../access/access-error.ts';
import type { SettingGroup } from '../settings/setting-group.ts';
import type { SettingsInForce } from '../settings/user-settings-service.ts';
import { builder } from './builder.ts';
import { type OracleContext, viewerOf } from './context.ts';
import { answerOutcome } from './outcome.ts';
import { type InvalidName, invalidTypes } from './problem.ts';
import {
  defineEffective,
  defineField,
  defineFieldNames,
  defineValues,
  describeForSchema,
  scalars,
  type ValueScalar,
} from './setting-types.ts';
import { existingSubject } from './subject.ts';

interface PersonalSettings {
  readonly group: SettingGroup;
  readonly type: 'AgentConfig' | 'ModelSettings';
  readonly noun: 'agentConfig' | 'modelSettings';
  readonly effective: { readonly query: string; readonly list: string; readonly field: string };
  readonly invalid: InvalidName;
  readonly scalar: ValueScalar;
  readonly description: string;
}

interface Conflict {
  readonly conflict: SettingsInForce;
}

const expectedVersion = 'The version that the change is based on; when it no longer stands, nothing changes.';
export const userIdDescription = "Whose: for administrators. Without it, the caller's own.";

/** Types, queries and mutations by which a group of settings is read, changed and reset for one person. */
export function definePersonalSettings(options: PersonalSettings) {
  const { group, type, noun, scalar } = options;
  const Values = defineValues(type, options.description, group);
  const Effective = defineEffective(options.effective, scalar);
  const Field = defineField(`${type}Field`, scalar);
  const FieldName = defineFieldNames(`${type}FieldName`, group);
  const Invalid = invalidTypes[options.invalid];

  const Conflict = builder.objectRef<Conflict>(`${type}Conflict`).implement({
    description: 'Somebody changed the settings since they were read; `current` is what stands now.',
    fields: (t) => ({
      message: t.string({
        description: 'What happened, in a sentence.',
        resolve: ({ conflict }) =>
          `These settings were changed meanwhile; they are at version ${conflict.version} now.`,
      }),
      current: t.field({ type: Values, description: 'What stands now.', resolve: ({ conflict }) => conflict }),
    }),
  });

  const Result = builder.unionType(`Update${type}Result`, {
    description: 'The saved settings, or why nothing was saved.',
    types: [Values, Invalid, Conflict],
    resolveType: (value) => ('problems' in value ? options.invalid : 'conflict' in value ? `${type}Conflict` : type),
  });

  const Input = builder.inputType(`Update${type}Input`, {
    description: "Only the fields present change. `userId` is for administrators; without it, the caller's own.",
    fields: (t) => ({
      userId: t.id({ description: userIdDescription }),
      expectedVersion: t.int({ description: expectedVersion }),
      ...Object.fromEntries(
        group.fields.map((field) => [
          field.name,
          t.field({ type: scalars[field.kind], description: describeForSchema(field) }),
        ]),
      ),
    }),
  });

  const inForce = async (userId: string | null | undefined, context: OracleContext) =>
    context.settings.inForce(group, await existingSubject(context, userId));

  builder.queryFields((t) => ({
    [noun]: t.field({
      type: Values,
      description: `${options.description} As they stand for the next question.`,
      args: { userId: t.arg.id({ description: userIdDescription }) },
      resolve: (_root, { userId }, context) => inForce(userId, context),
    }),
    [options.effective.query]: t.field({
      type: Effective,
      description: 'The same settings, each with the layer that set it.',
      args: { userId: t.arg.id({ description: userIdDescription }) },
      resolve: (_root, { userId }, context) => inForce(userId, context),
    }),
    [`${noun}Fields`]: t.field({
      type: [Field],
      description: 'Names, defaults, bounds and texts of these settings.',
      resolve: () => [...group.fields],
    }),
  }));

  builder.mutationFields((t) => ({
    [`update${type}`]: t.field({
      type: Result,
      description: 'Changes the settings named, all or none, from the next question on.',
      args: { input: t.arg({ type: Input, required: true, description: 'What to change.' }) },
      resolve: async (_root, { input }, context) => {
        const { userId, expectedVersion, ...change } = input as typeof input & Record<string, unknown>;
        const viewer = viewerOf(context);
        const outcome = await context.settings.update(group, {
          actorId: viewer.userId,
          userId: viewer.subject(userId),
          expectedVersion: expectedVersion ?? undefined,
          change,
        });
        return answerOutcome(outcome);
      },
    }),
    [`reset${type}`]: t.field({
      type: Values,
      description: 'Forgets what was set for the person, so that the defaults apply again.',
      args: {
        userId: t.arg.id({ description: userIdDescription }),
        fields: t.arg({ type: [FieldName], description: 'Which ones; without it, all.' }),
        expectedVersion: t.arg.int({
          description: `${expectedVersion} The error's code is CONFLICT then.`,
        }),
      },
      resolve: async (_root, { userId, fields, expectedVersion }, context) => {
        const viewer = viewerOf(context);
        const outcome = await context.settings.reset(group, {
          actorId: viewer.userId,
          userId: viewer.subject(userId),
          fields: fields ?? undefined,
          expectedVersion: expectedVersion ?? undefined,
        });
        if (outcome.type === 'saved') return outcome.settings;
        throw outcome.type === 'conflict'
          ? conflict(outcome.settings.version)
          : new Error('nothing that is forgotten can be invalid');
      },
    }),
  }));

  return { Values, Effective };
}
