import { AgentConfigOverride } from './agent-config.ts';
import { builder } from './builder.ts';
import { OracleChunk } from './chunk.ts';
import { type OracleContext, viewerOf } from './context.ts';
import { followRun, WhenBusy } from './oracle-query.ts';

const runIdDescription = 'The run to go on with. It has ended, and not with a complete answer.';
const modelDescription = 'Model id; default: the model of that run.';
const whenBusyDescription = 'What to do while another answer is under way in the conversation.';
const keyDescription = 'Same key, same run: a repeated request joins the first instead of starting another.';

const ContinueRunInput = builder.inputType('ContinueRunInput', {
  description: 'Which run to continue, and how far.',
  fields: (t) => ({
    runId: t.id({ required: true, description: runIdDescription }),
    turns: t.int({ description: 'How many turns more, 1 to 50; without it 10. Goes before `config.maxIterations`.' }),
    model: t.string({ description: modelDescription }),
    config: t.field({
      type: AgentConfigOverride,
      description: "Limits for this run only; all others are the user's.",
    }),
    whenBusy: t.field({ type: WhenBusy, defaultValue: 'REJECT', description: whenBusyDescription }),
    idempotencyKey: t.string({ description: keyDescription }),
  }),
});

const AnswerNowInput = builder.inputType('AnswerNowInput', {
  description: 'Which run to answer from.',
  fields: (t) => ({
    runId: t.id({ required: true, description: runIdDescription }),
    model: t.string({ description: modelDescription }),
    config: t.field({
      type: AgentConfigOverride,
      description: "Limits for this run only; all others are the user's. It is one turn in any case.",
    }),
    whenBusy: t.field({ type: WhenBusy, defaultValue: 'REJECT', description: whenBusyDescription }),
    idempotencyKey: t.string({ description: keyDescription }),
  }),
});

builder.subscriptionFields((t) => ({
  continueRun: t.field({
    type: OracleChunk,
    description:
      'Goes on where a run stopped, with what it found, and streams the new run to its DoneChunk. Its exchange follows that of the stopped run, which makes a branch when that is not HEAD.',
    args: { input: t.arg({ type: ContinueRunInput, required: true, description: 'Which run, and how far.' }) },
    subscribe: (_root, { input }, context) => goOn(context, 'CONTINUE', input),
    resolve: (chunk) => chunk,
  }),
  answerNow: t.field({
    type: OracleChunk,
    description:
      'Answers in one turn, without tools, from what a stopped run and those it continued found; streams the new run to its DoneChunk.',
    args: { input: t.arg({ type: AnswerNowInput, required: true, description: 'Which run.' }) },
    subscribe: (_root, { input }, context) => goOn(context, 'ANSWER_NOW', input),
    resolve: (chunk) => chunk,
  }),
}));

type GoOnInput = typeof AnswerNowInput.$inferInput & Pick<typeof ContinueRunInput.$inferInput, 'turns'>;

async function goOn(context: OracleContext, kind: 'CONTINUE' | 'ANSWER_NOW', input: GoOnInput) {
  const outcome = await context.oracle.goOn({
    userId: viewerOf(context).userId,
    kind,
    runId: input.runId,
    turns: input.turns ?? undefined,
    model: input.model ?? undefined,
    config: input.config ?? undefined,
    whenBusy: input.whenBusy ?? 'REJECT',
    idempotencyKey: input.idempotencyKey ?? undefined,
  });
  return followRun(context, outcome);
}
