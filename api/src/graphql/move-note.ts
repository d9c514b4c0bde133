import type { MoveOutcome } from '../vault/vault.ts';
import { builder } from './builder.ts';
import { Note, NoteConflict } from './note.ts';
import { invalid, invalidTypes } from './problem.ts';
import { existingProject, projectIdDescription } from './project.ts';

const MovedNote = builder.objectRef<Extract<MoveOutcome, { readonly type: 'moved' }>>('MovedNote').implement({
  description: 'A note at its new path, and what was done for the links to it.',
  fields: (t) => ({
    note: t.field({ type: Note, description: 'The note as it now stands.', resolve: ({ note }) => note }),
    from: t.exposeString('from', { description: 'Where it lay before.' }),
    notesRewritten: t.exposeInt('notesRewritten', { description: 'How many notes had links to it rewritten.' }),
    linksRewritten: t.exposeInt('linksRewritten', { description: 'How many links were rewritten.' }),
  }),
});

const MoveNoteResult = builder.unionType('MoveNoteResult', {
  description: 'The note at its new path, or why it was not moved.',
  types: [MovedNote, invalidTypes.InvalidInput, NoteConflict],
  resolveType: (value) => ('problems' in value ? 'InvalidInput' : 'message' in value ? 'NoteConflict' : 'MovedNote'),
});

const MoveNoteInput = builder.inputType('MoveNoteInput', {
  description: 'Which note, and where it goes.',
  fields: (t) => ({
    projectId: t.id({ description: projectIdDescription }),
    path: t.string({ required: true, description: 'Where the note lies, with or without .md at its end.' }),
    newPath: t.string({ required: true, description: 'Where it goes; the same rules as for saving.' }),
  }),
});

builder.mutationFields((t) => ({
  moveNote: t.field({
    type: MoveNoteResult,
    description:
      'Moves or renames a note. Links to it are rewritten in all notes of the project, in the manner they were written.',
    args: { input: t.arg({ type: MoveNoteInput, required: true, description: 'From where to where.' }) },
    resolve: async (_root, { input: { projectId, path, newPath } }, context) => {
      const project = await existingProject(context, projectId);
      const outcome = await context.vault.move(project.id, path, newPath);
      switch (outcome.type) {
        case 'moved':
          return outcome;
        case 'invalid':
          return invalid(outcome.problems);
        case 'taken':
          return { message: `There is a note at ${outcome.current.path} already.`, current: outcome.current };
        case 'missing':
          return invalid([missing(path, outcome.nearest)]);
      }
    },
  }),
  deleteNote: t.boolean({
    description: 'Deletes a note. True when this call deleted it; false when there was none.',
    args: {
      projectId: t.arg.id({ description: projectIdDescription }),
      path: t.arg.string({ required: true, description: 'Where it lies, with or without .md at its end.' }),
    },
    resolve: async (_root, { projectId, path }, context) => {
      const project = await existingProject(context, projectId);
      return context.vault.delete(project.id, path);
    },
  }),
}));

function missing(path: string, nearest: readonly string[]) {
  const guess = nearest.length === 0 ? '' : ` Did you mean ${nearest.join(' or ')}?`;
  const message = `There is no note at "${path.slice(0, 500)}".${guess}`;
  return { field: 'path', message, value: path.slice(0, 500), min: undefined, max: undefined };
}
