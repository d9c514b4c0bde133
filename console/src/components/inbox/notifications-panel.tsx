import { NotificationProblemsDocument } from '@oracle-agent/sdk/documents';
import { For, Index, Show } from 'solid-js';
import { useApp, useViewer } from '../../state/app-context.ts';
import { createLoad } from '../../state/load.ts';
import { audienceOf, createNotifications, inOrder, type NotificationSubscriber } from '../../state/notifications.ts';
import { formatRelative } from '../../state/time-format.ts';
import { toasts } from '../../state/toasts.ts';
import { words } from '../../words.ts';
import { LoadView } from '../basics/load-view.tsx';
import { EmptyNotice } from '../basics/notice.tsx';
import { StatusPill } from '../basics/status-pill.tsx';
import { Toggle } from '../basics/toggle.tsx';

/** What runs say while they go on, with a switch for everything that is not part of the limits. */
export function NotificationsPanel() {
  const { session } = useApp();
  const viewer = useViewer();
  const notifications = createNotifications(session.client);
  const switching = new Set<string>();

  /** While one is moved, pressing it again does nothing. */
  async function flip({ id, title }: NotificationSubscriber, enabled: boolean) {
    if (switching.has(id)) return;
    switching.add(id);
    const problem = await notifications.set(id, enabled);
    switching.delete(id);
    if (problem !== undefined) toasts.show({ text: problem, tone: 'failure' });
    else
      toasts.show({
        text: words.notifications.switched(title, enabled),
        undo: () => notifications.set(id, !enabled),
      });
  }

  return (
    <section aria-label={words.notifications.label}>
      <p class="mb-3 text-muted">{words.notifications.text}</p>
      <Show when={viewer().role === 'ADMIN'}>
        <BadFiles />
      </Show>
      <LoadView state={notifications.state()} onRetry={() => void notifications.reload()}>
        {(loaded) => (
          <div class="rounded-lg border border-line bg-surface">
            <ul class="divide-y divide-line">
              {/* A row stays when its switch has moved, and with it who is in it. */}
              <Index
                each={inOrder(loaded().notificationSubscribers)}
                fallback={<EmptyNotice title={words.notifications.empty} text={words.notifications.emptyText} />}
              >
                {(subscriber) => (
                  <SubscriberRow subscriber={subscriber()} onChange={(enabled) => void flip(subscriber(), enabled)} />
                )}
              </Index>
            </ul>
          </div>
        )}
      </LoadView>
    </section>
  );
}

interface SubscriberRowProps {
  readonly subscriber: NotificationSubscriber;
  readonly onChange: (enabled: boolean) => void;
}

function SubscriberRow(props: SubscriberRowProps) {
  const last = () => {
    const { lastFiredAt } = props.subscriber;
    return lastFiredAt === null
      ? words.notifications.never
      : words.notifications.last(formatRelative(lastFiredAt, new Date()));
  };
  return (
    <li
      class="flex flex-wrap items-start justify-between gap-3 px-4 py-3 sm:px-5"
      data-subscriber={props.subscriber.id}
    >
      <div class="min-w-0 grow basis-80">
        <h2 class="font-medium">{props.subscriber.title}</h2>
        <p class="text-muted">{props.subscriber.description}</p>
        <p class="mt-1 border-l-2 border-line pl-2 text-sm text-muted wrap-anywhere">
          {words.notifications.example} <q class="italic">{props.subscriber.example}</q>
        </p>
        <p class="mt-1 text-sm text-muted">
          {words.notifications.who[audienceOf(props.subscriber)]} · {last()}
        </p>
      </div>
      <Show
        when={!props.subscriber.core}
        fallback={
          <span title={words.notifications.coreText}>
            <StatusPill tone="neutral" text={words.notifications.core} />
          </span>
        }
      >
        <Toggle
          label={props.subscriber.title}
          checked={props.subscriber.enabled}
          text={props.subscriber.enabled ? words.notifications.on : words.notifications.off}
          onChange={(enabled) => props.onChange(enabled)}
        />
      </Show>
    </li>
  );
}

/** Files of the data directory that could not be read, for those who can mend them. */
function BadFiles() {
  const { session } = useApp();
  const loaded = createLoad(session.client, NotificationProblemsDocument, () => ({}));
  const problems = () => {
    const state = loaded.state();
    return state.type === 'ready' ? state.data.notificationProblems : [];
  };
  return (
    <Show when={problems().length > 0}>
      <div class="mb-3 rounded-lg border border-failure-line bg-failure-soft px-4 py-3">
        <h2 class="font-medium text-failure">{words.notifications.problems}</h2>
        <p class="text-sm">{words.notifications.problemsText}</p>
        <ul class="mt-2 flex flex-col gap-1 text-sm wrap-anywhere">
          <For each={problems()}>
            {({ file, line, message }) => (
              <li>
                <code>{words.notifications.line(file, line)}</code>: {message}
              </li>
            )}
          </For>
        </ul>
      </div>
    </Show>
  );
}
