import type { TimelineAgent, TimelineCall, TimelineTurn } from '../runs/timeline.ts';
import { builder } from './builder.ts';
import { defineEnum } from './enum.ts';
import { Run } from './run.ts';

const TimelineCallStatus = defineEnum('TimelineCallStatus', 'How a tool call stands.', {
  WAITING: 'It waits for others to finish.',
  RUNNING: 'It is being run.',
  SUCCEEDED: 'It has a result.',
  FAILED: 'It has an error.',
  NOT_RUN: 'It was not run.',
});

const Call = builder.objectRef<TimelineCall>('TimelineCall').implement({
  description: 'A tool call in the course of a turn.',
  fields: (t) => ({
    callId: t.exposeID('callId', { description: 'Which call.' }),
    name: t.exposeString('name', { description: 'Which tool.' }),
    agent: t.string({
      nullable: true,
      description: "The sub-agent that made it; null for the oracle's own.",
      resolve: ({ agent }) => agent ?? null,
    }),
    status: t.field({ type: TimelineCallStatus, description: 'How it stands.', resolve: ({ status }) => status }),
    requestedAt: t.field({
      type: 'DateTime',
      description: 'When the model had asked for it.',
      resolve: ({ requestedAt }) => new Date(requestedAt),
    }),
    startedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it began to run.',
      resolve: ({ startedAt }) => timeOrNull(startedAt),
    }),
    endedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was done.',
      resolve: ({ endedAt }) => timeOrNull(endedAt),
    }),
    durationMs: t.int({
      nullable: true,
      description: 'How long it took.',
      resolve: ({ durationMs }) => durationMs ?? null,
    }),
    arguments: t.expose('arguments', { type: 'JSON', nullable: true, description: 'What it was called with.' }),
    result: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What it answered.',
      resolve: ({ result }) => result ?? null,
    }),
    error: t.string({ nullable: true, description: 'What went wrong.', resolve: ({ error }) => error ?? null }),
  }),
});

const Agent = builder.objectRef<TimelineAgent>('TimelineAgent').implement({
  description: 'The work of a sub-agent in the course of a turn.',
  fields: (t) => ({
    agent: t.exposeString('agent', { description: 'Which one, such as librarian.' }),
    startedAt: t.field({
      type: 'DateTime',
      description: 'When it was first heard of.',
      resolve: ({ startedAt }) => new Date(startedAt),
    }),
    endedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was last heard of; null while it is at work.',
      resolve: ({ endedAt }) => timeOrNull(endedAt),
    }),
    notes: t.stringList({ description: 'What was told about its work.', resolve: ({ notes }) => [...notes] }),
  }),
});

const Turn = builder.objectRef<TimelineTurn>('TimelineTurn').implement({
  description: 'One turn: a model call, and the tool calls that it asked for.',
  fields: (t) => ({
    turn: t.exposeInt('turn', { description: 'Its number; 1 is the first.' }),
    startedAt: t.field({
      type: 'DateTime',
      description: 'When it began, and with it the model call.',
      resolve: ({ startedAt }) => new Date(startedAt),
    }),
    firstTokenAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the model was first heard of: a word, a thought or a tool call.',
      resolve: ({ firstTokenAt }) => timeOrNull(firstTokenAt),
    }),
    modelEndedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the model had said all it had to say in this turn; null while it speaks.',
      resolve: ({ modelEndedAt }) => timeOrNull(modelEndedAt),
    }),
    endedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the turn ended; null while it goes on.',
      resolve: ({ endedAt }) => timeOrNull(endedAt),
    }),
    tokens: t.int({
      nullable: true,
      description:
        "Tokens that it took, sub-agents' included; null until it has ended, and in runs of earlier versions.",
      resolve: ({ tokens }) => tokens ?? null,
    }),
    calls: t.field({
      type: [Call],
      description: 'The tool calls, in the order in which they were asked for; those of sub-agents too.',
      resolve: ({ calls }) => [...calls],
    }),
    agents: t.field({
      type: [Agent],
      description: 'The sub-agents that worked in this turn.',
      resolve: ({ agents }) => [...agents],
    }),
  }),
});

builder.objectField(Run, 'timeline', (t) =>
  t.field({
    type: [Turn],
    description: 'When what happened, turn by turn.',
    args: { turn: t.arg.int({ description: 'Only this turn.' }) },
    resolve: async (run, { turn }, { runs }) => {
      const turns = await runs.store.timeline(run);
      return turns.filter((one) => turn == null || one.turn === turn);
    },
  }),
);

function timeOrNull(time: number | undefined): Date | null {
  return time === undefined ? null : new Date(time);
}
