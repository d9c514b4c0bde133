import { words } from '../words.ts';
import { formatNumber } from './number-format.ts';
import type { Standing } from './setting.ts';

/** Whose settings are on the screen; the words of a badge depend on who reads them. */
export type Owner = 'self' | 'other' | 'organisation';

const { badges } = words.settings;

export interface LayerBadge {
  readonly text: string;
  readonly tone: 'own' | 'organisation' | 'built-in' | 'capped';
}

export function layerBadge(standing: Standing, owner: Owner): LayerBadge {
  switch (standing.layer) {
    case 'CEILING': {
      const cap = typeof standing.value === 'number' ? formatNumber(standing.value) : String(standing.value);
      return { text: badges.capped(cap, owner !== 'other'), tone: 'capped' };
    }
    case 'USER':
      return { text: badges.own[owner], tone: 'own' };
    case 'ORGANISATION':
      return { text: badges.organisation, tone: 'organisation' };
    case 'BUILT_IN':
      return { text: badges.builtIn, tone: 'built-in' };
    case 'QUERY':
      return { text: badges.query, tone: 'own' };
  }
}
