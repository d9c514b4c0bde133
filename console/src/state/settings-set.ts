import { batch } from 'solid-js';
import { createStore, produce } from 'solid-js/store';
import { type Draft, type FieldState, idle, needsAttention } from './field-state.ts';
import { type SettingField, type SettingsSnapshot, type SettingValue, type Standing, standingWith } from './setting.ts';
import type { SaveOutcome, SettingsChange, SettingsSource } from './settings-source.ts';
import { createUndoHistory } from './undo-history.ts';
import { type Entry, readEntry } from './validation.ts';

const typingPauseMs = 400;
const savedShownMs = 5_000;
const conflictsInARow = 5;

export type SettingsSet = ReturnType<typeof createSettingsSet>;

/**
 * A form that saves by itself. One request at a time, each carrying the version it was based on, so that answers cannot
 * arrive out of order and nobody's change is overwritten unseen.
 */
export function createSettingsSet(fields: readonly SettingField[], initial: SettingsSnapshot, source: SettingsSource) {
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const [store, setStore] = createStore({
    version: initial.version,
    standings: { ...initial.standings } as Record<string, Standing | undefined>,
    drafts: {} as Record<string, Draft | undefined>,
    states: {} as Record<string, FieldState | undefined>,
  });
  const history = createUndoHistory();
  const savedTimers = new Map<string, ReturnType<typeof setTimeout>>();
  let typing: ReturnType<typeof setTimeout> | undefined;
  let sending: SettingsChange | undefined;

  function field(key: string): SettingField {
    const found = byKey.get(key);
    if (!found) throw new Error(`No setting called ${key}.`);
    return found;
  }

  function standing(key: string): Standing {
    const found = store.standings[key];
    if (!found) throw new Error(`No standing for the setting ${key}.`);
    return found;
  }

  const state = (key: string): FieldState => store.states[key] ?? idle;
  const read = (key: string, entry: Entry) => readEntry(field(key), standing(key), entry);

  /** What the control shows: the draft while there is one, the value in force otherwise. */
  function entry(key: string): Entry {
    const draft = store.drafts[key];
    if (draft && draft.entry !== null) return draft.entry;
    const { own, value } = draft ? standingWith(standing(key), null) : standing(key);
    if (own === null && field(key).optional) return '';
    return typeof value === 'boolean' ? value : String(value);
  }

  /** The value that would be in force if the draft were saved; undefined while it cannot be. */
  function inForce(key: string): SettingValue | undefined {
    if (!store.standings[key]) return undefined;
    const draft = store.drafts[key];
    if (!draft) return standing(key).value;
    const reading = read(key, draft.entry);
    return reading.type === 'valid' ? standingWith(standing(key), reading.value).value : undefined;
  }

  function setState(key: string, next: FieldState) {
    clearTimeout(savedTimers.get(key));
    if (next.type === 'saved')
      savedTimers.set(
        key,
        setTimeout(() => setState(key, idle), savedShownMs),
      );
    // Replaced as a whole: a merge would leave the message of one state in the next.
    setStore(produce((draft) => (draft.states[key] = next)));
  }

  function drop(key: string, next: FieldState) {
    setStore('drafts', key, undefined);
    setState(key, next);
  }

  function edit(key: string, next: Entry) {
    batch(() => {
      const { own, fallback } = standing(key);
      const base = store.drafts[key] ? store.drafts[key].base : own;
      setStore('drafts', key, { entry: next, base });
      const reading = read(key, next);
      if (reading.type === 'valid' && sending?.[key] === undefined && same(reading.value, own, fallback))
        drop(key, idle);
      else if (state(key).type === 'conflict' && base !== own)
        return; // editing on does not make the choice
      else if (reading.type === 'invalid') setState(key, { type: 'invalid', message: reading.message });
      else setState(key, { type: 'waiting' });
    });
    clearTimeout(typing);
    typing = setTimeout(() => void flush(), typingPauseMs);
  }

  /** Sends what waits. Values go before clearings; whatever is edited meanwhile goes in the next request. */
  async function flush(): Promise<void> {
    clearTimeout(typing);
    typing = undefined;
    for (let conflicts = 0; !sending && typing === undefined; ) {
      const change = nextChange();
      if (Object.keys(change).length === 0) return;
      sending = change;
      batch(() => {
        for (const key of Object.keys(change)) setState(key, { type: 'saving' });
      });
      const basedOn = store.version;
      const outcome = await source.save(change, basedOn).catch(unreachable);
      if (outcome.type === 'conflict') {
        const present = ++conflicts < conflictsInARow ? await source.load().catch(() => undefined) : undefined;
        sending = undefined;
        if (present) rebase(change, present);
        else settle(change, { type: 'failed', message: 'These settings keep changing elsewhere.' });
      } else {
        sending = undefined;
        settle(change, outcome);
        // A gap in the versions means that somebody changed another field in between.
        if (outcome.type === 'saved' && outcome.version > basedOn + 1) void refresh();
      }
    }
  }

  function nextChange(): SettingsChange {
    const waiting = Object.keys(store.drafts).flatMap((key) => {
      const draft = store.drafts[key];
      if (!draft || state(key).type !== 'waiting') return [];
      const reading = read(key, draft.entry);
      return reading.type === 'valid' ? [[key, reading.value] as const] : [];
    });
    const values = waiting.filter(([, value]) => value !== null);
    return Object.fromEntries(values.length > 0 ? values : waiting);
  }

  function settle(change: SettingsChange, outcome: Exclude<SaveOutcome, { type: 'conflict' }>) {
    batch(() => {
      switch (outcome.type) {
        case 'saved':
          return settleSaved(change, outcome.version);
        case 'failed':
          return forEachUnedited(change, (key) => setState(key, outcome));
        case 'rejected': {
          const messages = new Map(outcome.problems.map((problem) => [problem.field, problem.message]));
          const blamed = Object.keys(change).some((key) => messages.has(key));
          return forEachUnedited(change, (key) => {
            const message = messages.get(key) ?? (blamed ? undefined : outcome.problems[0]?.message);
            // Nothing of a refused change was saved: the innocent fields go again without the others.
            setState(key, message === undefined && blamed ? { type: 'waiting' } : refusal(message));
          });
        }
      }
    });
  }

  function settleSaved(change: SettingsChange, version: number) {
    const overtaken = version < store.version;
    history.remember(change, (key) => standing(key).own);
    for (const [key, value] of Object.entries(change)) {
      if (!overtaken) setStore('standings', key, standingWith(standing(key), value));
      const draft = store.drafts[key];
      if (draft && !isEntryOf(key, draft.entry, value)) setStore('drafts', key, { ...draft, base: value });
      else drop(key, { type: 'saved' });
    }
    if (!overtaken) setStore('version', version);
  }

  /** Only where the draft is still what was sent; a later edit has its own state. */
  function forEachUnedited(change: SettingsChange, act: (key: string) => void) {
    for (const [key, value] of Object.entries(change)) {
      const draft = store.drafts[key];
      if (draft && isEntryOf(key, draft.entry, value)) act(key);
    }
  }

  function isEntryOf(key: string, candidate: Entry, value: SettingValue | null): boolean {
    const reading = read(key, candidate);
    return reading.type === 'valid' && reading.value === value;
  }

  /** Puts refused drafts on top of what is there now; only fields that somebody else touched are conflicts. */
  function rebase(change: SettingsChange, present: SettingsSnapshot) {
    batch(() => {
      forEachUnedited(change, (key) => setState(key, { type: 'waiting' }));
      accept(present);
    });
  }

  /** Takes in what the server says now. Fields without a draft follow; a field being edited is never overwritten. */
  function accept(snapshot: SettingsSnapshot) {
    if (snapshot.version < store.version) return;
    batch(() => {
      setStore('version', snapshot.version);
      for (const [key, next] of Object.entries(snapshot.standings)) {
        if (!byKey.has(key)) continue;
        setStore('standings', key, next);
        const draft = store.drafts[key];
        if (draft) reconcile(key, draft, next.own);
      }
    });
  }

  function reconcile(key: string, draft: Draft, theirs: SettingValue | null) {
    const reading = read(key, draft.entry);
    if (sending?.[key] !== undefined) {
      if (theirs === sending[key]) setStore('drafts', key, { ...draft, base: theirs });
      return; // the answer on its way decides
    }
    if (reading.type === 'valid' && reading.value === theirs) return drop(key, idle);
    if (theirs !== draft.base) return setState(key, { type: 'conflict', theirs });
    if (reading.type === 'invalid') return setState(key, { type: 'invalid', message: reading.message });
    if (state(key).type === 'invalid') setState(key, { type: 'waiting' }); // a ceiling was lifted
  }

  async function refresh() {
    const present = await source.load().catch(() => undefined);
    if (present) accept(present);
  }

  function keepMine(key: string) {
    const draft = store.drafts[key];
    if (!draft) return;
    setStore('drafts', key, { ...draft, base: standing(key).own });
    retry(key);
  }

  function retry(key: string) {
    const draft = store.drafts[key];
    if (draft) edit(key, draft.entry);
    return flush();
  }

  function reset(keys: readonly string[]) {
    for (const key of keys) if (standing(key).own !== null || store.drafts[key]) edit(key, null);
    return flush();
  }

  function restore(previous: SettingsChange | undefined) {
    for (const [key, value] of Object.entries(previous ?? {})) {
      edit(key, typeof value === 'number' ? String(value) : value);
    }
    return flush();
  }

  /** For a page that is going away: the answer to a running request will not be seen, so nothing waits for it. */
  function flushBeforeUnload() {
    if (!sending) return void flush();
    const rest = nextChange();
    if (Object.keys(rest).length > 0) void source.save(rest, undefined).catch(unreachable);
  }

  return {
    fields,
    field,
    standing,
    state,
    entry,
    inForce,
    edit,
    flush,
    flushBeforeUnload,
    accept,
    keepMine,
    takeTheirs: (key: string) => drop(key, idle),
    retry,
    reset,
    canUndo: history.isLast,
    lastChangeSize: history.lastSize,
    lastChangeNumber: history.lastNumber,
    undo: (key: string) => restore(history.takeField(key)),
    undoLast: () => restore(history.takeLast()),
    unsaved: () => fields.some(({ key }) => needsAttention(state(key))),
    dispose: () => [...savedTimers.values()].forEach(clearTimeout),
  };
}

/** A person who moves a slider away and back has changed nothing, also where nothing of their own was set. */
function same(value: SettingValue | null, own: SettingValue | null, fallback: SettingValue): boolean {
  return value === own || (own === null && value === fallback);
}

function unreachable(): SaveOutcome & { type: 'failed' } {
  return { type: 'failed', message: 'The server could not be reached.' };
}

function refusal(message = 'The server refused this value.'): FieldState {
  return { type: 'rejected', message };
}
