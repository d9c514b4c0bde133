import { GraphQLError } from 'graphql';
import { badInput, notFound } from '../access/access-error.ts';
import type { AskOutcome } from '../runs/ask.ts';
import { AgentConfigOverride } from './agent-config.ts';
import { builder } from './builder.ts';
import { OracleChunk } from './chunk.ts';
import { type OracleContext, viewerOf } from './context.ts';
import { defineEnum } from './enum.ts';

export const WhenBusy = defineEnum('WhenBusy', 'What to do while the conversation waits for another answer.', {
  REJECT: 'Refuse the question and name the run that is under way.',
  CANCEL_PREVIOUS: 'Cancel the run that is under way, then ask.',
});

const OracleQueryInput = builder.inputType('OracleQueryInput', {
  description: 'A question, and how to answer it.',
  fields: (t) => ({
    question: t.string({ required: true, description: 'What to ask, at most 32 000 characters.' }),
    conversationId: t.id({ description: 'Continue this conversation from its HEAD; without it a new one starts.' }),
    nodeId: t.id({ description: 'Branch: ask from this earlier exchange instead of HEAD.' }),
    projectId: t.id({
      description: "Whose knowledge the tools see; without it, the conversation's or the default project.",
    }),
    model: t.string({ description: "Model id, such as offline or simulated/loop; default: the user's setting." }),
    decisionTree: t.string({ description: 'Name of a registered decision tree; default: "default".' }),
    config: t.field({
      type: AgentConfigOverride,
      description: 'Limits for this query only, within the bounds and ceilings.',
    }),
    whenBusy: t.field({
      type: WhenBusy,
      defaultValue: 'REJECT',
      description: 'What to do while another answer is under way.',
    }),
    idempotencyKey: t.string({
      description: 'Same key, same run: a repeated request joins the first instead of starting another.',
    }),
  }),
});

const longestGathering = 1_000;

builder.subscriptionFields((t) => ({
  oracleQuery: t.field({
    type: OracleChunk,
    description:
      'Asks, and streams the run to its DoneChunk. The run goes on when nobody listens; `cancelRun` stops it.',
    args: { input: t.arg({ type: OracleQueryInput, required: true, description: 'The question.' }) },
    subscribe: async (_root, { input }, context) => {
      const { userId } = viewerOf(context);
      const outcome = await context.oracle.ask({
        userId,
        question: input.question,
        conversationId: input.conversationId ?? undefined,
        nodeId: input.nodeId ?? undefined,
        projectId: input.projectId ?? undefined,
        model: input.model ?? undefined,
        decisionTree: input.decisionTree ?? undefined,
        config: input.config ?? undefined,
        whenBusy: input.whenBusy ?? 'REJECT',
        idempotencyKey: input.idempotencyKey ?? undefined,
      });
      return followRun(context, outcome);
    },
    resolve: (chunk) => chunk,
  }),
  oracleRun: t.field({
    type: OracleChunk,
    description: 'Replays the run after `after` (0: from the start), then follows it to its DoneChunk.',
    args: {
      runId: t.arg.id({ required: true, description: 'Which run.' }),
      after: t.arg.int({ defaultValue: 0, description: 'The last `seq` seen.' }),
      gather: t.arg.int({
        defaultValue: 0,
        description: `Milliseconds, 0 to ${longestGathering}, in which deltas of text are gathered and then come as one chunk, \`fromSeq\` to \`seq\`: for readers that show a text, who need no more than one piece a frame.`,
      }),
    },
    subscribe: async (_root, { runId, after, gather }, context) => {
      const viewer = viewerOf(context);
      const owner = await context.runs.store.ownerOf(runId);
      if (owner === undefined || !viewer.mayReach(owner)) throw notFound('run');
      if ((after ?? 0) < 0) throw badInput('after must be 0 or the last seq that was seen.');
      if ((gather ?? 0) < 0 || (gather ?? 0) > longestGathering)
        throw badInput(`gather must be between 0 and ${longestGathering} milliseconds.`);
      return followChunks(context, runId.toLowerCase(), after ?? 0, gather ?? 0);
    },
    resolve: (chunk) => chunk,
  }),
}));

/** The stream of the run that was started, or the reason why none was. */
export function followRun(context: OracleContext, outcome: AskOutcome) {
  if (outcome.type !== 'running') throw refusal(outcome);
  return followChunks(context, outcome.runId, 0);
}

/** Whoever reads a run to its end need not be told of it any more. Nobody but its person has a notice of it. */
function followChunks(context: OracleContext, runId: string, after: number, gatherMs = 0) {
  const { userId } = viewerOf(context);
  return context.runs.log.follow(runId, after, undefined, () => void context.notices.runSeen(userId, runId), gatherMs);
}

function refusal(outcome: Exclude<AskOutcome, { type: 'running' }>): GraphQLError {
  switch (outcome.type) {
    case 'busy':
      return new GraphQLError('This conversation is waiting for another answer.', {
        extensions: { code: 'CONVERSATION_BUSY', runId: outcome.runId },
      });
    case 'too-many':
      return new GraphQLError(`At most ${outcome.limit} questions can be under way at once.`, {
        extensions: { code: 'TOO_MANY_RUNS', limit: outcome.limit },
      });
    case 'not-found':
      return notFound(outcome.what);
    case 'refused':
      return new GraphQLError(outcome.message, {
        extensions: { code: 'BAD_USER_INPUT', ...(outcome.problems ? { problems: outcome.problems } : {}) },
      });
    case 'stopping':
      return new GraphQLError('The server is stopping; ask again in a moment.', {
        extensions: { code: 'SERVICE_UNAVAILABLE' },
      });
  }
}
