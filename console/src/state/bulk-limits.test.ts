import { describe, expect, it } from 'vitest';
import { applyInput, type BulkPreview, byImportance, readEntries, targetOf, undoInput } from './bulk-limits.ts';
import type { SettingField } from './setting.ts';

const field = (key: string): SettingField => ({
  ...{ key, title: key, help: '', unit: 'turns', kind: 'WHOLE_NUMBER', default: 15, min: 1, max: 50, optional: false },
});
const fields = [
  { field: field('turns'), ceiling: null },
  { field: field('calls'), ceiling: 20 },
];

const person = (userId: string, status: BulkPreview['people'][number]['status'], version = 1) =>
  ({
    ...{
      __typename: 'AgentConfigChange',
      userId,
      user: null,
      status,
      problems: [],
      config: { __typename: 'AgentConfig', version },
    },
    changes:
      status === 'CHANGED'
        ? [{ __typename: 'LimitChange', field: 'turns', from: null, to: 30, before: 15, after: 30, layer: 'USER' }]
        : [],
  }) as BulkPreview['people'][number];
const preview = (people: BulkPreview['people']): BulkPreview => ({
  ...{ __typename: 'AgentConfigsUpdate', applied: false, changed: 1, unchanged: 0, refused: 0, people },
});

describe('what the form asks for', () => {
  it('is what is set and what goes back to the default; the rest stays as it is', () => {
    const wanted = readEntries(fields, { turns: { mode: 'set', text: ' 30 ' }, calls: { mode: 'clear', text: '9' } });

    expect(wanted).toEqual({ type: 'changes', changes: { turns: 30, calls: null } });
  });

  it('is refused with the reason at every bad field, ceilings included', () => {
    const wanted = readEntries(fields, { turns: { mode: 'set', text: '51' }, calls: { mode: 'set', text: '21' } });

    expect(wanted).toEqual({
      type: 'problems',
      fields: {
        turns: 'turns must be between 1 and 50; you sent 51.',
        calls: "calls must be between 1 and 20, your organisation's ceiling; you sent 21.",
      },
    });
  });

  it('must be something', () => {
    expect(readEntries(fields, { turns: { mode: 'keep', text: '30' } })).toMatchObject({
      type: 'problems',
      fields: {},
    });
  });
});

describe('whom it is for', () => {
  it('are the chosen, or everybody whom the search finds', () => {
    expect(targetOf({ type: 'some', ids: new Set(['a']) }, 'x')).toEqual({
      people: [{ userId: 'a', expectedVersion: null }],
    });
    expect(targetOf({ type: 'all-matching', count: 3 }, 'x')).toEqual({ search: 'x' });
  });

  it('are, for the change, exactly the people of the preview at the versions it showed', () => {
    const seen = preview([person('a', 'CHANGED', 3), person('b', 'UNCHANGED', 7)]);

    expect(applyInput(seen, { maxIterations: 30 })).toEqual({
      people: [
        { userId: 'a', expectedVersion: 3 },
        { userId: 'b', expectedVersion: 7 },
      ],
      changes: { maxIterations: 30 },
    });
  });

  it('are, for the way back, those who were changed, each with their own values', () => {
    const done = preview([person('a', 'CHANGED', 4), person('b', 'UNCHANGED', 7)]);

    expect(undoInput(done)).toEqual({ people: [{ userId: 'a', expectedVersion: 4, changes: { turns: null } }] });
  });

  it('are listed with what needs attention first', () => {
    const people = [person('a', 'UNCHANGED'), person('b', 'CHANGED'), person('c', 'CONFLICT'), person('d', 'INVALID')];

    expect(byImportance(people).map(({ userId }) => userId)).toEqual(['d', 'c', 'b', 'a']);
  });
});
