import { UserSettingChangesDocument } from '@oracle-agent/sdk/documents';
import { createEffect, Match, on, Switch } from 'solid-js';
import { useApp, useViewer } from '../../state/app-context.ts';
import { createChangePages } from '../../state/change-pages.ts';
import { query } from '../../state/graphql-client.ts';
import { personHistory } from '../../state/history.ts';
import { createUserSettings } from '../../state/user-settings.ts';
import { words } from '../../words.ts';
import { LoadView } from '../basics/load-view.tsx';
import { createView, ViewTabs } from '../basics/view-tabs.tsx';
import { LayersTable } from '../settings/layers-table.tsx';
import { UserSettingsForm } from '../settings/user-settings-form.tsx';
import { ChangesPanel } from './changes-panel.tsx';
import { TokensPanel } from './tokens-panel.tsx';

const views = [
  { name: 'settings', label: words.people.views.settings },
  { name: 'layers', label: words.people.views.layers },
  { name: 'tokens', label: words.people.views.tokens },
  { name: 'history', label: words.people.views.history },
] as const;

interface PersonViewsProps {
  readonly userId: string;
  readonly self: boolean;
}

/** Everything about one person's settings, the same for themselves and for an administrator. */
export function PersonViews(props: PersonViewsProps) {
  const { session, live } = useApp();
  const viewer = useViewer();
  const view = createView<(typeof views)[number]['name']>(views);
  const userId = props.userId;

  const history = createChangePages(async (request) => {
    const answer = await query(session.client, UserSettingChangesDocument, { userId, ...request });
    if (answer.type === 'failed') return answer;
    const page = answer.data.user?.settingChanges;
    return page
      ? { type: 'data', data: page }
      : { type: 'failed', message: words.frame.notFound.person, forbidden: false };
  });
  const source = personHistory(session.client, userId);
  const readHistory = () => (view() === 'history' ? history.load() : undefined);
  const settings = createUserSettings(session.client, live, userId, () => void readHistory());
  // Only the view decides: reading the log reads signals of its own, which must not start it again.
  createEffect(on(view, () => void readHistory()));

  return (
    <>
      <ViewTabs label={words.people.parts} views={views} current={view()} />
      <Switch>
        <Match when={view() === 'tokens'}>
          <TokensPanel userId={userId} self={props.self} />
        </Match>
        <Match when={view() === 'history'}>
          <ChangesPanel pages={history} source={source} viewerId={viewer().id} emptyText={words.history.emptyPerson} />
        </Match>
        <Match when={view() === 'layers'}>
          <LoadView state={settings.state()} onRetry={() => void settings.reload()}>
            {(loaded) => <LayersTable settings={loaded()} />}
          </LoadView>
        </Match>
        <Match when={view() === 'settings'}>
          <LoadView state={settings.state()} onRetry={() => void settings.reload()}>
            {(loaded) => <UserSettingsForm settings={loaded()} owner={props.self ? 'self' : 'other'} />}
          </LoadView>
        </Match>
      </Switch>
    </>
  );
}
