import type { FollowedChunk } from '../runs/run-log.ts';
import { builder } from './builder.ts';
import { EndingType, endingOfRun, LimitType, TerminationReason } from './ending.ts';
import { defineEnum } from './enum.ts';

type ChunkOf<Type extends FollowedChunk['type']> = Extract<FollowedChunk, { readonly type: Type }>;

const SystemType = defineEnum('SystemType', 'What a system message is about.', {
  LIMIT_WARNING: 'A limit comes near.',
  LIMIT_REACHED: 'A limit ended the run.',
  NO_PROGRESS: 'The run ended because nothing new came of it.',
  ERROR_LIMIT: 'The run ended because its tools kept failing.',
  TOOL_LIMIT: 'Some tool calls of a turn were not run.',
  LOOP_DETECTED: 'The same action keeps coming back.',
  CONTEXT_WARNING: "The model's window fills up.",
  NOTIFICATION: 'Anything else worth knowing.',
});

const Severity = defineEnum('Severity', 'How serious a system message is.', {
  INFO: 'Good to know.',
  WARNING: 'Something will happen unless something changes.',
  ERROR: 'Something happened.',
});

const ToolCallStatus = defineEnum('ToolCallStatus', 'How far a tool call has come.', {
  PENDING: 'The model asked for it.',
  RUNNING: 'It is being run.',
  NOT_RUN: 'It was not run, and the model was told why.',
});

const StreamChunk = builder.interfaceRef<FollowedChunk>('StreamChunk').implement({
  description: "One piece of a run's stream.",
  fields: (t) => ({
    runId: t.exposeID('runId', { description: 'Which run.' }),
    seq: t.exposeInt('seq', {
      description: 'Its place: 1, 2, 3… without gaps. Send the last one seen to continue from it.',
    }),
    fromSeq: t.exposeInt('fromSeq', {
      description: 'Below `seq` where deltas were merged for a slow reader: the first of them.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When it happened.' }),
    agent: t.string({
      nullable: true,
      description:
        'Who did it: null for the oracle itself, otherwise the sub-agent that works for it, such as "librarian".',
      resolve: (it) => it.agent ?? null,
    }),
  }),
});

const ContentChunk = builder.objectRef<ChunkOf<'ContentChunk'>>('ContentChunk').implement({
  description: 'A piece of the answer.',
  interfaces: [StreamChunk],
  fields: (t) => ({ text: t.exposeString('text', { description: 'Append it.' }) }),
});

const ThinkingChunk = builder.objectRef<ChunkOf<'ThinkingChunk'>>('ThinkingChunk').implement({
  description: 'A piece of the model’s reasoning.',
  interfaces: [StreamChunk],
  fields: (t) => ({ text: t.exposeString('text', { description: 'Append it.' }) }),
});

const ToolCallChunk = builder.objectRef<ChunkOf<'ToolCallChunk'>>('ToolCallChunk').implement({
  description: 'A tool call on its way: once for each status it reaches.',
  interfaces: [StreamChunk],
  fields: (t) => ({
    callId: t.exposeID('callId', { description: 'Which call; its result carries the same.' }),
    name: t.exposeString('name', { description: 'Which tool.' }),
    arguments: t.expose('arguments', { type: 'JSON', description: 'What it is called with.' }),
    turn: t.exposeInt('turn', { description: 'In which turn.' }),
    status: t.field({ type: ToolCallStatus, description: 'How far it has come.', resolve: ({ status }) => status }),
  }),
});

const ToolResultChunk = builder.objectRef<ChunkOf<'ToolResultChunk'>>('ToolResultChunk').implement({
  description: 'What came of a tool call.',
  interfaces: [StreamChunk],
  fields: (t) => ({
    callId: t.exposeID('callId', { description: 'Which call.' }),
    name: t.exposeString('name', { description: 'Which tool.' }),
    ok: t.exposeBoolean('ok', { description: 'Whether it worked.' }),
    result: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The result, when it worked.',
      resolve: (it) => it.result ?? null,
    }),
    error: t.string({
      nullable: true,
      description: 'What went wrong, when it did not.',
      resolve: (it) => it.error ?? null,
    }),
    durationMs: t.int({ description: 'How long it took.', resolve: ({ durationMs }) => Math.round(durationMs) }),
  }),
});

const SourceChunk = builder.objectRef<ChunkOf<'SourceChunk'>>('SourceChunk').implement({
  description: 'Something the answer may rely on.',
  interfaces: [StreamChunk],
  fields: (t) => ({
    kind: t.exposeString('kind', { description: 'VAULT, CODE or THREAD.' }),
    path: t.exposeString('path', { description: 'Where it is.' }),
    title: t.string({ nullable: true, description: 'What it is called.', resolve: (it) => it.title ?? null }),
    line: t.int({ nullable: true, description: 'The line it starts at.', resolve: (it) => it.line ?? null }),
    snippet: t.string({
      nullable: true,
      description: 'The passage, at most 500 characters.',
      resolve: (it) => it.snippet ?? null,
    }),
    score: t.float({
      nullable: true,
      description: 'How well it fits, higher is better.',
      resolve: (it) => it.score ?? null,
    }),
  }),
});

const SystemChunk = builder.objectRef<ChunkOf<'SystemChunk'>>('SystemChunk').implement({
  description: 'Something the person should know. Part of the run’s log, never of the conversation.',
  interfaces: [StreamChunk],
  fields: (t) => ({
    systemType: t.field({
      type: SystemType,
      description: 'What it is about.',
      resolve: ({ systemType }) => systemType,
    }),
    severity: t.field({ type: Severity, description: 'How serious it is.', resolve: ({ severity }) => severity }),
    message: t.exposeString('message', { description: 'In words.' }),
    limitType: t.field({
      type: LimitType,
      nullable: true,
      description: 'Which limit.',
      resolve: (it) => it.limitType ?? null,
    }),
    currentValue: t.float({
      nullable: true,
      description: 'How much is used.',
      resolve: (it) => it.currentValue ?? null,
    }),
    limitValue: t.float({
      nullable: true,
      description: 'How much is allowed.',
      resolve: (it) => it.limitValue ?? null,
    }),
    advice: t.string({ nullable: true, description: 'What to do about it.', resolve: (it) => it.advice ?? null }),
  }),
});

const ContextChunk = builder.objectRef<ChunkOf<'ContextChunk'>>('ContextChunk').implement({
  description: "How full the model's window is.",
  interfaces: [StreamChunk],
  fields: (t) => ({
    tokens: t.int({ description: 'Tokens in it, as far as known.', resolve: ({ tokens }) => Math.round(tokens) }),
    windowSize: t.exposeInt('windowSize', { description: 'Tokens it can hold.' }),
  }),
});

const ErrorChunk = builder.objectRef<ChunkOf<'ErrorChunk'>>('ErrorChunk').implement({
  description: 'A failure that ends the run.',
  interfaces: [StreamChunk],
  fields: (t) => ({
    code: t.exposeString('code', { description: 'For programs.' }),
    message: t.exposeString('message', { description: 'For people.' }),
    retryable: t.exposeBoolean('retryable', { description: 'Whether asking again may help.' }),
  }),
});

const DoneChunk = builder.objectRef<ChunkOf<'DoneChunk'>>('DoneChunk').implement({
  description: 'The end: exactly one, always last.',
  interfaces: [StreamChunk],
  fields: (t) => ({
    terminationReason: t.field({
      type: TerminationReason,
      description: 'Why it ended.',
      resolve: (it) => it.terminationReason,
    }),
    ending: t.field({
      type: EndingType,
      description: 'The whole record.',
      resolve: ({ runId, ending }) => endingOfRun(runId, ending),
    }),
    conversationId: t.exposeID('conversationId', { description: 'Send it to go on from here.' }),
    nodeId: t.exposeID('nodeId', { description: 'The exchange this run filled.' }),
  }),
});

export const OracleChunk = builder.unionType('OracleChunk', {
  description: "Everything that a run's stream can carry.",
  types: [
    ContentChunk,
    ThinkingChunk,
    ToolCallChunk,
    ToolResultChunk,
    SourceChunk,
    SystemChunk,
    ContextChunk,
    ErrorChunk,
    DoneChunk,
  ],
  resolveType: ({ type }) => type,
});
