import { notFound } from '../access/access-error.ts';
import type { FileProblem as Problem } from '../declarations/file-problem.ts';
import type { Subscriber } from '../events/subscriber.ts';
import type { NotificationState } from '../notifications/notification-settings.ts';
import { builder } from './builder.ts';
import { type OracleContext, viewerOf } from './context.ts';
import { invalid, invalidTypes } from './problem.ts';

/** A subscriber as it stands with the caller. */
interface OwnSubscriber {
  readonly subscriber: Subscriber;
  readonly state: NotificationState | undefined;
}

const NotificationSubscriber = builder.objectRef<OwnSubscriber>('NotificationSubscriber').implement({
  description: 'Something that you and the agent can be told of.',
  fields: (t) => ({
    id: t.string({
      description: 'Its name, the same for everybody. Send it to `setNotification`.',
      resolve: ({ subscriber }) => subscriber.id,
    }),
    title: t.string({ description: 'What it is called.', resolve: ({ subscriber }) => subscriber.title }),
    description: t.string({ description: 'What it does.', resolve: ({ subscriber }) => subscriber.description }),
    example: t.string({ description: 'What it might say.', resolve: ({ subscriber }) => subscriber.example }),
    events: t.stringList({
      description: 'The events it speaks of.',
      resolve: ({ subscriber }) => [...subscriber.events],
    }),
    core: t.boolean({
      description: 'Whether it is part of the limits, and cannot be switched off.',
      resolve: ({ subscriber }) => subscriber.core,
    }),
    tellsYou: t.boolean({
      description: 'Whether you are told.',
      resolve: ({ subscriber }) => subscriber.tell.includes('PERSON'),
    }),
    tellsAgent: t.boolean({
      description: 'Whether the agent is told.',
      resolve: ({ subscriber }) => subscriber.tell.includes('MODEL'),
    }),
    enabled: t.boolean({
      description: 'Whether it speaks in your runs.',
      resolve: ({ subscriber, state }) => subscriber.core || (state?.enabled ?? true),
    }),
    lastFiredAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it last said something in a run of yours that has ended.',
      resolve: ({ state }) => state?.firedAt ?? null,
    }),
  }),
});

const FileProblem = builder.objectRef<Problem>('FileProblem').implement({
  description: 'Why a file of declarations is not used.',
  fields: (t) => ({
    file: t.exposeString('file', { description: 'The name of the file.' }),
    line: t.exposeInt('line', { description: 'Where in it.' }),
    message: t.exposeString('message', { description: 'What is wrong.' }),
  }),
});

builder.queryFields((t) => ({
  notificationSubscribers: t.field({
    type: [NotificationSubscriber],
    description: 'Everything that you and the agent can be told of, in the order of their ids.',
    resolve: (_root, _args, context) => ownSubscribers(context),
  }),
  notificationProblems: t.field({
    type: [FileProblem],
    description: 'Files of subscribers that are not used, and why. Administrators only.',
    resolve: (_root, _args, context) => {
      viewerOf(context).assertAdmin();
      return [...context.subscriberFiles.problems];
    },
  }),
}));

const SetNotificationResult = builder.unionType('SetNotificationResult', {
  description: 'The subscriber as it now stands with you, or why it was not switched.',
  types: [NotificationSubscriber, invalidTypes.InvalidInput],
  resolveType: (value) => ('problems' in value ? 'InvalidInput' : 'NotificationSubscriber'),
});

builder.mutationField('setNotification', (t) =>
  t.field({
    type: SetNotificationResult,
    description:
      'Switches a subscriber on or off for you, from the next turn on, also of runs under way. Core ones stay on.',
    args: {
      id: t.arg.string({ required: true, description: 'Which subscriber.' }),
      enabled: t.arg.boolean({ required: true, description: 'Whether it may speak.' }),
    },
    resolve: async (_root, { id, enabled }, context) => {
      const { userId } = viewerOf(context);
      const subscriber = context.subscriberFiles.subscribers.find((one) => one.id === id);
      if (!subscriber) throw notFound('subscriber');
      if (subscriber.core && !enabled) {
        const message = `“${subscriber.title}” is part of the limits, and cannot be switched off.`;
        return invalid([{ field: 'enabled', message, value: enabled, min: undefined, max: undefined }]);
      }
      await context.notificationSettings.set(userId, subscriber.id, enabled);
      const states = await context.notificationSettings.states(userId);
      return { subscriber, state: states.find((state) => state.subscriber === subscriber.id) };
    },
  }),
);

async function ownSubscribers(context: OracleContext): Promise<OwnSubscriber[]> {
  const states = await context.notificationSettings.states(viewerOf(context).userId);
  return context.subscriberFiles.subscribers
    .map((subscriber) => ({ subscriber, state: states.find((state) => state.subscriber === subscriber.id) }))
    .toSorted((one, other) => (one.subscriber.id < other.subscriber.id ? -1 : 1));
}
