import { describe, expect, it } from 'vitest';
import { changeInWords, type NoteState, type ReadNote, ReadNotes } from './read-notes.ts';

const cited = (path: string, id = path, hash = '1') => ({ kind: 'VAULT', path, note: { id, hash } }) as const;
const state = (path: string, more: Partial<NoteState> = {}): NoteState => ({
  id: path,
  path,
  hash: '1',
  updatedAt: new Date(0),
  ...more,
});

function reading(...sources: readonly Parameters<ReadNotes['cite']>[0][]): ReadNotes {
  const notes = new ReadNotes();
  for (const source of sources) notes.cite(source);
  return notes;
}

const saying = (notes: ReadNotes, ...states: readonly NoteState[]) =>
  notes.stale(states).map((stale) => `${stale.path} ${changeInWords(stale)}`);

describe('notes that were read', () => {
  it('are as they were until their text, their path or they themselves are others', () => {
    const notes = reading(cited('a.md'));

    expect(saying(notes, state('a.md', { updatedAt: new Date() }))).toEqual([]);
    expect(saying(notes, state('a.md', { hash: '2' }))).toEqual(['a.md changed']);
    expect(saying(notes, state('a.md', { path: 'b.md' }))).toEqual(['a.md was moved to b.md']);
    expect(saying(notes, state('a.md', { path: 'b.md', hash: '2' }))).toEqual(['a.md was moved to b.md and changed']);
    expect(saying(notes)).toEqual(['a.md was deleted']);
  });

  it('that were deleted and written again are told by their text', () => {
    const notes = reading(cited('a.md'));

    expect(saying(notes, state('a.md', { id: 'other' }))).toEqual([]);
    expect(saying(notes, state('a.md', { id: 'other', hash: '2' }))).toEqual(['a.md changed']);
  });

  it('are told once, again when something else became of them, and anew after they were read again', () => {
    const notes = reading(cited('a.md'));
    const tell = (...states: readonly NoteState[]) => {
      const said = saying(notes, ...states);
      for (const stale of notes.stale(states)) notes.tell(stale);
      return said;
    };

    expect(tell(state('a.md', { hash: '2' }))).toEqual(['a.md changed']);
    expect(tell(state('a.md', { hash: '3' }))).toEqual([]);
    expect(tell()).toEqual(['a.md was deleted']);
    notes.cite(cited('a.md', 'a.md', '3'));
    expect(tell(state('a.md', { hash: '4' }))).toEqual(['a.md changed']);
  });

  it('are known as the conversation itself left them', () => {
    const notes = reading(cited('a.md'));
    notes.wrote(state('a.md', { path: 'b.md', hash: '2' }));
    notes.wrote(state('never-read.md'));

    expect(saying(notes, state('a.md', { path: 'b.md', hash: '2' }))).toEqual([]);
    expect(notes.all.map(({ path }) => path)).toEqual(['b.md']);
  });

  it('of exchanges from before their texts were kept are told by time', () => {
    const old: ReadNote = { path: 'a.md', known: { readBefore: new Date(1_000) } };
    const notes = new ReadNotes();
    notes.remember([old]);

    expect(saying(notes, state('a.md', { updatedAt: new Date(1_000) }))).toEqual([]);
    expect(saying(notes, state('a.md', { updatedAt: new Date(1_001) }))).toEqual(['a.md changed']);
    expect(saying(notes)).toEqual([]);
  });

  it('are not made older by what is remembered late, and other sources are no notes', () => {
    const notes = reading(cited('a.md', 'a.md', '2'), { kind: 'CODE', path: 'x.ts' });
    notes.remember([{ path: 'a.md', known: { id: 'a.md', hash: '1' } }]);

    expect(saying(notes, state('a.md', { hash: '2' }))).toEqual([]);
  });

  it('are so many at most, the oldest forgotten first', () => {
    const notes = reading(...Array.from({ length: 600 }, (_, number) => cited(`${number}.md`)));

    expect(notes.all).toHaveLength(500);
    expect(notes.all[0]?.path).toBe('100.md');
  });
});
