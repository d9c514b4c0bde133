import { createStore, produce } from 'solid-js/store';
import { type Draft, type FieldState, idle } from './field-state.ts';
import { type SettingField, type SettingsSnapshot, type SettingValue, type Standing, standingWith } from './setting.ts';
import { type Entry, type Reading, readEntry } from './validation.ts';

const savedShownMs = 5_000;

/** What a form knows: where each field stands, what is being typed into it and how its last change fares. */
export function createSettingsStore(fields: readonly SettingField[], initial: SettingsSnapshot) {
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const [store, setStore] = createStore({
    version: initial.version,
    standings: { ...initial.standings } as Record<string, Standing | undefined>,
    drafts: {} as Record<string, Draft | undefined>,
    states: {} as Record<string, FieldState | undefined>,
  });
  const savedTimers = new Map<string, ReturnType<typeof setTimeout>>();

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

  const draft = (key: string): Draft | undefined => store.drafts[key];
  const state = (key: string): FieldState => store.states[key] ?? idle;
  const read = (key: string, entry: Entry): Reading => readEntry(field(key), standing(key), entry);

  /** What the control shows: the draft while there is one, the value in force otherwise. */
  function entry(key: string): Entry {
    const typed = draft(key);
    if (typed && typed.entry !== null) return typed.entry;
    const { own, value } = typed ? standingWith(standing(key), null) : standing(key);
    if (own === null && field(key).optional) return '';
    return typeof value === 'boolean' ? value : String(value);
  }

  /** The value that would be in force if the draft were saved; undefined while it cannot be. */
  function inForce(key: string): SettingValue | undefined {
    if (!store.standings[key]) return undefined;
    const typed = draft(key);
    if (!typed) return standing(key).value;
    const reading = read(key, typed.entry);
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
    setStore(
      produce((now) => {
        now.states[key] = next;
      }),
    );
  }

  return {
    has: (key: string) => byKey.has(key),
    field,
    standing,
    draft,
    state,
    read,
    entry,
    inForce,
    setState,
    version: () => store.version,
    draftKeys: () => Object.keys(store.drafts),
    setVersion: (version: number) => setStore('version', version),
    setStanding: (key: string, next: Standing) => setStore('standings', key, next),
    setDraft: (key: string, next: Draft | undefined) => setStore('drafts', key, next),
    /** Does the entry stand for this very value? */
    means(key: string, candidate: Entry, value: SettingValue | null): boolean {
      const reading = read(key, candidate);
      return reading.type === 'valid' && reading.value === value;
    },
    drop(key: string, next: FieldState) {
      setStore('drafts', key, undefined);
      setState(key, next);
    },
  };
}
