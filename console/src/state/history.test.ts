import { describe, expect, it } from 'vitest';
import type { Change } from './change-pages.ts';
import { pointsOf } from './history.ts';

const change = (version: number, group: Change['group'], field = 'maxIterations') =>
  ({ id: `${version}${field}`, version, group, field, at: `2026-11-0${version}T00:00:00Z` }) as Change;

describe('the points of a history', () => {
  const changes = [
    change(4, 'AGENT_CONFIG'),
    change(3, 'AGENT_CONFIG', 'tokenBudget'),
    change(3, 'AGENT_CONFIG'),
    change(9, 'MCP_SERVERS', 'notes'),
    change(2, 'MODEL_SETTINGS', 'oracleModel'),
  ];

  it('are one for each version of the group, newest first, and the beginning', () => {
    expect(pointsOf(changes, 'AGENT_CONFIG').map(({ version }) => version)).toEqual([4, 3, 1]);
    expect(pointsOf(changes, 'MODEL_SETTINGS')).toEqual([
      { version: 2, at: '2026-11-02T00:00:00Z' },
      { version: 1, at: undefined },
    ]);
  });

  it('are those of both groups where they share their versions; servers have theirs elsewhere', () => {
    expect(pointsOf(changes, undefined).map(({ version }) => version)).toEqual([4, 3, 2, 1]);
  });

  it('are the beginning alone when nothing was changed', () => {
    expect(pointsOf([], 'AGENT_CONFIG')).toEqual([{ version: 1, at: undefined }]);
  });
});
