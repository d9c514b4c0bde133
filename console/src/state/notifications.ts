import {
  type NotificationSubscriberFragment,
  NotificationSubscribersDocument,
  SetNotificationDocument,
} from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { mutate } from './graphql-client.ts';
import { createLoad } from './load.ts';

export type NotificationSubscriber = NotificationSubscriberFragment;

/** What the person and the agent can be told of, with a switch for each that is not core. */
export function createNotifications(client: Client) {
  const loaded = createLoad(client, NotificationSubscribersDocument, () => ({}));

  /** Answers why it was not possible, or with nothing. */
  async function set(id: string, enabled: boolean): Promise<string | undefined> {
    const answer = await mutate(client, SetNotificationDocument, { id, enabled });
    await loaded.reload();
    if (answer.type === 'failed') return answer.message;
    const { setNotification: result } = answer.data;
    return result.__typename === 'InvalidInput' ? result.message : undefined;
  }

  return { ...loaded, set };
}

/** Who is told, in words' terms: both, the person or the agent. */
export function audienceOf({ tellsYou, tellsAgent }: NotificationSubscriber): 'both' | 'you' | 'agent' {
  if (tellsYou && tellsAgent) return 'both';
  return tellsYou ? 'you' : 'agent';
}

/** Those that can be switched first; within each, by title. */
export function inOrder(subscribers: readonly NotificationSubscriber[]): readonly NotificationSubscriber[] {
  return subscribers.toSorted(
    (one, other) => Number(one.core) - Number(other.core) || one.title.localeCompare(other.title),
  );
}
