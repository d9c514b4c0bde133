import { notFound } from '../access/access-error.ts';
import { isIdentifier } from '../access/identifier.ts';
import type { AgentConfig as AgentConfigValues } from '../agent/config.ts';
import { listDecisionTrees } from '../agent/decision-tree.ts';
import type { RecordedDecision } from '../runs/log-reading.ts';
import type { RunRecord } from '../runs/run-store.ts';
import { agentConfigGroup } from '../settings/setting-group.ts';
import type { SettingsInForce } from '../settings/user-settings-service.ts';
import { AgentConfig } from './agent-config.ts';
import { builder } from './builder.ts';
import { type OracleContext, viewerOf } from './context.ts';
import { EndingType, endingOfRun, TerminationReason } from './ending.ts';
import { defineEnum } from './enum.ts';

export const RunStatus = defineEnum('RunStatus', 'Whether a run is still going on.', {
  RUNNING: 'It is.',
  ENDED: 'It is not; its ending says why.',
});

const Evaluation = builder.objectRef<RecordedDecision['evaluations'][number]>('Evaluation').implement({
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

const DecisionType = builder.objectRef<RecordedDecision>('Decision').implement({
  description: 'One decision about going on: "why did it not stop at turn 6?" is answered from these.',
  fields: (t) => ({
    turn: t.exposeInt('turn', { description: 'How many turns were complete.' }),
    at: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was made; null in runs of earlier versions.',
      resolve: ({ at }) => at ?? null,
    }),
    tokens: t.int({
      nullable: true,
      description: 'Tokens used until then, without the coming call; null in runs of earlier versions.',
      resolve: ({ tokens }) => tokens ?? null,
    }),
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
