import { describe, expect, it } from 'vitest';
import { buildStanding } from '../../test/settings-fixture.ts';
import { layerBadge } from './layer-badge.ts';

describe('layerBadge', () => {
  it('says who set the value, in words that fit the reader', () => {
    expect(layerBadge(buildStanding(20), 'self').text).toBe('set by you');
    expect(layerBadge(buildStanding(20), 'other').text).toBe('set for this person');
    expect(layerBadge(buildStanding(20), 'organisation').text).toBe('set by your organisation');
  });

  it('tells the two kinds of default apart', () => {
    const organisation = buildStanding(null, { fallbackLayer: 'ORGANISATION', fallback: 12 });

    expect(layerBadge(buildStanding(), 'self').text).toBe('built-in default');
    expect(layerBadge(organisation, 'self').text).toBe('organisation default');
  });

  it('names the ceiling when it holds a value down, whoever set that value', () => {
    const capped = { text: 'capped at 20 by your organisation', tone: 'capped' };

    expect(layerBadge(buildStanding(40, { ceiling: 20 }), 'self')).toEqual(capped);
    expect(layerBadge(buildStanding(null, { fallback: 30, ceiling: 20 }), 'self')).toEqual(capped);
    expect(layerBadge(buildStanding(40, { ceiling: 20 }), 'other').text).toBe('capped at 20 by the organisation');
    expect(layerBadge(buildStanding(20, { ceiling: 20 }), 'self').text).toBe('set by you');
  });
});
