import {
  type AgentConfigChangeFragment,
  type AgentConfigOverride,
  UpdateAgentConfigsDocument,
  type UpdateAgentConfigsInput,
  type UpdateAgentConfigsMutation,
} from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createSignal } from 'solid-js';
import { createStore } from 'solid-js/store';
import { words } from '../words.ts';
import { mutate } from './graphql-client.ts';
import type { Selection } from './selection.ts';
import type { SettingField, Standing } from './setting.ts';
import { toasts } from './toasts.ts';
import { readEntry } from './validation.ts';

export type Mode = 'keep' | 'set' | 'clear';
export interface LimitEntry {
  readonly mode: Mode;
  readonly text: string;
}
export type LimitEntries = Readonly<Record<string, LimitEntry | undefined>>;
export type BulkPreview = Extract<
  UpdateAgentConfigsMutation['updateAgentConfigs'],
  { __typename: 'AgentConfigsUpdate' }
>;

/** A limit that can be set for many, and the organisation's ceiling on it. */
export interface BulkField {
  readonly field: SettingField;
  readonly ceiling: number | null;
}

export type Wanted =
  | { readonly type: 'changes'; readonly changes: AgentConfigOverride }
  | { readonly type: 'problems'; readonly fields: Readonly<Record<string, string>>; readonly general?: string };

/** What the form asks for, or everything that is wrong with it. Null goes back to the default. */
export function readEntries(fields: readonly BulkField[], entries: LimitEntries): Wanted {
  const changes: Record<string, number | null> = {};
  const problems: Record<string, string> = {};
  for (const { field, ceiling } of fields) {
    const entry = entries[field.key];
    if (!entry || entry.mode === 'keep') continue;
    if (entry.mode === 'clear') {
      changes[field.key] = null;
      continue;
    }
    const reading = readEntry(field, standingUnder(field, ceiling), entry.text);
    if (reading.type === 'invalid') problems[field.key] = reading.message;
    else changes[field.key] = Number(reading.value);
  }
  if (Object.keys(problems).length > 0) return { type: 'problems', fields: problems };
  if (Object.keys(changes).length > 0) return { type: 'changes', changes };
  return { type: 'problems', fields: {}, general: words.bulkLimits.nothingChosen };
}

function standingUnder(field: SettingField, ceiling: number | null): Standing {
  const { default: standard } = field;
  return { value: standard, layer: 'BUILT_IN', own: null, fallback: standard, fallbackLayer: 'BUILT_IN', ceiling };
}

export function targetOf(selection: Selection, search: string): UpdateAgentConfigsInput {
  return selection.type === 'all-matching'
    ? { search }
    : { people: [...selection.ids].map((userId) => ({ userId, expectedVersion: null })) };
}

/** Exactly the people of the preview, each only as long as nobody else has changed them since. */
export function applyInput(preview: BulkPreview, changes: AgentConfigOverride): UpdateAgentConfigsInput {
  const people = preview.people.map(({ userId, config }) => ({ userId, expectedVersion: config.version }));
  return { people, changes };
}

/** Gives everybody who was changed their own values back, on the versions that the change has just made. */
export function undoInput(done: BulkPreview): UpdateAgentConfigsInput {
  const people = done.people
    .filter(({ status }) => status === 'CHANGED')
    .map(({ userId, config, changes }) => ({
      userId,
      expectedVersion: config.version,
      changes: Object.fromEntries(changes.map(({ field, from }) => [field, from])) as AgentConfigOverride,
    }));
  return { people };
}

const order = ['INVALID', 'CONFLICT', 'MISSING', 'CHANGED', 'UNCHANGED'] as const;

/** What needs attention first. */
export function byImportance(people: readonly AgentConfigChangeFragment[]): readonly AgentConfigChangeFragment[] {
  return people.toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status));
}

interface BulkOptions {
  readonly client: Client;
  readonly selection: Selection;
  readonly search: string;
  readonly fields: readonly BulkField[];
  readonly onDone: () => void;
}

/** Choose, look, change: the way from a selection to changed limits and, if need be, back. */
export function createBulkLimits({ client, selection, search, fields, onDone }: BulkOptions) {
  const [entries, setEntries] = createStore<Record<string, LimitEntry | undefined>>({});
  const [preview, setPreview] = createSignal<BulkPreview>();
  const [busy, setBusy] = createSignal(false);
  const [problems, setProblems] = createSignal<{ fields: Readonly<Record<string, string>>; general?: string }>({
    fields: {},
  });
  /** The preview is what a refused change answered with. */
  const [refused, setRefused] = createSignal(false);

  async function send(input: UpdateAgentConfigsInput): Promise<BulkPreview | undefined> {
    if (busy()) return undefined;
    setBusy(true);
    const answer = await mutate(client, UpdateAgentConfigsDocument, { input });
    setBusy(false);
    if (answer.type === 'failed') return void setProblems({ fields: {}, general: answer.message });
    const { updateAgentConfigs: result } = answer.data;
    if (result.__typename === 'AgentConfigsUpdate') return result;
    return void setProblems({ fields: {}, general: result.message });
  }

  async function look(): Promise<void> {
    const wanted = readEntries(fields, entries);
    setProblems(wanted.type === 'problems' ? wanted : { fields: {} });
    if (wanted.type === 'problems') return;
    const found = await send({ ...targetOf(selection, search), changes: wanted.changes, dryRun: true });
    if (!found) return;
    setRefused(false);
    setPreview(found);
  }

  async function apply(): Promise<void> {
    const [seen, wanted] = [preview(), readEntries(fields, entries)];
    if (!seen || wanted.type === 'problems') return;
    const done = await send(applyInput(seen, wanted.changes));
    if (!done) return;
    if (!done.applied) {
      setRefused(true);
      setPreview(done);
      return;
    }
    toasts.show({ text: words.bulkLimits.done(done.changed), undo: () => undo(done) });
    onDone();
  }

  async function undo(done: BulkPreview): Promise<string | undefined> {
    const answer = await mutate(client, UpdateAgentConfigsDocument, { input: undoInput(done) });
    onDone();
    if (answer.type === 'failed') return answer.message;
    const { updateAgentConfigs: result } = answer.data;
    if (result.__typename === 'InvalidAgentConfig') return result.message;
    return result.applied ? undefined : whyNotUndone(result);
  }

  return {
    fields,
    entry: (key: string): LimitEntry => entries[key] ?? { mode: 'keep', text: '' },
    setEntry: (key: string, entry: LimitEntry) => setEntries(key, entry),
    preview,
    busy,
    problems,
    refused,
    look,
    apply,
    back: () => {
      setPreview(undefined);
      setProblems({ fields: {} });
    },
  };
}

export type BulkLimits = ReturnType<typeof createBulkLimits>;

const namesShown = 3;

function whyNotUndone(result: BulkPreview): string {
  const names = byImportance(result.people)
    .filter(({ status }) => status !== 'CHANGED' && status !== 'UNCHANGED')
    .map(({ user }) => user?.name ?? words.bulkLimits.gone);
  const more = names.length > namesShown ? [words.bulkLimits.more(names.length - namesShown)] : [];
  return words.bulkLimits.undoRefused([...names.slice(0, namesShown), ...more].join(', '));
}
