import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import { type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import { plantRun } from './plant.ts';

let kit: OracleKit;
beforeAll(async () => {
  kit = await startOracleKit({ defaultModel: 'offline' });
});
afterAll(() => kit.stop());

const whatIfQuery = `query ($filter: UsageFilter, $limits: MovedLimits!, $last: Int) {
  whatIf(filter: $filter, limits: $limits, last: $last) {
    runs unknown completed earlier { reason runs lostAnswers savedTokens savedMs } otherwise { reason runs }
    further { reason runs } callsNotRun runsWithCallsNotRun
    affected { runId reason turns fate wouldEnd wouldTurns savedTokens savedMs }
  }
}`;

interface WhatIf {
  readonly runs: number;
  readonly affected: readonly { runId: string }[];
}

const points = [0, 1, 2, 3, 4];
const course = [
  points.map((point) => point * 2_000),
  points.map((point) => point * 2_000 + 1_000),
  points.map((point) => point * 4_000),
  [1, 6, 6, 0],
] as const;
const fourTurns = { at: '2026-03-01T10:00:00Z', turns: 4, tokens: 8_000, durationMs: 16_000, course };

describe('what if', () => {
  it('tells which past runs would have ended earlier, what that saves and which answers it costs', async () => {
    const ada = await kit.newUser();
    const ended = await plantRun(kit.database, { ...fourTurns, userId: ada.id, reason: 'NO_PROGRESS' });
    const answered = await plantRun(kit.database, { ...fourTurns, at: '2026-02-01T10:00:00Z', userId: ada.id });
    await plantRun(kit.database, { at: '2026-01-01T10:00:00Z', userId: ada.id });

    const { whatIf } = await ada.ask<{ whatIf: WhatIf }>(whatIfQuery, {
      limits: { maxIterations: 3, maxToolCallsPerTurn: 4 },
    });

    const fate = {
      turns: 4,
      fate: 'EARLIER',
      wouldEnd: 'MAX_ITERATIONS',
      wouldTurns: 3,
      savedTokens: 2_000,
      savedMs: 4_000,
    };
    expect(whatIf).toEqual({
      runs: 3,
      unknown: 1,
      completed: 2,
      earlier: [{ reason: 'MAX_ITERATIONS', runs: 2, lostAnswers: 1, savedTokens: 4_000, savedMs: 8_000 }],
      otherwise: [],
      further: [],
      callsNotRun: 4,
      runsWithCallsNotRun: 2,
      affected: [
        { runId: answered, reason: 'COMPLETED', ...fate },
        { runId: ended, reason: 'NO_PROGRESS', ...fate },
      ],
    });
  });

  it('changes nothing under the limits that real runs had, and lets those at a limit go on under looser ones', async () => {
    const ada = await kit.newUser();
    await kit.ask(ada, { question: 'a', model: 'simulated/busy', config: { maxIterations: 3 } });
    await kit.ask(ada, { question: 'b', model: 'simulated/answer', config: { maxIterations: 3 } });
    await kit.ask(ada, { question: 'c', model: 'simulated/burn', config: { tokenBudget: 6_000 } });

    const same = await ada.ask<{ whatIf: WhatIf }>(whatIfQuery, { limits: {} });
    const looser = await ada.ask<{ whatIf: WhatIf }>(whatIfQuery, {
      limits: { maxIterations: 50, tokenBudget: 200_000 },
    });

    expect(same.whatIf).toMatchObject({ runs: 3, unknown: 0, earlier: [], otherwise: [], further: [], affected: [] });
    expect(looser.whatIf).toMatchObject({ earlier: [], otherwise: [] });
    expect(looser.whatIf).toHaveProperty('further', expect.arrayContaining([{ reason: 'MAX_ITERATIONS', runs: 1 }]));
  });

  it('looks at the newest only, at one’s own only, and says what is out of bounds', async () => {
    const [ada, bob] = [await kit.newUser(), await kit.newUser()];
    for (const day of ['01', '02', '03']) {
      await plantRun(kit.database, { ...fourTurns, at: `2026-03-${day}T10:00:00Z`, userId: ada.id });
    }
    const asked = (more: object) => ({ limits: { maxIterations: 2 }, ...more });

    const newest = await ada.ask<{ whatIf: WhatIf }>(whatIfQuery, asked({ last: 2 }));
    const byAdmin = await kit.admin.ask<{ whatIf: WhatIf }>(whatIfQuery, asked({ filter: { userId: ada.id } }));
    const refused = await bob.query(whatIfQuery, { limits: { maxIterations: 0, tokenBudget: 5 }, last: 0 });

    expect([newest.whatIf.runs, newest.whatIf.affected.length]).toEqual([2, 2]);
    expect(byAdmin.whatIf.runs).toBe(3);
    expect(codesOf(await bob.query(whatIfQuery, asked({ filter: { userId: ada.id } })))).toEqual(['NOT_FOUND']);
    expect(codesOf(await bob.query(whatIfQuery, asked({ filter: { everyone: true } })))).toEqual(['FORBIDDEN']);
    expect(codesOf(refused)).toEqual(['BAD_USER_INPUT']);
    expect(refused.errors?.[0]?.message).toMatch(/Max iterations.*Token budget.*last must be/);
  });
});
