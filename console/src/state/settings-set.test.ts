import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildField, buildSnapshot } from '../../test/settings-fixture.ts';
import type { SettingsSnapshot } from './setting.ts';
import { createSettingsSet } from './settings-set.ts';
import type { SaveOutcome, SettingsChange } from './settings-source.ts';

interface Request {
  readonly change: SettingsChange;
  readonly expectedVersion: number | undefined;
  readonly answer: (outcome: SaveOutcome) => Promise<void>;
}

/** A form over a scripted source: every request waits until the test answers it. */
function buildSet(present: () => SettingsSnapshot | undefined = () => undefined) {
  const requests: Request[] = [];
  const set = createSettingsSet(
    [buildField('turns'), buildField('calls')],
    buildSnapshot(1, { turns: null, calls: 5 }),
    {
      save: (change, expectedVersion) =>
        new Promise((resolve) => {
          const answer = async (outcome: SaveOutcome) => {
            resolve(outcome);
            await vi.advanceTimersByTimeAsync(0);
          };
          requests.push({ change, expectedVersion, answer });
        }),
      load: async () => present(),
    },
  );
  const request = (index: number): Request => {
    const found = requests[index];
    if (!found) throw new Error(`There were only ${requests.length} requests.`);
    return found;
  };
  return { set, request, sent: () => requests.map(({ change, expectedVersion }) => ({ change, expectedVersion })) };
}

const saved = (version: number): SaveOutcome => ({ type: 'saved', version });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('saving by itself', () => {
  it('waits 400 ms after the last key, then sends the last value once', async () => {
    const { set, sent } = buildSet();

    set.edit('turns', '2');
    await vi.advanceTimersByTimeAsync(399);
    set.edit('turns', '25');
    await vi.advanceTimersByTimeAsync(399);
    expect(sent()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);

    expect(sent()).toEqual([{ change: { turns: 25 }, expectedVersion: 1 }]);
    expect(set.state('turns').type).toBe('saving');
  });

  it('sends at once when asked to, and shows Saved for a while', async () => {
    const { set, request } = buildSet();

    set.edit('turns', '25');
    void set.flush();
    await request(0).answer(saved(2));

    expect(set.state('turns').type).toBe('saved');
    expect(set.standing('turns')).toMatchObject({ own: 25, value: 25, layer: 'USER' });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(set.state('turns').type).toBe('idle');
  });

  it('keeps one request in flight; what is edited meanwhile follows with the new version', async () => {
    const { set, request, sent } = buildSet();

    set.edit('turns', '20');
    void set.flush();
    set.edit('calls', '7');
    set.edit('turns', '21');
    void set.flush();
    expect(sent()).toHaveLength(1);
    await request(0).answer(saved(2));

    expect(sent()[1]).toEqual({ change: { turns: 21, calls: 7 }, expectedVersion: 2 });
  });

  it('does not send a half-typed number just because an earlier request ended', async () => {
    const { set, request, sent } = buildSet();

    set.edit('calls', '7');
    void set.flush();
    set.edit('turns', '2');
    await request(0).answer(saved(2));
    expect(sent()).toHaveLength(1);
    set.edit('turns', '25');
    await vi.advanceTimersByTimeAsync(400);

    expect(sent()[1]).toEqual({ change: { turns: 25 }, expectedVersion: 2 });
  });

  it('never sends an invalid value, and keeps it visible with the reason', async () => {
    const { set, sent } = buildSet();

    set.edit('turns', '0');
    await vi.advanceTimersByTimeAsync(1_000);

    expect(sent()).toEqual([]);
    expect(set.entry('turns')).toBe('0');
    expect(set.state('turns')).toEqual({
      type: 'invalid',
      message: 'Max iterations must be between 1 and 50; you sent 0.',
    });
  });

  it('sends nothing when the value is put back before it was saved', async () => {
    const { set, sent } = buildSet();

    set.edit('turns', '16');
    set.edit('turns', '15');
    await vi.advanceTimersByTimeAsync(400);

    expect(sent()).toEqual([]);
    expect(set.state('turns').type).toBe('idle');
  });

  it('does not wait for a running request when the page goes away', async () => {
    const { set, sent } = buildSet();

    set.edit('turns', '20');
    void set.flush();
    set.edit('calls', '9');
    set.flushBeforeUnload();

    expect(sent()[1]).toEqual({ change: { calls: 9 }, expectedVersion: undefined });
  });
});

describe('when a save does not succeed', () => {
  it('keeps the entry and offers to try again', async () => {
    const { set, request, sent } = buildSet();

    set.edit('turns', '20');
    void set.flush();
    await request(0).answer({ type: 'failed', message: 'The server could not be reached.' });
    expect(set.state('turns')).toEqual({ type: 'failed', message: 'The server could not be reached.' });
    expect(set.entry('turns')).toBe('20');
    void set.retry('turns');
    await request(1).answer(saved(2));

    expect(sent()[1]).toEqual({ change: { turns: 20 }, expectedVersion: 1 });
    expect(set.state('turns').type).toBe('saved');
  });

  it('puts the server’s reason at its field and sends the other fields again', async () => {
    const { set, request, sent } = buildSet();

    set.edit('turns', '20');
    set.edit('calls', '9');
    void set.flush();
    await request(0).answer({ type: 'rejected', problems: [{ field: 'turns', message: 'Too many.' }] });

    expect(set.state('turns')).toEqual({ type: 'rejected', message: 'Too many.' });
    expect(sent()[1]).toEqual({ change: { calls: 9 }, expectedVersion: 1 });
  });
});

describe('changes made elsewhere', () => {
  it('update untouched fields and leave a field being edited alone', () => {
    const { set } = buildSet();

    set.edit('turns', '0');
    set.accept(buildSnapshot(2, { turns: null, calls: 8 }));

    expect(set.entry('calls')).toBe('8');
    expect(set.entry('turns')).toBe('0');
    expect(set.state('turns').type).toBe('invalid');
  });

  it('show both values when they touch the field being edited', async () => {
    const { set, sent } = buildSet();

    set.edit('turns', '20');
    set.accept(buildSnapshot(2, { turns: 30, calls: 5 }));
    await vi.advanceTimersByTimeAsync(400);

    expect(sent()).toEqual([]);
    expect(set.entry('turns')).toBe('20');
    expect(set.state('turns')).toEqual({ type: 'conflict', theirs: 30 });
  });

  it('end with the choice: mine is sent on top, theirs is taken over', async () => {
    const { set, sent } = buildSet();

    set.edit('turns', '20');
    set.edit('calls', '9');
    set.accept(buildSnapshot(2, { turns: 30, calls: 6 }));
    set.keepMine('turns');
    set.takeTheirs('calls');

    expect(sent()).toEqual([{ change: { turns: 20 }, expectedVersion: 2 }]);
    expect(set.entry('calls')).toBe('6');
  });

  it('stay a question while the field is edited further', async () => {
    const { set, sent } = buildSet();

    set.edit('turns', '20');
    set.accept(buildSnapshot(2, { turns: 30, calls: 5 }));
    set.edit('turns', '21');
    await vi.advanceTimersByTimeAsync(400);
    expect(set.state('turns').type).toBe('conflict');
    expect(sent()).toEqual([]);
    set.keepMine('turns');

    expect(sent()).toEqual([{ change: { turns: 21 }, expectedVersion: 2 }]);
  });

  it('are found out by a stale version: only touched fields conflict, the others are sent again', async () => {
    const { set, request, sent } = buildSet(() => buildSnapshot(4, { turns: 30, calls: 5 }));

    set.edit('turns', '20');
    set.edit('calls', '9');
    void set.flush();
    await request(0).answer({ type: 'conflict' });

    expect(set.state('turns')).toEqual({ type: 'conflict', theirs: 30 });
    expect(sent()[1]).toEqual({ change: { calls: 9 }, expectedVersion: 4 });
  });

  it('are no conflict when they are our own change, pushed before its answer', async () => {
    const { set, request } = buildSet();

    set.edit('turns', '20');
    void set.flush();
    set.edit('turns', '25');
    set.accept(buildSnapshot(2, { turns: 20, calls: 5 }));
    expect(set.state('turns').type).toBe('waiting');
    await request(0).answer(saved(2));

    expect(set.state('turns').type).toBe('waiting');
    expect(set.entry('turns')).toBe('25');
  });

  it('are ignored when they are older than what is known', async () => {
    const { set, request } = buildSet();

    set.edit('turns', '20');
    void set.flush();
    await request(0).answer(saved(2));
    set.accept(buildSnapshot(1, { turns: null, calls: 5 }));

    expect(set.entry('turns')).toBe('20');
  });
});

describe('reset and undo', () => {
  it('clears only what is set, and undo brings it back', async () => {
    const { set, request, sent } = buildSet();

    void set.reset(['turns', 'calls']);
    await request(0).answer(saved(2));
    expect(set.standing('calls')).toMatchObject({ own: null, value: 15 });
    expect(set.canUndo('calls')).toBe(true);
    void set.undo('calls');
    await request(1).answer(saved(3));

    expect(sent().map(({ change }) => change)).toEqual([{ calls: null }, { calls: 5 }]);
    expect(set.canUndo('calls')).toBe(false);
  });

  it('walks back change by change', async () => {
    const { set, request, sent } = buildSet();

    set.edit('turns', '20');
    void set.flush();
    await request(0).answer(saved(2));
    set.edit('calls', '9');
    void set.flush();
    await request(1).answer(saved(3));
    expect([set.canUndo('turns'), set.canUndo('calls')]).toEqual([false, true]);
    void set.undoLast();
    await request(2).answer(saved(4));
    void set.undoLast();
    await request(3).answer(saved(5));

    expect(
      sent()
        .slice(2)
        .map(({ change }) => change),
    ).toEqual([{ calls: 5 }, { turns: null }]);
  });
});
