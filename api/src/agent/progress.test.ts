import { describe, expect, it } from 'vitest';
import { deepFreeze } from './freeze.ts';
import { closeTurn, loopedAction, noProgressYet, type Progress, recordOutcome, stalledTurns } from './progress.ts';
import { outcomeOf, type ScriptedCall } from './test/history.ts';

const search = (result: string): ScriptedCall => ({ name: 'search', arguments: { query: 'x' }, result });
const read = (result: string): ScriptedCall => ({ name: 'read', arguments: { path: 'a' }, result });
const list = (result: string): ScriptedCall => ({ name: 'list', result });

describe('identical actions', () => {
  it('are counted in a row, whatever their results', () => {
    const progress = after([search('1')], [search('2')], [search('3')]);

    expect(stalledTurns(progress)).toEqual({ rule: 'identical', turns: 3 });
  });

  it('are the same whatever the order of calls, of keys and of duplicates', () => {
    const one = { name: 'search', arguments: { a: 1, b: 2 } };
    const same = { name: 'search', arguments: { b: 2, a: 1 } };
    const progress = after([one, read('')], [read(''), same], [read(''), same, one]);

    expect(progress.identicalStreak).toBe(3);
  });

  it('start again after another action', () => {
    expect(after([search('1')], [search('2')], [read('')], [search('3')]).identicalStreak).toBe(1);
  });

  it('are forgotten after a turn without calls', () => {
    expect(after([search('1')], [search('1')], [], [search('1')])).toMatchObject({
      identicalStreak: 1,
      staleStreak: 1,
    });
  });

  it('include calls that were asked for and not run', () => {
    const over = { ...read(''), notRun: true };

    expect(after([search('1'), over], [search('2')]).identicalStreak).toBe(1);
  });
});

describe('a repeatable tool', () => {
  const poll = (result: string): ScriptedCall => ({ name: 'poll', result, repeatable: true });

  it('may be called again as long as its results differ', () => {
    expect(after([poll('10 %')], [poll('20 %')], [poll('30 %')]).identicalStreak).toBe(1);
  });

  it('gets nowhere when its results are identical too', () => {
    expect(after([poll('10 %')], [poll('10 %')], [poll('10 %')]).identicalStreak).toBe(3);
  });

  it('is compared whatever the order of the calls, and however often one was written twice', () => {
    const other = { ...poll('b'), arguments: { of: 'other' } };

    expect(after([poll('a'), other], [other, poll('a')], [other, poll('a'), other]).identicalStreak).toBe(3);
  });

  it('excuses only itself: the results of other tools beside it do not matter', () => {
    const progress = after([poll('1'), search('a')], [search('b'), poll('1')], [poll('1'), search('c')]);

    expect(progress.identicalStreak).toBe(3);
  });
});

describe('stale turns', () => {
  it('bring only results that were seen before, in any earlier turn', () => {
    const progress = after([search('1')], [read('2')], [search('1')], [read('2')], [search('1'), read('2')]);

    expect(stalledTurns(progress)).toEqual({ rule: 'stale', turns: 3 });
  });

  it('end with one new result', () => {
    expect(after([search('1')], [search('1')], [search('1'), read('new')]).staleStreak).toBe(0);
    expect(after([search('1')], [search('1')], [search('changed')]).staleStreak).toBe(0);
  });

  it('tell a failure from a success with the same text, and tools and arguments apart', () => {
    expect(after([search('x')], [{ ...search('"x"'), fails: true }]).staleStreak).toBe(0);
    expect(after([search('x')], [read('x')]).staleStreak).toBe(0);
    expect(after([search('x')], [{ ...search('x'), arguments: { query: 'y' } }]).staleStreak).toBe(0);
  });

  it('include turns of which nothing was run', () => {
    const unrun = { ...search(''), notRun: true };

    expect(after([unrun], [unrun]).staleStreak).toBe(2);
  });
});

describe('the error streak', () => {
  const failing = { ...search('no such index'), fails: true };

  it('counts turns in which every executed call failed', () => {
    expect(after([failing], [failing, { ...read(''), fails: true }]).errorStreak).toBe(2);
  });

  it('ends with one success, and calls that were not run are no errors', () => {
    expect(after([failing], [failing, read('fine')]).errorStreak).toBe(0);
    expect(after([failing], [failing, { ...read(''), notRun: true }]).errorStreak).toBe(2);
    expect(after([failing], [{ ...read(''), notRun: true }]).errorStreak).toBe(0);
  });

  it('remembers the last three errors, shortened', () => {
    const errors = ['1', '2', '3', 'x'.repeat(1_000)].map((result) => [{ ...search(result), fails: true }]);

    expect(after(...errors).recentErrors).toEqual(['2', '3', `${'x'.repeat(199)}…`]);
  });
});

describe('loopedAction', () => {
  it('finds an action seen three times within six turns, with others in between', () => {
    const progress = after([search('1')], [read('1')], [search('2')], [read('2')], [list('')], [search('3')]);

    expect(loopedAction(progress)?.calls).toEqual(['search:{"query":"x"}']);
  });

  it('overlooks three in a row, which is for the other rules to judge', () => {
    expect(loopedAction(after([read('')], [search('1')], [search('2')], [search('3')]))).toBeUndefined();
  });

  it('overlooks what lies more than six turns back', () => {
    const turns = [[search('1')], [read('1')], [search('2')], [read('2')], [list('1')], [list('2')]];

    expect(loopedAction(after(...turns, [search('3')]))).toBeUndefined();
  });
});

describe('memory', () => {
  it('holds the last six actions', () => {
    const turns = Array.from({ length: 9 }, (_, index) => [search(String(index))]);

    expect(after(...turns).recentActions).toHaveLength(6);
  });

  it('keeps huge arguments and results out of the state', () => {
    const huge = { name: 'write', arguments: { body: 'x'.repeat(1_000_000) }, result: 'y'.repeat(1_000_000) };

    expect(JSON.stringify(after([huge], [huge])).length).toBeLessThan(2_000);
  });
});

/** What is remembered after turns with these calls. */
function after(...turns: readonly (readonly ScriptedCall[])[]): Progress {
  return turns.reduce<Progress>((progress, calls) => {
    const outcomes = calls.map((call) => outcomeOf(call));
    return deepFreeze(closeTurn(outcomes.reduce<Progress>(recordOutcome, progress), outcomes));
  }, noProgressYet);
}
