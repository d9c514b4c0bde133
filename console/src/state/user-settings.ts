import {
  type AgentConfigFieldName,
  type ModelSettingsFieldName,
  ResetAgentConfigDocument,
  ResetModelSettingsDocument,
  SettingsChangedDocument,
  SettingsPageDocument,
  UpdateAgentConfigDocument,
  UpdateModelSettingsDocument,
  type UserSettingsFragment,
} from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createMemo, onCleanup } from 'solid-js';
import { type Failure, mutate, query } from './graphql-client.ts';
import type { LiveConnection } from './live-connection.ts';
import { createLoad, type LoadState } from './load.ts';
import { agentField, modelField, toSnapshot } from './setting-fields.ts';
import { createSettingsSet, type SettingsSet } from './settings-set.ts';
import type { SaveOutcome, SettingsChange, SettingsSource } from './settings-source.ts';

export interface UserSettings {
  readonly agent: SettingsSet;
  readonly models: SettingsSet;
}

/** A person's settings: loaded once, then kept current by the subscription. `onChanged` runs after each push. */
export function createUserSettings(client: Client, live: LiveConnection, userId: string, onChanged: () => void) {
  const page = createLoad(client, SettingsPageDocument, () => ({ userId }));
  let current: UserSettings | undefined;

  // Built once; a reload goes into the same forms, so that what is being typed survives it.
  const state = createMemo((): LoadState<UserSettings> => {
    const loaded = page.state();
    if (loaded.type !== 'ready') return loaded;
    const { agentConfigFields, modelSettingsFields } = loaded.data;
    current ??= {
      agent: createSettingsSet(agentConfigFields.map(agentField), agentOf(loaded.data), agentSource(client, userId)),
      models: createSettingsSet(
        modelSettingsFields.map(modelField),
        modelsOf(loaded.data),
        modelSource(client, userId),
      ),
    };
    return { type: 'ready', data: current };
  });

  const stop = live.subscribe(SettingsChangedDocument, { userId }, ({ settingsChanged }) => {
    current?.agent.accept(agentOf(settingsChanged));
    current?.models.accept(modelsOf(settingsChanged));
    onChanged();
  });
  onCleanup(stop);

  return { state, reload: page.reload };
}

type Loaded = Pick<
  UserSettingsFragment,
  'agentConfig' | 'effectiveConfig' | 'modelSettings' | 'effectiveModelSettings'
>;

const agentOf = (from: Loaded) => toSnapshot(from.agentConfig.version, from.effectiveConfig.fields);
const modelsOf = (from: Loaded) => toSnapshot(from.modelSettings.version, from.effectiveModelSettings.fields);

function agentSource(client: Client, userId: string): SettingsSource {
  return {
    async save(change, expectedVersion) {
      if (isClearing(change)) {
        const answer = await mutate(client, ResetAgentConfigDocument, {
          userId,
          fields: keysOf<AgentConfigFieldName>(change),
          ...versionOf(expectedVersion),
        });
        return answer.type === 'failed' ? orConflict(answer) : saved(answer.data.resetAgentConfig.version);
      }
      const input = { ...change, userId, ...versionOf(expectedVersion) };
      const answer = await mutate(client, UpdateAgentConfigDocument, { input });
      return answer.type === 'failed' ? answer : toOutcome(answer.data.updateAgentConfig);
    },
    load: () => loadSnapshot(client, userId, agentOf),
  };
}

function modelSource(client: Client, userId: string): SettingsSource {
  return {
    async save(change, expectedVersion) {
      if (isClearing(change)) {
        const answer = await mutate(client, ResetModelSettingsDocument, {
          userId,
          fields: keysOf<ModelSettingsFieldName>(change),
          ...versionOf(expectedVersion),
        });
        return answer.type === 'failed' ? orConflict(answer) : saved(answer.data.resetModelSettings.version);
      }
      const input = { ...change, userId, ...versionOf(expectedVersion) };
      const answer = await mutate(client, UpdateModelSettingsDocument, { input });
      return answer.type === 'failed' ? answer : toOutcome(answer.data.updateModelSettings);
    },
    load: () => loadSnapshot(client, userId, modelsOf),
  };
}

async function loadSnapshot<Snapshot>(client: Client, userId: string, pick: (loaded: Loaded) => Snapshot) {
  const answer = await query(client, SettingsPageDocument, { userId });
  return answer.type === 'data' ? pick(answer.data) : undefined;
}

type MutationResult =
  | { readonly __typename: 'AgentConfig' | 'ModelSettings' | 'OrganisationConfig'; readonly version: number }
  | {
      readonly __typename: 'InvalidAgentConfig' | 'InvalidInput';
      readonly problems: readonly { readonly field: string; readonly message: string }[];
    }
  | { readonly __typename: 'AgentConfigConflict' | 'ModelSettingsConflict' | 'OrganisationConfigConflict' };

export function toOutcome(result: MutationResult): SaveOutcome {
  switch (result.__typename) {
    case 'AgentConfig':
    case 'ModelSettings':
    case 'OrganisationConfig':
      return saved(result.version);
    case 'InvalidAgentConfig':
    case 'InvalidInput':
      return { type: 'rejected', problems: result.problems };
    default:
      return { type: 'conflict' };
  }
}

export function versionOf(expectedVersion: number | undefined) {
  return expectedVersion === undefined ? {} : { expectedVersion };
}

/** What is forgotten answers with an error where other changes answer with a conflict. */
function orConflict(failure: Failure): SaveOutcome {
  return failure.code === 'CONFLICT' ? { type: 'conflict' } : failure;
}

function saved(version: number): SaveOutcome {
  return { type: 'saved', version };
}

function isClearing(change: SettingsChange): boolean {
  return Object.values(change).every((value) => value === null);
}

/** The names come from the API's own list of fields, which the generated enum cannot know. */
function keysOf<Name extends string>(change: SettingsChange): Name[] {
  return Object.keys(change) as Name[];
}
