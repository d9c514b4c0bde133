import type { PersonOutcome, PersonRequest } from '../settings/person-outcome.ts';
import { agentConfigGroup } from '../settings/setting-group.ts';
import type { FieldMove } from '../settings/settings-plan.ts';
import type { ManyOutcome } from '../settings/user-settings-service.ts';
import { AgentConfig, AgentConfigOverride } from './agent-config.ts';
import { builder } from './builder.ts';
import { type OracleContext, viewerOf } from './context.ts';
import { defineEnum } from './enum.ts';
import { FieldProblemType, invalid, invalidTypes } from './problem.ts';
import { ConfigLayer } from './setting-types.ts';
import { User } from './user.ts';

const mostAtOnce = 1_000;

const LimitChange = builder.objectRef<FieldMove>('LimitChange').implement({
  description: 'One limit that a change moves.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'The name of the limit.' }),
    from: t.int({
      nullable: true,
      description: 'What was set for the person; null: nothing.',
      resolve: ({ from }) => (from as number | undefined) ?? null,
    }),
    to: t.int({
      nullable: true,
      description: 'What is set for the person after it; null: nothing.',
      resolve: ({ to }) => (to as number | undefined) ?? null,
    }),
    before: t.int({ description: 'What was in force.', resolve: ({ before }) => before.value as number }),
    after: t.int({ description: 'What is in force after it.', resolve: ({ after }) => after.value as number }),
    layer: t.field({
      type: ConfigLayer,
      description: 'Which layer sets what is in force after it; CEILING: it is capped.',
      resolve: ({ after }) => after.layer,
    }),
  }),
});

const AgentConfigChangeStatus = defineEnum('AgentConfigChangeStatus', 'What a change of many does to one person.', {
  CHANGED: 'Their limits change.',
  UNCHANGED: 'They have these limits already; nothing is written for them.',
  INVALID: 'Their limits cannot be changed so; `problems` says why.',
  CONFLICT: 'Their limits were changed meanwhile; `config` is what stands now.',
  MISSING: 'There is no such person any more.',
});

const AgentConfigChange = builder.objectRef<PersonOutcome>('AgentConfigChange').implement({
  description: 'What a change of many does, or would do, to one person.',
  fields: (t) => ({
    userId: t.exposeID('userId', { description: 'Whose limits.' }),
    user: t.field({
      type: User,
      nullable: true,
      description: 'The person; null when there is none any more.',
      resolve: async ({ userId }, _args, { people }) => (await people.find(userId)) ?? null,
    }),
    status: t.field({
      type: AgentConfigChangeStatus,
      description: 'What becomes of their limits.',
      resolve: ({ status }) => status,
    }),
    changes: t.field({
      type: [LimitChange],
      description: 'Each limit that moves.',
      resolve: ({ plan }) => [...plan.moves],
    }),
    problems: t.field({
      type: [FieldProblemType],
      description: 'Why their limits cannot be changed so.',
      resolve: ({ plan }) => [...plan.problems],
    }),
    config: t.field({
      type: AgentConfig,
      description: 'Their limits as they stand, after the change once it was made; `version` is for the next one.',
      resolve: ({ settings }) => settings,
    }),
  }),
});

const countOf = ({ people }: ManyOutcome, ...statuses: readonly PersonOutcome['status'][]) =>
  people.filter(({ status }) => statuses.includes(status)).length;

const AgentConfigsUpdate = builder.objectRef<ManyOutcome>('AgentConfigsUpdate').implement({
  description: 'What a change of many did, or would do: everybody is changed, or nobody.',
  fields: (t) => ({
    applied: t.exposeBoolean('applied', {
      description: 'Whether it was made: false for a dry run, and when anybody is refused.',
    }),
    changed: t.int({ description: 'How many people’s limits move.', resolve: (all) => countOf(all, 'CHANGED') }),
    unchanged: t.int({ description: 'How many have them already.', resolve: (all) => countOf(all, 'UNCHANGED') }),
    refused: t.int({
      description: 'For how many it cannot be made.',
      resolve: (all) => countOf(all, 'INVALID', 'CONFLICT', 'MISSING'),
    }),
    people: t.field({
      type: [AgentConfigChange],
      description: 'One entry for each person.',
      resolve: ({ people }) => [...people],
    }),
  }),
});

const UpdateAgentConfigsResult = builder.unionType('UpdateAgentConfigsResult', {
  description: 'What it does to each person, or what is wrong with the request itself.',
  types: [AgentConfigsUpdate, invalidTypes.InvalidAgentConfig],
  resolveType: (value) => ('problems' in value ? 'InvalidAgentConfig' : 'AgentConfigsUpdate'),
});

const AgentConfigTarget = builder.inputType('AgentConfigTarget', {
  description: 'One of the people whose limits are changed together.',
  fields: (t) => ({
    userId: t.id({ required: true, description: 'Whose limits.' }),
    expectedVersion: t.int({ description: 'The version that the change is based on.' }),
    changes: t.field({
      type: AgentConfigOverride,
      description: 'For this person instead of the common changes; null clears a limit.',
    }),
  }),
});

const UpdateAgentConfigsInput = builder.inputType('UpdateAgentConfigsInput', {
  description: 'Whose limits to change, and how. Name the people, or search for them.',
  fields: (t) => ({
    people: t.field({
      type: [AgentConfigTarget],
      description: `Whose, at most ${mostAtOnce}. Anybody but the caller is for administrators.`,
    }),
    search: t.string({
      description: `For administrators, instead of \`people\`: everybody whose name or address contains this; an empty text finds all. At most ${mostAtOnce}.`,
    }),
    changes: t.field({
      type: AgentConfigOverride,
      description: 'Only the limits present change; null clears one, so that the default applies again.',
    }),
    dryRun: t.boolean({ defaultValue: false, description: 'Only tell what would happen.' }),
  }),
});

type Input = typeof UpdateAgentConfigsInput.$inferInput;
type Change = Readonly<Record<string, unknown>>;

builder.mutationField('updateAgentConfigs', (t) =>
  t.field({
    type: UpdateAgentConfigsResult,
    description:
      'Changes the limits of many people from their next questions on: everybody, or nobody when anybody’s change is refused.',
    args: { input: t.arg({ type: UpdateAgentConfigsInput, required: true, description: 'Whose and what.' }) },
    resolve: async (_root, { input }, context) => {
      const people = await peopleOf(context, input);
      if ('message' in people) return invalid([{ ...people, value: undefined, min: undefined, max: mostAtOnce }]);
      const actorId = viewerOf(context).userId;
      return context.settings.changeMany(agentConfigGroup, { actorId, people, dryRun: input.dryRun ?? false });
    },
  }),
);

async function peopleOf(
  context: OracleContext,
  { people, search, changes }: Input,
): Promise<readonly PersonRequest[] | { field: string; message: string }> {
  const viewer = viewerOf(context);
  if (search != null) viewer.assertAdmin();
  const common = (changes ?? {}) as Change;
  const named = (people ?? []).map((person) => ({
    userId: viewer.subject(person.userId),
    expectedVersion: person.expectedVersion ?? undefined,
    wish: wishOf((person.changes ?? common) as Change),
  }));
  if (search != null && named.length > 0) {
    return { field: 'search', message: 'Name people or search for them, not both.' };
  }
  const found = search == null ? [] : await context.people.idsFor(search, mostAtOnce + 1);
  const all = [...named, ...found.map((userId) => ({ userId, expectedVersion: undefined, wish: wishOf(common) }))];
  if (all.length > mostAtOnce) {
    const message = `At most ${mostAtOnce.toLocaleString('en')} people can be changed at once; choose fewer.`;
    return { field: search == null ? 'people' : 'search', message };
  }
  if (all.length === 0) return { field: 'people', message: 'There is nobody to change: choose somebody.' };
  if (new Set(all.map(({ userId }) => userId)).size < all.length) {
    return { field: 'people', message: 'Somebody is named twice.' };
  }
  if (all.every(({ wish }) => Object.keys(wish.set).length + wish.clear.length === 0)) {
    return { field: 'changes', message: 'There is nothing to change: choose at least one limit.' };
  }
  return all;
}

function wishOf(change: Change) {
  const named = Object.entries(change).filter(([, value]) => value !== undefined);
  return {
    set: Object.fromEntries(named.filter(([, value]) => value !== null)),
    clear: named.filter(([, value]) => value === null).map(([name]) => name),
  };
}
