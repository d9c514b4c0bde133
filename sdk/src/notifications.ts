import { type Bind, everyPage, withOne } from './call.ts';
import {
  AcknowledgeNoticesDocument,
  CancelNoticeDocument,
  InboxChangedDocument,
  InboxDocument,
  NotificationProblemsDocument,
  NotificationSubscribersDocument,
  RunEventsDocument,
  SetNotificationDocument,
  UnseenNoticesDocument,
} from './generated/documents.ts';
import type { RunId } from './generated/ids.ts';
import type {
  InboxEntryFragment,
  InboxQuery,
  InboxQueryVariables,
  NotificationProblemsQuery,
  NotificationSubscriberFragment,
  RunEventsQuery,
  RunEventsQueryVariables,
  SetNotificationMutation,
  SetNotificationMutationVariables,
} from './generated/types.ts';
import type { RequestOptions } from './request.ts';
import type { Subscribe } from './subscribe.ts';

/** One page of the inbox. */
export type InboxPage = InboxQuery['inbox'];
/** One page of what happened in a run. */
export type RunEventPage = NonNullable<RunEventsQuery['run']>['events'];
/** A file of subscribers that is not used, and why. */
/** The subscriber as it now stands, or why it was not switched: core ones stay on. */
export type SetNotificationResult = SetNotificationMutation['setNotification'];
export type SubscriberProblem = NotificationProblemsQuery['notificationProblems'][number];

/** What you and the agent are told of, what waits for you, and what happened in runs. */
export interface NotificationsApi {
  /** Everything that can be told, with its switch. */
  subscribers(options?: RequestOptions): Promise<readonly NotificationSubscriberFragment[]>;
  /** Files that are not used. Administrators only. */
  problems(options?: RequestOptions): Promise<readonly SubscriberProblem[]>;
  /** Switches one on or off for yourself, from the next turn on. */
  set(which: SetNotificationMutationVariables, options?: RequestOptions): Promise<SetNotificationResult>;
  /** One page of the inbox, newest first. */
  inbox(which?: InboxQueryVariables, options?: RequestOptions): Promise<InboxPage>;
  /** The whole inbox, page by page as you read. */
  all(which?: Omit<InboxQueryVariables, 'after'>, options?: RequestOptions): AsyncGenerator<InboxEntryFragment, void>;
  /** How many entries are not acknowledged. */
  unseen(options?: RequestOptions): Promise<number>;
  /** Marks entries as seen, all of them without ids; says how many were not before. */
  acknowledge(ids?: readonly string[], options?: RequestOptions): Promise<number>;
  /** Takes back a notice that no agent got yet. */
  cancel(id: string, options?: RequestOptions): Promise<boolean>;
  /** How many are unseen now, and again whenever that changes. Aborting the signal ends the loop. */
  watch(options?: RequestOptions): AsyncGenerator<number, void>;
  /** What happened in a run, oldest first. Null when there is no such run. */
  events(
    id: RunId,
    which?: Omit<RunEventsQueryVariables, 'id'>,
    options?: RequestOptions,
  ): Promise<RunEventPage | null>;
}

/** Binds notifications to a way of sending requests and of listening. */
export function makeNotificationsApi(bind: Bind, subscribe: Subscribe): NotificationsApi {
  const inbox = bind(InboxDocument);
  const subscribers = bind(NotificationSubscribersDocument);
  const problems = bind(NotificationProblemsDocument);
  const unseen = bind(UnseenNoticesDocument);
  const acknowledge = bind(AcknowledgeNoticesDocument);
  const events = bind(RunEventsDocument);
  return {
    subscribers: (options) => subscribers({}, options),
    problems: (options) => problems({}, options),
    set: bind(SetNotificationDocument),
    inbox,
    all: everyPage(inbox),
    unseen: (options) => unseen({}, options),
    acknowledge: (ids, options) => acknowledge(ids === undefined ? {} : { ids: [...ids] }, options),
    cancel: withOne('id', bind(CancelNoticeDocument)),
    async *watch(options = {}) {
      for await (const { inboxChanged } of subscribe(InboxChangedDocument, {}, options)) yield inboxChanged.unseen;
    },
    events: async (id, which, options) => (await events({ id, ...which }, options))?.events ?? null,
  };
}
