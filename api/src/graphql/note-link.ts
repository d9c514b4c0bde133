import type { NoteLink as NoteLinkRow } from '../vault/note-links.ts';
import { builder } from './builder.ts';
import { Note, NoteConnection } from './note.ts';
import { answerPage, pageArgs } from './page.ts';

const NoteLink = builder.objectRef<NoteLinkRow>('NoteLink').implement({
  description: 'A [[wikilink]] of a note: to a path, or to a name that only one note of the project has.',
  fields: (t) => ({
    target: t.exposeString('target', { description: 'What it points to, as written, without heading and alias.' }),
    line: t.exposeInt('line', { description: 'Where the note links to it first, counted from 1.' }),
    times: t.exposeInt('times', { description: 'How often the note links to it.' }),
    note: t.field({
      type: Note,
      nullable: true,
      description: 'The note that it leads to; null: there is none, or several have that name.',
      resolve: ({ note }) => note ?? null,
    }),
  }),
});

builder.objectFields(Note, (t) => ({
  links: t.field({
    type: [NoteLink],
    description: 'What it links to, in the order of the text, the first 500. Links in code do not count.',
    resolve: async (note, _args, { vault }) => [...(await vault.linksOf(note))],
  }),
  backlinks: t.field({
    type: NoteConnection,
    description: 'The other notes that link to it, by path, in pages.',
    args: pageArgs,
    resolve: (note, args, { vault }) => answerPage(vault.backlinksOf(note, args)),
  }),
}));
