import { words } from '../words.ts';
import type { SettingField } from './setting.ts';

export interface Card {
  readonly name: string;
  readonly fields: readonly SettingField[];
}

const cardOfUnit: Readonly<Record<string, string>> = words.settings.cards;

/**
 * Cards follow from the units, so that a field added to the API finds its place without a change here. A percentage
 * is a share of the field before it and stays in its card.
 */
export function groupIntoCards(fields: readonly SettingField[]): readonly Card[] {
  const cards = new Map<string, SettingField[]>();
  let previous = words.settings.moreLimits;
  for (const field of fields) {
    const name = field.unit === '%' ? previous : (cardOfUnit[field.unit] ?? words.settings.moreLimits);
    cards.set(name, [...(cards.get(name) ?? []), field]);
    previous = name;
  }
  return [...cards].map(([name, members]) => ({ name, fields: members }));
}
