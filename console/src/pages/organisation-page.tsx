import { OrganisationSettingChangesDocument } from '@oracle-agent/sdk/documents';
import { createEffect, For, Match, onCleanup, onMount, Switch } from 'solid-js';
import { LoadView } from '../components/basics/load-view.tsx';
import { PageHeader } from '../components/basics/page-header.tsx';
import { createView, ViewTabs } from '../components/basics/view-tabs.tsx';
import { ChangesPanel } from '../components/people/changes-panel.tsx';
import { OrganisationRow } from '../components/settings/organisation-row.tsx';
import { SettingsCard } from '../components/settings/settings-card.tsx';
import { useApp, useViewer } from '../state/app-context.ts';
import { groupIntoCards } from '../state/cards.ts';
import { createChangePages } from '../state/change-pages.ts';
import { query } from '../state/graphql-client.ts';
import {
  createOrganisationSettings,
  type OrganisationField,
  type OrganisationSettings,
} from '../state/organisation-settings.ts';
import { followPageLife } from '../state/page-life.ts';
import { createPlace } from '../state/place.ts';

const views = [
  { name: 'settings', label: 'Defaults and ceilings' },
  { name: 'history', label: 'History' },
] as const;

export function OrganisationPage() {
  createPlace(() => 'Organisation');
  const { session, live } = useApp();
  const viewer = useViewer();
  const view = createView<(typeof views)[number]['name']>(views);
  const history = createChangePages(async (request) => {
    const answer = await query(session.client, OrganisationSettingChangesDocument, request);
    return answer.type === 'failed' ? answer : { type: 'data', data: answer.data.organisationConfig.settingChanges };
  });
  const readHistory = () => (view() === 'history' ? history.load() : undefined);
  const settings = createOrganisationSettings(session.client, live, () => void readHistory());
  createEffect(() => void readHistory());

  return (
    <div class="mx-auto max-w-4xl">
      <PageHeader
        title="Organisation"
        description="What everybody starts with, and what nobody may exceed. Applies to everyone’s next question."
      />
      <ViewTabs label="Parts of this page" views={views} current={view()} />
      <Switch>
        <Match when={view() === 'settings'}>
          <LoadView state={settings.state()} onRetry={() => void settings.reload()}>
            {(loaded) => <OrganisationForm settings={loaded()} />}
          </LoadView>
        </Match>
        <Match when={view() === 'history'}>
          <ChangesPanel
            pages={history}
            viewerId={viewer().id}
            emptyText="Every change of a default or a ceiling will be listed here, with who made it."
          />
        </Match>
      </Switch>
    </div>
  );
}

function OrganisationForm(props: { readonly settings: OrganisationSettings }) {
  onMount(() => onCleanup(followPageLife([props.settings.set])));
  const itemOf = (key: string): OrganisationField | undefined =>
    props.settings.agent.find((item) => item.field.key === key);

  return (
    <div class="flex flex-col gap-4">
      <For each={groupIntoCards(props.settings.agent.map((item) => item.field))}>
        {(card) => (
          <SettingsCard name={card.name}>
            <For each={card.fields.flatMap((field) => itemOf(field.key) ?? [])}>
              {(item) => <OrganisationRow set={props.settings.set} item={item} />}
            </For>
          </SettingsCard>
        )}
      </For>
      <SettingsCard name="Models">
        <For each={props.settings.models}>{(item) => <OrganisationRow set={props.settings.set} item={item} />}</For>
      </SettingsCard>
    </div>
  );
}
