import {
  AllowedModelsDocument,
  type AllowedModelsQuery,
  SettingsChangedDocument,
  UpdateOrganisationConfigDocument,
} from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createSignal, onCleanup } from 'solid-js';
import { words } from '../words.ts';
import { mutate } from './graphql-client.ts';
import type { LiveConnection } from './live-connection.ts';
import { createLoad } from './load.ts';
import { toasts } from './toasts.ts';

/** One model or pattern to a line; empty lines and repetitions mean nothing. */
export function readPatterns(text: string): readonly string[] {
  const lines = text.split(/[\n,]/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

export function writePatterns(patterns: readonly string[]): string {
  return patterns.join('\n');
}

/** The list of allowed models: typed as text, saved with a button, taken back with Undo. */
export function createAllowedModels(client: Client, live: LiveConnection) {
  const load = createLoad(client, AllowedModelsDocument, () => ({}));
  const [draft, setDraft] = createSignal<string>();
  const [problems, setProblems] = createSignal<readonly string[]>([]);
  const [busy, setBusy] = createSignal(false);
  onCleanup(live.subscribe(SettingsChangedDocument, {}, () => void load.reload()));

  const loaded = (): AllowedModelsQuery | undefined => {
    const state = load.state();
    return state.type === 'ready' ? state.data : undefined;
  };
  const saved = () => loaded()?.organisationConfig.allowedModels ?? [];
  const text = () => draft() ?? writePatterns(saved());
  const changed = () => draft() !== undefined && writePatterns(readPatterns(text())) !== writePatterns(saved());

  async function send(allowedModels: readonly string[], expectedVersion: number): Promise<Sent> {
    const input = { allowedModels: [...allowedModels], expectedVersion };
    const answer = await mutate(client, UpdateOrganisationConfigDocument, { input });
    if (answer.type === 'failed') return { problems: [answer.message] };
    const { updateOrganisationConfig: result } = answer.data;
    if (result.__typename === 'OrganisationConfig') return { version: result.version };
    return {
      problems: result.__typename === 'InvalidInput' ? result.problems.map(({ message }) => message) : [result.message],
    };
  }

  async function save(): Promise<void> {
    const now = loaded()?.organisationConfig;
    if (!now || busy()) return;
    setBusy(true);
    const sent = await send(readPatterns(text()), now.version);
    await load.reload();
    setBusy(false);
    setProblems('problems' in sent ? sent.problems : []);
    if ('problems' in sent) return;
    setDraft(undefined);
    const undo = async () => {
      const back = await send(now.allowedModels, sent.version);
      return 'problems' in back ? back.problems.join(' ') : undefined;
    };
    toasts.show({ text: words.organisation.models.saved, undo });
  }

  return { state: load.state, reload: load.reload, text, type: setDraft, changed, problems, busy, save };
}

type Sent = { readonly version: number } | { readonly problems: readonly string[] };
