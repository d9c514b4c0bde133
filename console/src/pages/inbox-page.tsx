import { Match, Switch } from 'solid-js';
import { PageHeader } from '../components/basics/page-header.tsx';
import { createView, ViewTabs } from '../components/basics/view-tabs.tsx';
import { InboxPanel } from '../components/inbox/inbox-panel.tsx';
import { NotificationsPanel } from '../components/inbox/notifications-panel.tsx';
import { createPlace } from '../state/place.ts';
import { words } from '../words.ts';

const views = [
  { name: 'messages', label: words.inbox.list },
  { name: 'notifications', label: words.notifications.label },
] as const;

export function InboxPage() {
  createPlace(() => words.inbox.title);
  const view = createView<(typeof views)[number]['name']>(views);
  return (
    <div class="mx-auto max-w-4xl">
      <PageHeader title={words.inbox.title} description={words.inbox.description} />
      <ViewTabs label={words.inbox.views} views={views} current={view()} />
      <Switch>
        <Match when={view() === 'messages'}>
          <InboxPanel />
        </Match>
        <Match when={view() === 'notifications'}>
          <NotificationsPanel />
        </Match>
      </Switch>
    </div>
  );
}
