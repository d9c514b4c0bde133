import { batch } from 'solid-js';
import { words } from '../words.ts';
import { type Draft, type FieldState, idle, needsAttention } from './field-state.ts';
import { type SettingField, type SettingsSnapshot, type SettingValue, standingWith } from './setting.ts';
import type { SaveOutcome, SettingsChange, SettingsSource } from './settings-source.ts';
import { createSettingsStore } from './settings-store.ts';
import { createUndoHistory } from './undo-history.ts';
import type { Entry } from './validation.ts';

const typingPauseMs = 400;
const conflictsInARow = 5;

export type SettingsSet = ReturnType<typeof createSettingsSet>;

/**
 * A form that saves by itself. One request at a time, each carrying the version it was based on, so that answers cannot
 * arrive out of order and nobody's change is overwritten unseen.
 */
export function createSettingsSet(fields: readonly SettingField[], initial: SettingsSnapshot, source: SettingsSource) {
  const store = createSettingsStore(fields, initial);
  const history = createUndoHistory();
  let typing: ReturnType<typeof setTimeout> | undefined;
  let sending: SettingsChange | undefined;

  function edit(key: string, next: Entry) {
    batch(() => {
      const { own, fallback } = store.standing(key);
      const before = store.draft(key);
      const base = before ? before.base : own;
      store.setDraft(key, { entry: next, base });
      const reading = store.read(key, next);
      const unsent = sending?.[key] === undefined;
      if (reading.type === 'valid' && unsent && same(reading.value, own, fallback)) store.drop(key, idle);
      else if (store.state(key).type === 'conflict' && base !== own)
        return; // editing on does not make the choice
      else if (reading.type === 'invalid') store.setState(key, { type: 'invalid', message: reading.message });
      else store.setState(key, { type: 'waiting' });
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
        for (const key of Object.keys(change)) store.setState(key, { type: 'saving' });
      });
      const basedOn = store.version();
      const outcome = await source.save(change, basedOn).catch(unreachable);
      if (outcome.type === 'conflict') {
        const present = ++conflicts < conflictsInARow ? await source.load().catch(() => undefined) : undefined;
        sending = undefined;
        if (present) rebase(change, present);
        else settle(change, { type: 'failed', message: words.settings.keepsChanging });
      } else {
        sending = undefined;
        settle(change, outcome);
        // A gap in the versions means that somebody changed another field in between.
        if (outcome.type === 'saved' && outcome.version > basedOn + 1) void refresh();
      }
    }
  }

  function nextChange(): SettingsChange {
    const waiting = store.draftKeys().flatMap((key) => {
      const draft = store.draft(key);
      if (!draft || store.state(key).type !== 'waiting') return [];
      const reading = store.read(key, draft.entry);
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
          return forEachUnedited(change, (key) => store.setState(key, outcome));
        case 'rejected': {
          const messages = new Map(outcome.problems.map((problem) => [problem.field, problem.message]));
          const blamed = Object.keys(change).some((key) => messages.has(key));
          return forEachUnedited(change, (key) => {
            const message = messages.get(key) ?? (blamed ? undefined : outcome.problems[0]?.message);
            // Nothing of a refused change was saved: the innocent fields go again without the others.
            store.setState(key, message === undefined && blamed ? { type: 'waiting' } : refusal(message));
          });
        }
      }
    });
  }

  function settleSaved(change: SettingsChange, version: number) {
    const overtaken = version < store.version();
    history.remember(change, (key) => store.draft(key)?.base ?? null);
    for (const [key, value] of Object.entries(change)) {
      if (!overtaken) store.setStanding(key, standingWith(store.standing(key), value));
      const draft = store.draft(key);
      if (draft && !store.means(key, draft.entry, value)) store.setDraft(key, { ...draft, base: value });
      else store.drop(key, { type: 'saved' });
    }
    if (!overtaken) store.setVersion(version);
  }

  /** Only where the draft is still what was sent; a later edit has its own state. */
  function forEachUnedited(change: SettingsChange, act: (key: string) => void) {
    for (const [key, value] of Object.entries(change)) {
      const draft = store.draft(key);
      if (draft && store.means(key, draft.entry, value)) act(key);
    }
  }

  /** Puts refused drafts on top of what is there now; only fields that somebody else touched are conflicts. */
  function rebase(change: SettingsChange, present: SettingsSnapshot) {
    batch(() => {
      forEachUnedited(change, (key) => store.setState(key, { type: 'waiting' }));
      accept(present);
    });
  }

  /** Takes in what the server says now. Fields without a draft follow; a field being edited is never overwritten. */
  function accept(snapshot: SettingsSnapshot) {
    if (snapshot.version < store.version()) return;
    batch(() => {
      store.setVersion(snapshot.version);
      for (const [key, next] of Object.entries(snapshot.standings)) {
        if (!store.has(key)) continue;
        store.setStanding(key, next);
        const draft = store.draft(key);
        if (draft) reconcile(key, draft, next.own);
      }
    });
  }

  function reconcile(key: string, draft: Draft, theirs: SettingValue | null) {
    if (sending?.[key] !== undefined) return; // the answer on its way decides
    const reading = store.read(key, draft.entry);
    if (reading.type === 'valid' && reading.value === theirs) return store.drop(key, idle);
    if (theirs !== draft.base) return store.setState(key, { type: 'conflict', theirs });
    if (reading.type === 'invalid') return store.setState(key, { type: 'invalid', message: reading.message });
    if (store.state(key).type === 'invalid') store.setState(key, { type: 'waiting' }); // a ceiling was lifted
  }

  async function refresh() {
    const present = await source.load().catch(() => undefined);
    if (present) accept(present);
  }

  function keepMine(key: string) {
    const draft = store.draft(key);
    if (draft) store.setDraft(key, { ...draft, base: store.standing(key).own });
    return retry(key);
  }

  function retry(key: string) {
    const draft = store.draft(key);
    if (draft) edit(key, draft.entry);
    return flush();
  }

  function reset(keys: readonly string[]) {
    for (const key of keys) if (store.standing(key).own !== null || store.draft(key)) edit(key, null);
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
    field: store.field,
    standing: store.standing,
    state: store.state,
    entry: store.entry,
    inForce: store.inForce,
    edit,
    flush,
    flushBeforeUnload,
    accept,
    keepMine,
    takeTheirs: (key: string) => store.drop(key, idle),
    retry,
    reset,
    canUndo: history.isLast,
    lastChangeSize: history.lastSize,
    lastChangeNumber: history.lastNumber,
    undo: (key: string) => restore(history.takeField(key)),
    undoLast: () => restore(history.takeLast()),
    unsaved: () => fields.some(({ key }) => needsAttention(store.state(key))),
  };
}

/** A person who moves a slider away and back has changed nothing, also where nothing of their own was set. */
function same(value: SettingValue | null, own: SettingValue | null, fallback: SettingValue): boolean {
  return value === own || (own === null && value === fallback);
}

function unreachable(): SaveOutcome & { type: 'failed' } {
  return { type: 'failed', message: words.frame.unreachable };
}

function refusal(message = words.settings.refused): FieldState {
  return { type: 'rejected', message };
}
