import { formatNumber } from './number-format.ts';
import type { Standing } from './setting.ts';

/** Whose settings are on the screen; the words of a badge depend on who reads them. */
export type Owner = 'self' | 'other' | 'organisation';

export interface LayerBadge {
  readonly text: string;
  readonly tone: 'own' | 'organisation' | 'built-in' | 'capped';
}

export function layerBadge(standing: Standing, owner: Owner): LayerBadge {
  switch (standing.layer) {
    case 'CEILING': {
      const cap = typeof standing.value === 'number' ? formatNumber(standing.value) : String(standing.value);
      return { text: `capped at ${cap} by ${owner === 'other' ? 'the' : 'your'} organisation`, tone: 'capped' };
    }
    case 'USER':
      return { text: ownText[owner], tone: 'own' };
    case 'ORGANISATION':
      return { text: 'organisation default', tone: 'organisation' };
    case 'BUILT_IN':
      return { text: 'built-in default', tone: 'built-in' };
    case 'QUERY':
      return { text: 'set for this question', tone: 'own' };
  }
}

const ownText: Record<Owner, string> = {
  self: 'set by you',
  other: 'set for this person',
  organisation: 'set by your organisation',
};
