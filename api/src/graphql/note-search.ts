import { badInput, notFound } from '../access/access-error.ts';
import type { Highlight as HighlightRow } from '../search/snippet.ts';
import type { NoteHit as NoteHitRow } from '../vault/vault.ts';
import { builder } from './builder.ts';
import { viewerOf } from './context.ts';
import { Note } from './note.ts';
import { existingProject, Project, projectIdDescription } from './project.ts';

const mostHits = 50;

export const Highlight = builder.objectRef<HighlightRow>('Highlight').implement({
  description: 'A part of a snippet that matches, counted in UTF-16 units, as JavaScript does.',
  fields: (t) => ({
    start: t.exposeInt('start', { description: 'Where it starts, counted from 0.' }),
    end: t.exposeInt('end', { description: 'The place behind its last character.' }),
  }),
});

const NoteHit = builder.objectRef<NoteHitRow>('NoteHit').implement({
  description: 'A note that answers a search, with its best passage.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Where the note lies.' }),
    title: t.exposeString('title', { description: 'The title of the note.' }),
    project: t.field({
      type: Project,
      description: 'The project that it is a note of.',
      resolve: async ({ projectId }, _args, { vault }) => {
        const project = await vault.findProject(projectId);
        if (!project) throw notFound('project'); // gone this moment, and its notes with it
        return project;
      },
    }),
    note: t.field({
      type: Note,
      nullable: true,
      description: 'The note itself; null when it was removed in this very moment.',
      resolve: async ({ id }, _args, { vault }) => (await vault.find(id)) ?? null,
    }),
    line: t.exposeInt('line', { description: 'Where the passage starts, counted from 1.' }),
    snippet: t.exposeString('snippet', { description: 'The passage as plain text of at most 500 characters.' }),
    highlights: t.field({
      type: [Highlight],
      description: 'Where in the snippet the words are that were searched for.',
      resolve: ({ highlights }) => [...highlights],
    }),
    score: t.exposeFloat('score', { description: 'From 0 to 1; comparable within one search only.' }),
  }),
});

export const hitArgs = builder.args((t) => ({
  query: t.string({
    required: true,
    description: 'Plain words, the last of which may be unfinished; "an exact phrase"; -without.',
  }),
  first: t.int({ description: `How many at most, 1 to ${mostHits}; without it 10.` }),
}));

export function hitLimit(first: number | null | undefined): number {
  const limit = first ?? 10;
  if (limit >= 1 && limit <= mostHits) return limit;
  throw badInput(`first must be between 1 and ${mostHits}; you sent ${limit}.`);
}

builder.queryField('searchNotes', (t) =>
  t.field({
    type: [NoteHit],
    description: 'The notes of a project that answer a question best, best first. Case and accents do not matter.',
    args: {
      ...hitArgs,
      projectId: t.arg.id({ description: projectIdDescription }),
      everywhere: t.arg.boolean({ description: "In all of the caller's projects at once, instead of one." }),
    },
    resolve: async (_root, { query, first, projectId, everywhere }, context) => {
      if (everywhere === true) {
        if (projectId != null) throw badInput('everywhere and projectId exclude each other.');
        const { userId } = viewerOf(context);
        return [...(await context.vault.searchAll(userId, { query, limit: hitLimit(first) }))];
      }
      const project = await existingProject(context, projectId);
      return [...(await context.vault.search(project.id, { query, limit: hitLimit(first) }))];
    },
  }),
);
