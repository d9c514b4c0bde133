import { OrganisationSettingChangesDocument } from '@oracle-agent/sdk/documents';
import { createEffect, For, Match, on, onCleanup, onMount, Switch } from 'solid-js';
import { LoadView } from '../components/basics/load-view.tsx';
import { PageHeader } from '../components/basics/page-header.tsx';
import { createView, ViewTabs } from '../components/basics/view-tabs.tsx';
import { ChangesPanel } from '../components/people/changes-panel.tsx';
import { AllowedModelsCard } from '../components/settings/allowed-models-card.tsx';
import { OrganisationRow } from '../components/settings/organisation-row.tsx';
import { SettingsCard } from '../components/settings/settings-card.tsx';
import { useApp, useViewer } from '../state/app-context.ts';
import { groupIntoCards } from '../state/cards.ts';
import { createChangePages } from '../state/change-pages.ts';
import { query } from '../state/graphql-client.ts';
import { organisationHistory } from '../state/history.ts';
import {
  createOrganisationSettings,
  type OrganisationField,
  type OrganisationSettings,
} from '../state/organisation-settings.ts';
import { followPageLife } from '../state/page-life.ts';
import { createPlace } from '../state/place.ts';
import { words } from '../words.ts';

const said = words.organisation;

const views = [
  { name: 'settings', label: said.views.settings },
  { name: 'history', label: said.views.history },
] as const;

export function OrganisationPage() {
  createPlace(() => said.title);
  const { session, live } = useApp();
  const viewer = useViewer();
  const view = createView<(typeof views)[number]['name']>(views);
  const history = createChangePages(async (request) => {
    const answer = await query(session.client, OrganisationSettingChangesDocument, request);
    return answer.type === 'failed' ? answer : { type: 'data', data: answer.data.organisationConfig.settingChanges };
  });
  const source = organisationHistory(session.client);
  const readHistory = () => (view() === 'history' ? history.load() : undefined);
  const settings = createOrganisationSettings(session.client, live, () => void readHistory());
  // Only the view decides: reading the log reads signals of its own, which must not start it again.
  createEffect(on(view, () => void readHistory()));

  return (
    <div class="mx-auto max-w-4xl">
      <PageHeader title={said.title} description={said.description} />
      <ViewTabs label={words.people.parts} views={views} current={view()} />
      <Switch>
        <Match when={view() === 'settings'}>
          <LoadView state={settings.state()} onRetry={() => void settings.reload()}>
            {(loaded) => <OrganisationForm settings={loaded()} />}
          </LoadView>
        </Match>
        <Match when={view() === 'history'}>
          <ChangesPanel
            pages={history}
            source={source}
            viewerId={viewer().id}
            emptyText={words.history.emptyOrganisation}
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
      <SettingsCard name={words.settings.models}>
        <For each={props.settings.models}>{(item) => <OrganisationRow set={props.settings.set} item={item} />}</For>
      </SettingsCard>
      <AllowedModelsCard />
    </div>
  );
}
