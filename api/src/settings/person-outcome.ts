import type { SettingGroup } from './setting-group.ts';
import {
  planSettings,
  type SettingsGround,
  type SettingsInForce,
  type SettingsPlan,
  type SettingsWish,
  type Stored,
  settingsInForce,
} from './settings-plan.ts';

export type PersonStatus = 'CHANGED' | 'UNCHANGED' | 'INVALID' | 'CONFLICT' | 'MISSING';

/** One of the people whose settings are changed together. */
export interface PersonRequest {
  readonly userId: string;
  readonly expectedVersion: number | undefined;
  readonly wish: SettingsWish;
}

/** What a change of many does, or would do, to one of them. */
export interface PersonOutcome {
  readonly userId: string;
  readonly status: PersonStatus;
  readonly plan: SettingsPlan;
  /** What stands: before the change, and after it once it was made. */
  readonly settings: SettingsInForce;
}

export function outcomeFor(
  group: SettingGroup,
  ground: SettingsGround,
  person: PersonRequest,
  known: ReadonlySet<string>,
  stored: Stored,
): PersonOutcome {
  const plan = planSettings(group, ground, stored, person.wish);
  const settings = settingsInForce(group, ground.builtIn, stored);
  return { userId: person.userId, status: statusOf(), plan, settings };

  function statusOf(): PersonStatus {
    if (!known.has(person.userId)) return 'MISSING';
    if (plan.problems.length > 0) return 'INVALID';
    if (person.expectedVersion !== undefined && person.expectedVersion !== settings.version) return 'CONFLICT';
    return plan.moves.length > 0 ? 'CHANGED' : 'UNCHANGED';
  }
}
