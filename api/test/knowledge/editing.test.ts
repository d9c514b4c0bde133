import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesOf } from '../kit/client.ts';
import { type KnowledgeKit, startKnowledgeKit } from './kit.ts';

let kit: KnowledgeKit;
beforeAll(async () => {
  kit = await startKnowledgeKit();
});
afterAll(() => kit.stop());

const save = `mutation ($input: SaveNoteInput!) { saveNote(input: $input) {
  __typename ... on Note { hash body } ... on NoteConflict { message current { hash body } }
} }`;

type Saved = { saveNote: { __typename: string; hash: string; body: string; current: { body: string } | null } };

describe('editing with the hash of what was read', () => {
  it('saves over that text only, and answers a conflict with what stands now', async () => {
    const { user, projectId } = await kit.newOwner();
    const write = async (body: string, expectedHash?: string) =>
      (await user.ask<Saved>(save, { input: { projectId, path: 'a.md', body, expectedHash } })).saveNote;

    const first = await write('one', '');
    const second = await write('two', first.hash);
    const late = await write('three', first.hash);
    const again = await write('two', first.hash);
    const anew = await write('four', '');

    expect([first, second].map((note) => note.__typename)).toEqual(['Note', 'Note']);
    expect(late).toMatchObject({ __typename: 'NoteConflict', current: { body: 'two' } });
    expect(again.__typename).toBe('Note');
    expect(anew).toMatchObject({ __typename: 'NoteConflict', current: { body: 'two' } });
  });

  it('says so when the note is gone', async () => {
    const { user, projectId } = await kit.newOwner();

    const { saveNote } = await user.ask<Saved>(save, {
      input: { projectId, path: 'gone.md', body: 'x', expectedHash: 'abc' },
    });

    expect(saveNote).toMatchObject({ __typename: 'NoteConflict', current: null });
  });

  it('lets one of many who read the same text through', async () => {
    const { projectId } = await kit.newOwner();
    const first = await kit.vault.write(projectId, { path: 'a.md', body: 'start' });
    const expectedHash = first.type === 'created' ? first.note.hash : '';

    const edits = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        kit.vault.write(projectId, { path: 'a.md', body: `edit ${n}`, expectedHash }),
      ),
    );
    const births = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        kit.vault.write(projectId, { path: 'b.md', body: `birth ${n}`, expectedHash: '' }),
      ),
    );

    expect(edits.filter(({ type }) => type === 'replaced')).toHaveLength(1);
    expect(edits.filter(({ type }) => type === 'conflict')).toHaveLength(9);
    expect(births.filter(({ type }) => type === 'created')).toHaveLength(1);
    expect(births.filter(({ type }) => type === 'conflict')).toHaveLength(9);
  });
});

describe('searching', () => {
  const search = `query ($query: String!, $id: ID, $first: Int) { searchNotes(query: $query, projectId: $id, first: $first) {
    path title line snippet highlights { start end } score note { path body }
  } }`;
  interface Found {
    readonly searchNotes: {
      path: string;
      snippet: string;
      line: number;
      score: number;
      highlights: { start: number; end: number }[];
      note: { body: string };
    }[];
  }

  it('says where in the snippet the words are, as they stand there', async () => {
    const { user, projectId } = await kit.newOwner();
    await kit.vault.write(projectId, {
      path: 'harbours.md',
      body: '# Harbours\n\n\u{1f6a2} The   Caf\u00e9 at the pier <b>opens</b> at noon.\nRunning ferries & cafes.',
    });

    const { searchNotes } = await user.ask<Found>(search, { query: 'CAFE runs', id: projectId });

    const [hit] = searchNotes;
    expect(hit).toMatchObject({ path: 'harbours.md', note: { body: expect.stringContaining('# Harbours') } });
    expect(hit?.highlights.map(({ start, end }) => hit.snippet.slice(start, end))).toEqual([
      'Caf\u00e9',
      'Running',
      'cafes',
    ]);
    expect(hit?.snippet).toContain(
      '\u{1f6a2} The Caf\u00e9 at the pier <b>opens</b> at noon. Running ferries & cafes.',
    );
  });

  it.each([
    ['accents left out', 'uber zurich', '# Über Zürich'],
    ['accents added', 'café', 'A cafe.'],
    ['letters composed otherwise', 'cafe\u0301 menu', 'The caf\u00e9 menu'],
    ['a text composed otherwise', 'caf\u00e9', 'One cafe\u0301 more'],
    ['Greek in capitals', 'ΑΘΗΝΑ', 'Στην Αθήνα'],
    ['Polish', 'lodz', 'Łódź'],
    ['the beginning of the last word', 'weather foreca', 'The weather forecast'],
    ['the beginning of a word with an accent', 'the caf', 'La café'],
    ['a phrase', '"opens at noon"', 'It opens at noon.'],
    ['Korean', '한국어', '한국어 노트'],
  ])('finds by %s', async (_what, query, body) => {
    const { user, projectId } = await kit.newOwner();
    await kit.vault.write(projectId, { path: 'one.md', body });
    await kit.vault.write(projectId, { path: 'other.md', body: 'Nothing of the kind.' });

    const { searchNotes } = await user.ask<Found>(search, { query, id: projectId });

    expect(searchNotes.map(({ path }) => path)).toEqual(['one.md']);
  });

  it('answers nothing, and bad numbers, clearly', async () => {
    const { user, projectId } = await kit.newOwner();

    expect(await user.ask(search, { query: 'anything', id: projectId })).toEqual({ searchNotes: [] });
    expect(codesOf(await user.query(search, { query: 'x', id: projectId, first: 0 }))).toEqual(['BAD_USER_INPUT']);
    expect(codesOf(await user.query(search, { query: 'x', id: projectId, first: 51 }))).toEqual(['BAD_USER_INPUT']);
  });

  it('finds the one note that answers among hundreds that share its common words', async () => {
    const { projectId } = await kit.newOwner();
    await kit.vault.writeMany(
      projectId,
      Array.from({ length: 600 }, (_, n) => ({
        path: `log/${n}.md`,
        body:
          n % 3 === 0 ? 'The ferry and its timetable.' : n % 3 === 1 ? 'A timetable and a harbour.' : 'ferry, harbour',
      })),
    );
    await kit.vault.write(projectId, { path: 'z/answer.md', body: 'Ferry, timetable and harbour; a gull.' });

    for (const query of ['ferry timetable harbour', 'gull', 'ferry timetable harbour xylophone gull'])
      expect((await kit.vault.search(projectId, { query, limit: 3 }))[0]?.path, query).toBe('z/answer.md');
  });
});
