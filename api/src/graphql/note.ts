import type { Note as NoteRow } from '../store/entities/note.ts';
import { builder } from './builder.ts';
import { answerPage, definePage, pageArgs } from './page.ts';
import { invalid, invalidTypes } from './problem.ts';
import { existingProject, projectIdDescription } from './project.ts';

export const Note = builder.objectRef<NoteRow>('Note').implement({
  description: 'A text in Markdown, found by its path or by the words in it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the note.' }),
    path: t.exposeString('path', { description: 'Where it lies in its project, such as decisions/caching.md.' }),
    title: t.exposeString('title', {
      description: 'From the `title` of its front matter, else its first heading, else the name of the file.',
    }),
    body: t.string({
      description: 'The whole text.',
      resolve: (note, _args, { vault }) => vault.bodyOf(note),
    }),
    hash: t.exposeString('hash', { description: 'SHA-256 of the text: changes when the text does.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was first written.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When its text last changed.' }),
  }),
});

export const NoteConnection = definePage('Note', Note);

export const NoteConflict = builder
  .objectRef<{ readonly message: string; readonly current: NoteRow | null }>('NoteConflict')
  .implement({
    description: 'Nothing was changed: another note, or another text, stands at that path.',
    fields: (t) => ({
      message: t.exposeString('message', { description: 'A sentence for the person who asked for it.' }),
      current: t.expose('current', {
        type: Note,
        nullable: true,
        description: 'What stands there now; null: the note is gone.',
      }),
    }),
  });

const SaveNoteInput = builder.inputType('SaveNoteInput', {
  description: "Without `projectId`: the caller's default project, made on first use.",
  fields: (t) => ({
    projectId: t.id({ description: projectIdDescription }),
    path: t.string({
      required: true,
      description: 'Where: relative, parts separated by /, without . or .., 1 to 500 characters, kept as given.',
    }),
    body: t.string({ required: true, description: 'The whole text in Markdown, up to 1,000,000 bytes.' }),
    expectedHash: t.string({
      description:
        'The `hash` of the text that was edited: another one there is not overwritten. Empty: only if there is none yet.',
    }),
  }),
});

const SaveNoteResult = builder.unionType('SaveNoteResult', {
  description: 'The note as it now stands, or why it was not saved.',
  types: [Note, invalidTypes.InvalidInput, NoteConflict],
  resolveType: (value) => ('problems' in value ? 'InvalidInput' : 'message' in value ? 'NoteConflict' : 'Note'),
});

builder.queryFields((t) => ({
  note: t.field({
    type: Note,
    nullable: true,
    description: 'A note by its path; null when there is none.',
    args: {
      projectId: t.arg.id({ description: projectIdDescription }),
      path: t.arg.string({ required: true, description: 'The path, with or without .md at its end.' }),
    },
    resolve: async (_root, { projectId, path }, context) => {
      const project = await existingProject(context, projectId);
      const outcome = await context.vault.read(project.id, path);
      return outcome.type === 'found' ? outcome.note : null;
    },
  }),
  notes: t.field({
    type: NoteConnection,
    description: 'The notes of a project by path, in pages.',
    args: {
      ...pageArgs,
      projectId: t.arg.id({ description: projectIdDescription }),
      search: t.arg.string({
        description: 'Only those whose title or path contains this, or whose text has its words.',
      }),
    },
    resolve: async (_root, { projectId, first, after, search }, context) => {
      const project = await existingProject(context, projectId);
      return answerPage(context.vault.page(project.id, { first, after, search: search ?? '' }));
    },
  }),
}));

builder.mutationField('saveNote', (t) =>
  t.field({
    type: SaveNoteResult,
    description: 'Writes a note: a new one, or in place of the one at that path.',
    args: { input: t.arg({ type: SaveNoteInput, required: true, description: 'Where and what.' }) },
    resolve: async (_root, { input }, context) => {
      const project = await existingProject(context, input.projectId);
      const outcome = await context.vault.write(project.id, input);
      if (outcome.type === 'invalid') return invalid(outcome.problems);
      if (outcome.type !== 'conflict') return outcome.note;
      const message = outcome.current
        ? 'The note was changed since it was read; what stands there now was kept.'
        : 'The note was removed since it was read.';
      return { message, current: outcome.current ?? null };
    },
  }),
);
