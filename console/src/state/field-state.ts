import type { SettingValue } from './setting.ts';
import type { Entry } from './validation.ts';

/** A change that has not reached the server yet, and the value it was made against. */
export interface Draft {
  readonly entry: Entry;
  readonly base: SettingValue | null;
}

export type FieldState =
  | { readonly type: 'idle' }
  | { readonly type: 'waiting' }
  | { readonly type: 'saving' }
  | { readonly type: 'saved' }
  /** Not sent: the entry cannot be a value of this field. */
  | { readonly type: 'invalid'; readonly message: string }
  /** Sent and refused for good; only another entry helps. */
  | { readonly type: 'rejected'; readonly message: string }
  /** Did not get through; trying again may help. */
  | { readonly type: 'failed'; readonly message: string }
  /** Somebody else changed the field while it was being edited. */
  | { readonly type: 'conflict'; readonly theirs: SettingValue | null };

export const idle: FieldState = { type: 'idle' };

/** A value that was good enough to send is not on the server, and will not get there without the person. */
export function needsAttention(state: FieldState): boolean {
  return state.type === 'failed' || state.type === 'conflict';
}
