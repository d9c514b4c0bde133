import type { PersonRowFragment } from '@oracle-agent/sdk/documents';
import { words } from '../words.ts';
import { formatNumber } from './number-format.ts';

export interface FieldTitles {
  readonly name: string;
  readonly title: string;
}

type EffectiveField = PersonRowFragment['effectiveConfig']['fields'][number];

/** The limits in force that are not what a person would have by default, in words. */
export function ownLimits(
  fields: readonly Pick<EffectiveField, 'field' | 'value' | 'own' | 'fallback' | 'ceiling'>[],
  titles: readonly FieldTitles[],
): readonly string[] {
  return fields.flatMap(({ field, value, own, fallback, ceiling }) => {
    const standard = ceiling === null ? fallback : Math.min(fallback, ceiling);
    if (own === null || value === standard) return [];
    const title = titles.find(({ name }) => name === field)?.title ?? field;
    return [words.people.ownLimit(title, formatNumber(value), formatNumber(standard))];
  });
}
