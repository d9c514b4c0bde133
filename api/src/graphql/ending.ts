import type { Ending } from '../agent/ending.ts';
import { totalTokens, type Usage } from '../agent/usage.ts';
import { builder } from './builder.ts';
import { defineEnum } from './enum.ts';

export const TerminationReason = defineEnum(
  'TerminationReason',
  'Why a run ended. The first that holds, in this order.',
  {
    CANCELLED: 'The person, another tab or an administrator cancelled it.',
    COMPLETED: 'The model finished its answer.',
    MAX_ITERATIONS: 'All turns are used.',
    TOKEN_BUDGET: 'The tokens are used, or the next call could not fit.',
    TIMEOUT: 'The time ran out.',
    NO_PROGRESS: 'Three turns in a row brought nothing new.',
    ERROR_LIMIT: 'Every tool call failed in three turns in a row.',
    MODEL_ERROR: 'The provider failed for good.',
    INTERRUPTED: 'The server stopped, and the run could not be continued.',
  },
);

export const LimitType = defineEnum('LimitType', 'Which limit is meant.', {
  ITERATIONS: 'Turns.',
  TOKENS: 'Tokens.',
  TIME: 'Seconds.',
  TOOL_CALLS: 'Tool calls of a turn.',
  CONTEXT: "The model's window.",
});

const ToolFate = defineEnum('ToolFate', 'What became of a tool that had to be stopped.', {
  FINISHED: 'It finished all the same.',
  STOPPED: 'It stopped when told to.',
  UNKNOWN: 'It never answered; its work may or may not be done.',
});

const UsageType = builder.objectRef<Usage>('Usage').implement({
  description: 'Tokens used.',
  fields: (t) => ({
    inputTokens: t.exposeInt('inputTokens', { description: 'Sent to the model, cached ones included.' }),
    cachedInputTokens: t.exposeInt('cachedInputTokens', {
      description: 'Of the input: read from the provider’s cache.',
    }),
    outputTokens: t.exposeInt('outputTokens', { description: 'Written by the model, reasoning included.' }),
    reasoningTokens: t.exposeInt('reasoningTokens', { description: 'Of the output: reasoning.' }),
    totalTokens: t.int({ description: 'What counts against the budget.', resolve: totalTokens }),
    estimated: t.exposeBoolean('estimated', {
      description: 'Whether any part was estimated, as the provider did not say.',
    }),
  }),
});

const UnfinishedTool = builder.objectRef<Ending['unfinishedTools'][number]>('UnfinishedTool').implement({
  description: 'A tool that was still running when it had to stop.',
  fields: (t) => ({
    callId: t.exposeID('callId', { description: 'Which call.' }),
    name: t.exposeString('name', { description: 'Which tool.' }),
    fate: t.field({
      type: ToolFate,
      description: 'What became of it.',
      resolve: ({ fate }) => (({ finished: 'FINISHED', stopped: 'STOPPED', unknown: 'UNKNOWN' }) as const)[fate],
    }),
  }),
});

const Saved = builder.objectRef<Ending['saved']>('SavedWork').implement({
  description: 'What of a run can be read again.',
  fields: (t) => ({
    contentCharacters: t.exposeInt('contentCharacters', { description: 'How much of the answer.' }),
    toolCalls: t.exposeInt('toolCalls', { description: 'How many tool calls, with their results.' }),
    sources: t.exposeInt('sources', { description: 'How many sources.' }),
  }),
});

const NextActionKind = defineEnum('NextActionKind', 'What can be done after an ending.', {
  CONTINUE: 'Go on with more turns: `continueRun`.',
  ANSWER_NOW: 'Answer from what there is: `answerNow`.',
  BRANCH: 'Ask differently from an earlier exchange: `oracleQuery` with a `nodeId`.',
});

type NextActionOfRun = Ending['nextActions'][number] & { readonly runId: string };

const NextAction = builder.objectRef<NextActionOfRun>('NextAction').implement({
  description: 'Something that can be done after this ending.',
  fields: (t) => ({
    action: t.field({ type: NextActionKind, description: 'What.', resolve: ({ action }) => action }),
    label: t.exposeString('label', { description: 'For a button.' }),
    runId: t.exposeID('runId', { description: 'The run that ended: send it to `continueRun` or `answerNow`.' }),
    turns: t.int({
      nullable: true,
      description: 'How many turns it takes at most, unless a ceiling allows fewer; null for branching.',
      resolve: ({ turns }) => turns ?? null,
    }),
  }),
});

/** An ending together with the run it belongs to. */
export type EndingOfRun = Ending & { readonly runId: string };

export function endingOfRun(runId: string, ending: Ending): EndingOfRun;
export function endingOfRun(runId: string, ending: Ending | null | undefined): EndingOfRun | null;
export function endingOfRun(runId: string, ending: Ending | null | undefined): EndingOfRun | null {
  return ending ? { ...ending, runId } : null;
}

export const EndingType = builder.objectRef<EndingOfRun>('Ending').implement({
  description: 'The one record of how a run ended.',
  fields: (t) => ({
    reason: t.field({ type: TerminationReason, description: 'Why.', resolve: ({ reason }) => reason }),
    message: t.exposeString('message', { description: 'Why, in words, with the numbers.' }),
    limitType: t.field({
      type: LimitType,
      nullable: true,
      description: 'Which limit.',
      resolve: (it) => it.limitType ?? null,
    }),
    usedValue: t.float({ nullable: true, description: 'How much was used.', resolve: (it) => it.usedValue ?? null }),
    limitValue: t.float({
      nullable: true,
      description: 'How much was allowed.',
      resolve: (it) => it.limitValue ?? null,
    }),
    turns: t.exposeInt('turns', { description: 'Turns begun.' }),
    usage: t.field({ type: UsageType, description: 'Tokens used.', resolve: ({ usage }) => usage }),
    durationMs: t.exposeInt('durationMs', { description: 'How long it took.' }),
    unfinishedTools: t.field({
      type: [UnfinishedTool],
      description: 'Tools that had to be stopped.',
      resolve: (it) => [...it.unfinishedTools],
    }),
    saved: t.field({ type: Saved, description: 'What can be read again.', resolve: ({ saved }) => saved }),
    nextActions: t.field({
      type: [NextAction],
      description: 'What can be done next.',
      resolve: ({ nextActions, runId }) => nextActions.map((action) => ({ ...action, runId })),
    }),
  }),
});
