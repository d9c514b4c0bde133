import type { SettingsSnapshot, SettingValue } from './setting.ts';

/** Null clears a field. A change holds either values or clearings, never both: they are different requests. */
export type SettingsChange = Readonly<Record<string, SettingValue | null>>;

export type SaveOutcome =
  | { readonly type: 'saved'; readonly version: number }
  | { readonly type: 'rejected'; readonly problems: readonly { readonly field: string; readonly message: string }[] }
  | { readonly type: 'conflict' }
  | { readonly type: 'failed'; readonly message: string };

/** Where one set of settings is read from and saved to. */
export interface SettingsSource {
  /** Without an expected version the change is made whatever happened meanwhile. */
  save(change: SettingsChange, expectedVersion: number | undefined): Promise<SaveOutcome>;
  /** The settings now; undefined when they cannot be had. */
  load(): Promise<SettingsSnapshot | undefined>;
}
