import type { ExchangeRecord } from '../runs/exchanges.ts';
import type { ExchangeSource as SourceRow, ExchangeToolCall as ToolCallRow } from '../store/entities/exchange.ts';
import { builder } from './builder.ts';
import { type OracleContext, viewerOf } from './context.ts';
import { EndingType, endingOfRun } from './ending.ts';
import { defineEnum } from './enum.ts';

const ExchangeKind = defineEnum('ExchangeKind', 'What an exchange began with.', {
  ASK: 'A question.',
  CONTINUE: 'Going on with the exchange before it: `continueRun`.',
  ANSWER_NOW: 'Answering from what the exchange before it had found: `answerNow`.',
});

const ToolCallFate = defineEnum('ToolCallFate', 'What became of a tool call.', {
  SUCCEEDED: 'It has a result.',
  FAILED: 'It has an error.',
  NOT_RUN: 'It was not run.',
  STOPPED: 'It was stopped when the run ended.',
  UNKNOWN: 'Its end was not heard of, or it is under way.',
});

const fates = {
  succeeded: 'SUCCEEDED',
  failed: 'FAILED',
  'not-run': 'NOT_RUN',
  stopped: 'STOPPED',
  unknown: 'UNKNOWN',
} as const;

const ExchangeToolCall = builder.objectRef<ToolCallRow>('ExchangeToolCall').implement({
  description: 'A tool call of an exchange, with what came of it.',
  fields: (t) => ({
    callId: t.exposeID('callId', { description: 'Which call.' }),
    name: t.exposeString('name', { description: 'Which tool.' }),
    arguments: t.expose('arguments', { type: 'JSON', nullable: true, description: 'What it was called with.' }),
    turn: t.exposeInt('turn', { description: 'In which turn.' }),
    fate: t.field({ type: ToolCallFate, description: 'What became of it.', resolve: ({ fate }) => fates[fate] }),
    result: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What it answered.',
      resolve: ({ result }) => result ?? null,
    }),
    error: t.string({ nullable: true, description: 'What went wrong.', resolve: ({ error }) => error ?? null }),
    durationMs: t.int({
      nullable: true,
      description: 'How long it took.',
      resolve: ({ durationMs }) => durationMs ?? null,
    }),
    answerLength: t.exposeInt('answerLength', {
      description: 'How many characters of the answer had been written when it was called: where to show it.',
    }),
  }),
});

const ExchangeSource = builder.objectRef<SourceRow>('ExchangeSource').implement({
  description: 'Where something in an answer comes from.',
  fields: (t) => ({
    kind: t.exposeString('kind', { description: 'VAULT, CODE or THREAD.' }),
    path: t.exposeString('path', { description: 'Where it lies.' }),
    title: t.string({ nullable: true, description: 'What it is called.', resolve: ({ title }) => title ?? null }),
    line: t.int({ nullable: true, description: 'In which line.', resolve: ({ line }) => line ?? null }),
    snippet: t.string({ nullable: true, description: 'A piece of it.', resolve: ({ snippet }) => snippet ?? null }),
    score: t.float({ nullable: true, description: 'How well it fits.', resolve: ({ score }) => score ?? null }),
  }),
});

export const Exchange = builder.objectRef<ExchangeRecord>('Exchange').implement({
  description: 'One question and its answer.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Send it as `nodeId` to branch from here.' }),
    parentId: t.exposeID('parentId', { nullable: true, description: 'The exchange before it; null at the root.' }),
    conversationId: t.exposeID('conversationId', { description: 'The conversation it belongs to.' }),
    runId: t.exposeID('runId', { description: 'The run that filled it.' }),
    kind: t.field({ type: ExchangeKind, description: 'What it began with.', resolve: ({ kind }) => kind }),
    question: t.exposeString('question', {
      description: 'What was asked; when it goes on with the exchange before it, what was asked there.',
    }),
    answer: t.exposeString('answer', { description: 'What was answered, as far as it got.' }),
    partial: t.exposeBoolean('partial', {
      description: 'Whether something cut the answer off, or it is still being written.',
    }),
    label: t.exposeString('label', { nullable: true, description: 'A name that somebody gave it.' }),
    checkpoint: t.exposeBoolean('checkpoint', { description: 'Whether it is kept when branches are pruned.' }),
    ending: t.field({
      type: EndingType,
      nullable: true,
      description: 'How its run ended; null while it is going on.',
      resolve: ({ runId, ending }) => endingOfRun(runId, ending),
    }),
    toolCalls: t.field({
      type: [ExchangeToolCall],
      description: 'The tool calls with their results, in the order of the calls.',
      resolve: async (exchange, _args, { runs }) => [...(await runs.store.exchanges.work(exchange)).toolCalls],
    }),
    sources: t.field({
      type: [ExchangeSource],
      description: 'What was cited.',
      resolve: async (exchange, _args, { runs }) => [...(await runs.store.exchanges.work(exchange)).sources],
    }),
    childCount: t.int({
      description: 'How many exchanges follow this one directly; more than one where the conversation branches.',
      resolve: ({ id }, _args, { runs }) => runs.store.exchanges.childCount(id),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was asked.' }),
  }),
});

/** An exchange that the caller may see, with its owner; foreign ones are as good as missing. */
export async function reachableExchange(context: OracleContext, id: string) {
  const viewer = viewerOf(context);
  const exchange = await context.runs.store.exchanges.find(id);
  const conversation = exchange && (await context.conversations.find(exchange.conversationId));
  return conversation && viewer.mayReach(conversation.userId) ? { exchange, conversation } : undefined;
}

builder.queryField('exchange', (t) =>
  t.field({
    type: Exchange,
    nullable: true,
    description: 'An exchange by id; null when there is none that the caller may see.',
    args: { id: t.arg.id({ required: true, description: 'Which exchange.' }) },
    resolve: async (_root, { id }, context) => (await reachableExchange(context, id))?.exchange ?? null,
  }),
);
