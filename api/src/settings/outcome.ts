import type { FieldProblem } from '../agent/settings.ts';

/** What came of a change: saved, or why it was not. */
export type Outcome<Settings> =
  | { readonly type: 'saved'; readonly settings: Settings }
  | { readonly type: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** Somebody else was faster; these settings stand now. */
  | { readonly type: 'conflict'; readonly settings: Settings };
