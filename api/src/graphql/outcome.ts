import type { FieldProblem } from '../agent/settings.ts';
import type { Outcome } from '../settings/outcome.ts';

/** Told apart by their fields where a result union is resolved. */
export type Answer<Settings> =
  | Settings
  | { readonly problems: readonly FieldProblem[] }
  | { readonly conflict: Settings };

export function answerOutcome<Settings>(outcome: Outcome<Settings>): Answer<Settings> {
  switch (outcome.type) {
    case 'saved':
      return outcome.settings;
    case 'invalid':
      return { problems: outcome.problems };
    case 'conflict':
      return { conflict: outcome.settings };
  }
}
