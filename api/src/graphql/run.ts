import { notFound } from '../access/access-error.ts';
import { isIdentifier } from '../access/identifier.ts';
import type { AgentConfig as AgentConfigValues } from '../agent/config.ts';
import { listDecisionTrees } from '../agent/decision-tree.ts';
import type { Decision } from '../agent/steps.ts';
import type { RunRecord } from '../runs/run-store.ts';
import { agentConfigGroup } from '../settings/setting-group.ts';
import type { SettingsInForce } from '../settings/user-settings-service.ts';
import { AgentConfig } from './agent-config.ts';
import { builder } from './builder.ts';
import { type OracleContext, viewerOf } from './context.ts';
import { EndingType, endingOfRun, TerminationReason } from './ending.ts';
import { defineEnum } from './enum.ts';
import { answerPage, definePage, pageArgs } from './page.ts';

const RunStatus = defineEnum('RunStatus', 'Whether a run is still going on.', {
  RUNNING: 'It is.',
  ENDED: 'It is not; its ending says why.',
});

const Evaluation = builder.objectRef<Decision['evaluations'][number]>('Evaluation').implement({
  description: 'How one condition stood when it was asked.',
  fields: (t) => ({
    reason: t.field({
      type: TerminationReason,
      description: 'The reason it would end the run for.',
      resolve: (it) => it.reason,
    }),
    value: t.exposeFloat('value', { description: 'Where it stood.' }),
    limit: t.exposeFloat('limit', { description: 'Where it would end the run.' }),
    fired: t.exposeBoolean('fired', { description: 'Whether it held.' }),
  }),
});

const DecisionType = builder.objectRef<Decision>('Decision').implement({
  description: 'One decision about going on: "why did it not stop at turn 6?" is answered from these.',
  fields: (t) => ({
    turn: t.exposeInt('turn', { description: 'How many turns were complete.' }),
    continued: t.boolean({ description: 'Whether the run went on.', resolve: ({ verdict }) => verdict.continue }),
    reason: t.field({
      type: TerminationReason,
      nullable: true,
      description: 'Why not, when it did not.',
      resolve: ({ verdict }) => (verdict.continue ? null : verdict.reason),
    }),
    evaluations: t.field({
      type: [Evaluation],
      description: 'Every condition, in order of priority.',
      resolve: ({ evaluations }) => [...evaluations],
    }),
  }),
});

export const Run = builder.objectRef<RunRecord>('Run').implement({
  description: 'One question being answered, or answered.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Follow it with `oracleRun`.' }),
    status: t.field({ type: RunStatus, description: 'Whether it is still going on.', resolve: ({ status }) => status }),
    question: t.exposeString('question', { description: 'What was asked.' }),
    model: t.exposeString('model', { description: 'Which model answers.' }),
    decisionTree: t.exposeString('decisionTree', { description: 'Which decision tree decides.' }),
    conversationId: t.exposeID('conversationId', { description: 'The conversation it belongs to.' }),
    nodeId: t.exposeID('nodeId', { description: 'The exchange it fills.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it began.' }),
    ending: t.field({
      type: EndingType,
      nullable: true,
      description: 'How it ended; null while it is going on.',
      resolve: ({ id, ending }) => endingOfRun(id, ending),
    }),
    config: t.field({
      type: AgentConfig,
      description: 'The limits it runs under.',
      resolve: ({ config }) => asSettings(config),
    }),
    lastSeq: t.int({
      description: 'How far its log goes.',
      resolve: async ({ id }, _args, { runs }) => (await runs.store.lastSeqs([id])).get(id) ?? 0,
    }),
    decisions: t.field({
      type: [DecisionType],
      description: 'Every decision about going on, oldest first.',
      resolve: async ({ id }, _args, { runs }) => [...(await runs.store.decisions(id))],
    }),
  }),
});

const RunConnection = definePage('Run', Run);

const RunFilter = builder.inputType('RunFilter', {
  description: 'Which runs.',
  fields: (t) => ({
    userId: t.id({ description: "Whose: for administrators. Without it, the caller's own." }),
    conversationId: t.id({ description: 'Only those of this conversation.' }),
    reason: t.field({ type: [TerminationReason], description: 'Only those that ended for one of these.' }),
    status: t.field({ type: RunStatus, description: 'Only those going on, or only those ended.' }),
  }),
});

const DecisionTreeInfo = builder.objectRef<ReturnType<typeof listDecisionTrees>[number]>('DecisionTreeInfo').implement({
  description: 'A decision tree that a query may choose.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Send it as `decisionTree`.' }),
    description: t.exposeString('description', { description: 'What it does.' }),
  }),
});

/** A run that the caller may see; foreign ones are as good as missing. */
export async function reachableRun(context: OracleContext, id: string): Promise<RunRecord | undefined> {
  const viewer = viewerOf(context);
  const run = isIdentifier(id) ? await context.runs.store.find(id) : undefined;
  return run && viewer.mayReach(run.userId) ? run : undefined;
}

builder.queryFields((t) => ({
  runs: t.field({
    type: RunConnection,
    description: "The caller's runs, newest first; an administrator may filter by any user.",
    args: { ...pageArgs, filter: t.arg({ type: RunFilter, description: 'Which ones.' }) },
    resolve: async (_root, { first, after, filter }, context) => {
      const userId = viewerOf(context).subject(filter?.userId);
      const { conversationId, reason, status } = filter ?? {};
      const wanted = {
        userId,
        conversationId: conversationId ?? undefined,
        reason: reason ?? undefined,
        status: status ?? undefined,
      };
      return answerPage(context.runs.store.list({ first, after, filter: wanted }));
    },
  }),
  run: t.field({
    type: Run,
    nullable: true,
    description: 'A run by id; null when there is none that the caller may see.',
    args: { id: t.arg.id({ required: true, description: 'Which run.' }) },
    resolve: async (_root, { id }, context) => (await reachableRun(context, id)) ?? null,
  }),
  decisionTrees: t.field({
    type: [DecisionTreeInfo],
    description: 'The decision trees that a query may choose from.',
    resolve: () => [...listDecisionTrees()],
  }),
}));

builder.mutationField('cancelRun', (t) =>
  t.boolean({
    description: 'Stops a run. True when this call ended it; false when it had ended already.',
    args: { runId: t.arg.id({ required: true, description: 'Which run.' }) },
    resolve: async (_root, { runId }, context) => {
      const run = await reachableRun(context, runId);
      if (!run) throw notFound('run');
      return context.runs.cancel(run.id);
    },
  }),
);

/** What was in force when the run began, in the shape in which settings are shown. */
function asSettings(config: AgentConfigValues & { readonly version?: number }): SettingsInForce {
  const fields = agentConfigGroup.fields.map((field) => {
    const value = config[field.name as keyof AgentConfigValues] ?? field.default;
    const layer = 'QUERY' as const;
    return {
      field: field.name,
      value,
      layer,
      own: undefined,
      fallback: value,
      fallbackLayer: layer,
      ceiling: undefined,
    };
  });
  return { fields, version: config.version ?? 1 };
}
