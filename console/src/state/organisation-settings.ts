import {
  OrganisationPageDocument,
  type OrganisationPageQuery,
  type OrganisationSettingFragment,
  SettingsChangedDocument,
  UpdateOrganisationConfigDocument,
} from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createMemo, onCleanup, untrack } from 'solid-js';
import { mutate, query } from './graphql-client.ts';
import type { LiveConnection } from './live-connection.ts';
import { createLoad, type LoadState } from './load.ts';
import type { SettingField, SettingsSnapshot, Standing } from './setting.ts';
import { agentField, modelField, toValue } from './setting-fields.ts';
import { createSettingsSet, type SettingsSet } from './settings-set.ts';
import type { SettingsChange, SettingsSource } from './settings-source.ts';
import { toOutcome, versionOf } from './user-settings.ts';

/** One field as people know it, and the keys of its default and of its ceiling in the organisation's form. */
export interface OrganisationField {
  readonly field: SettingField;
  readonly defaultKey: string;
  /** Only numbers can be capped. */
  readonly ceilingKey: string | undefined;
}

export interface OrganisationSettings {
  readonly set: SettingsSet;
  readonly agent: readonly OrganisationField[];
  readonly models: readonly OrganisationField[];
}

/** Defaults and ceilings of every setting form one form: they share a version. */
export function createOrganisationSettings(client: Client, live: LiveConnection, onChanged: () => void) {
  const page = createLoad(client, OrganisationPageDocument, () => ({}));
  let ready: (LoadState<OrganisationSettings> & { type: 'ready' }) | undefined;

  // One and the same object for as long as the page lives, and blind to what is typed: whatever is drawn from it would
  // otherwise be drawn anew, and the input that somebody is typing into would be gone.
  const state = createMemo((): LoadState<OrganisationSettings> => {
    const loaded = page.state();
    if (loaded.type !== 'ready') return loaded;
    return untrack(() => {
      if (ready) ready.data.set.accept(snapshotOf(loaded.data));
      else ready = { type: 'ready', data: buildSettings(loaded.data, makeSource(client)) };
      return ready;
    });
  });

  // The viewer's own settings are pushed after every change to the organisation's; there is no other signal for those.
  const stop = live.subscribe(SettingsChangedDocument, {}, () => {
    void page.reload();
    onChanged();
  });
  onCleanup(stop);

  return { state, reload: page.reload };
}

function buildSettings(page: OrganisationPageQuery, source: SettingsSource): OrganisationSettings {
  const agent = page.agentConfigFields.map(agentField).map((field) => organisationField(field, 'defaults', 'ceilings'));
  const models = page.modelSettingsFields
    .map(modelField)
    .map((field) => organisationField(field, 'modelDefaults', 'modelCeilings'));
  const formFields = [...agent, ...models].flatMap(({ field, defaultKey, ceilingKey }) => [
    { ...field, key: defaultKey },
    ...(ceilingKey === undefined ? [] : [{ ...field, key: ceilingKey, optional: true }]),
  ]);
  return { set: createSettingsSet(formFields, snapshotOf(page), source), agent, models };
}

function organisationField(field: SettingField, defaults: string, ceilings: string): OrganisationField {
  const ceilingKey = field.kind === 'WHOLE_NUMBER' ? `${ceilings}.${field.key}` : undefined;
  return { field, defaultKey: `${defaults}.${field.key}`, ceilingKey };
}

function snapshotOf(page: OrganisationPageQuery): SettingsSnapshot {
  const { agentConfig, modelSettings, version } = page.organisationConfig;
  const agent = page.agentConfigFields.map(agentField);
  const models = page.modelSettingsFields.map(modelField);
  return {
    version,
    standings: {
      ...standingsOf(agent, agentConfig, 'defaults', 'ceilings'),
      ...standingsOf(models, modelSettings, 'modelDefaults', 'modelCeilings'),
    },
  };
}

function standingsOf(
  fields: readonly SettingField[],
  settings: readonly OrganisationSettingFragment[],
  defaults: string,
  ceilings: string,
): Record<string, Standing> {
  const entries = fields.flatMap((field) => {
    const set = settings.find((setting) => setting.field === field.key);
    const standard = set?.default ?? null;
    return [
      [`${defaults}.${field.key}`, standing(standard === null ? null : toValue(standard), field.default)] as const,
      [`${ceilings}.${field.key}`, standing(set?.ceiling ?? null, field.max ?? field.default)] as const,
    ];
  });
  return Object.fromEntries(entries);
}

function standing(own: Standing['own'], fallback: Standing['fallback']): Standing {
  const layer = own === null ? 'BUILT_IN' : 'USER';
  return { own, fallback, value: own ?? fallback, layer, fallbackLayer: 'BUILT_IN', ceiling: null };
}

function makeSource(client: Client): SettingsSource {
  return {
    async save(change, expectedVersion) {
      const input = { ...nest(change), ...versionOf(expectedVersion) };
      const answer = await mutate(client, UpdateOrganisationConfigDocument, { input });
      return answer.type === 'failed' ? answer : toOutcome(answer.data.updateOrganisationConfig);
    },
    async load() {
      const answer = await query(client, OrganisationPageDocument, {});
      return answer.type === 'data' ? snapshotOf(answer.data) : undefined;
    },
  };
}

/** `{ 'defaults.maxIterations': 20 }` as the API takes it: `{ defaults: { maxIterations: 20 } }`. */
function nest(change: SettingsChange): Record<string, SettingsChange> {
  const nested: Record<string, SettingsChange> = {};
  for (const [path, value] of Object.entries(change)) {
    const [part = '', name = ''] = path.split('.');
    nested[part] = { ...nested[part], [name]: value };
  }
  return nested;
}
