import type { eventSeverities } from '../events/event.ts';
import type { LoggedEvent } from '../runs/event-reading.ts';
import { builder } from './builder.ts';
import { defineEnum } from './enum.ts';
import { answerPage, definePage, pageArgs } from './page.ts';
import { Run } from './run.ts';

const EventSeverity = defineEnum<(typeof eventSeverities)[number]>(
  'EventSeverity',
  'How much an event matters, least first.',
  {
    DEBUG: 'A step on the way.',
    INFO: 'Worth knowing.',
    WARNING: 'Something may go wrong.',
    ERROR: 'Something went wrong.',
    CRITICAL: 'Something went wrong that nothing goes on after.',
  },
);

const RunEvent = builder.objectRef<LoggedEvent>('RunEvent').implement({
  description: 'Something that happened in a run: a turn, a tool call, a warning, a word of a rule.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Counts 1, 2, 3… in the run.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it happened.' }),
    turn: t.exposeInt('turn', { description: 'How many turns had started.' }),
    name: t.exposeString('name', { description: 'What happened, such as tool.call.failure.' }),
    severity: t.field({
      type: EventSeverity,
      description: 'How much it matters.',
      resolve: ({ severity }) => severity,
    }),
    agent: t.exposeString('agent', {
      nullable: true,
      description: 'The sub-agent that it happened to, if it was one.',
    }),
    payload: t.field({
      type: 'JSON',
      description: 'What it carries; arguments and results are in the chunks.',
      resolve: ({ payload }) => payload,
    }),
  }),
});

const RunEventConnection = definePage('RunEvent', RunEvent);

builder.objectField(Run, 'events', (t) =>
  t.field({
    type: RunEventConnection,
    description: 'Everything that happened in the run, oldest first.',
    args: {
      ...pageArgs,
      name: t.arg.string({ description: 'Only this event; `tool.call.*` for all below.' }),
      severity: t.arg({ type: EventSeverity, description: 'Only events of this severity or more.' }),
    },
    resolve: ({ id }, { first, after, name, severity }, { runs }) =>
      answerPage(runs.store.events(id, { first, after, name, severity })),
  }),
);
