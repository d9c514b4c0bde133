import type { SettingChange } from '../store/entities/setting-change.ts';

/** How one setting differs between two points of its history; undefined: not set there. */
export interface SettingDifference {
  readonly group: SettingChange['group'];
  readonly layer: SettingChange['layer'];
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

type Step = Pick<SettingChange, 'group' | 'layer' | 'field' | 'oldValue' | 'newValue'>;

/** What a stretch of the audit log, oldest first, did all in all: what was changed and changed back is no difference. */
export function foldChanges(steps: readonly Step[]): readonly SettingDifference[] {
  const folded = new Map<string, SettingDifference>();
  for (const { group, layer, field, oldValue, newValue } of steps) {
    const key = `${group} ${layer} ${field}`;
    const from = folded.has(key) ? folded.get(key)?.from : (oldValue ?? undefined);
    folded.set(key, { group, layer, field, from, to: newValue ?? undefined });
  }
  return [...folded.values()].filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
}

export function turnedRound(differences: readonly SettingDifference[]): readonly SettingDifference[] {
  return differences.map(({ from, to, ...rest }) => ({ ...rest, from: to, to: from }));
}
