import { badInput } from '../access/access-error.ts';
import { builder } from './builder.ts';
import { CodeDefinitions, CodeFile, CodeHitType, CodeReferences, RepositoryMapType } from './code-types.ts';
import { answerPage, definePage, pageArgs } from './page.ts';
import { invalid, invalidTypes } from './problem.ts';
import { existingProject, projectIdDescription } from './project.ts';

const CodeFileConnection = definePage('CodeFile', CodeFile);
const pathDescription = 'Only files whose path contains this; with a * in it, only paths that are whole of that form.';
const mostPaths = 1_000;

function within(name: string, value: number | null | undefined, usual: number, [min, max]: readonly [number, number]) {
  const chosen = value ?? usual;
  if (chosen < min || chosen > max) throw badInput(`${name} must be between ${min} and ${max}; you sent ${chosen}.`);
  return chosen;
}

builder.queryFields((t) => ({
  codeFile: t.field({
    type: CodeFile,
    nullable: true,
    description: 'A file of code by its path; null when there is none.',
    args: {
      projectId: t.arg.id({ description: projectIdDescription }),
      path: t.arg.string({ required: true, description: 'The whole path.' }),
    },
    resolve: async (_root, { projectId, path }, context) => {
      const project = await existingProject(context, projectId);
      return (await context.code.find(project.id, path)) ?? null;
    },
  }),
  codeFiles: t.field({
    type: CodeFileConnection,
    description: 'The files of code of a project by path, in pages.',
    args: {
      ...pageArgs,
      projectId: t.arg.id({ description: projectIdDescription }),
      path: t.arg.string({ description: pathDescription }),
    },
    resolve: async (_root, { projectId, first, after, path }, context) => {
      const project = await existingProject(context, projectId);
      return answerPage(context.code.page(project.id, { first, after, path: path ?? undefined }));
    },
  }),
  searchCode: t.field({
    type: [CodeHitType],
    description: 'Lines of code by words, parts of names or an exact text, best first.',
    args: {
      projectId: t.arg.id({ description: projectIdDescription }),
      query: t.arg.string({ required: true, description: 'Plain words, or "an exact text".' }),
      path: t.arg.string({ description: pathDescription }),
      limit: t.arg.int({ description: 'How many at most, 1 to 50; without it 10.' }),
    },
    resolve: async (_root, { projectId, query, path, limit }, context) => {
      const project = await existingProject(context, projectId);
      const request = { query, path: path ?? undefined, limit: within('limit', limit, 10, [1, 50]) };
      return [...(await context.code.search(project.id, request))];
    },
  }),
  codeDefinitions: t.field({
    type: CodeDefinitions,
    description: 'Where a name is defined.',
    args: {
      projectId: t.arg.id({ description: projectIdDescription }),
      name: t.arg.string({ required: true, description: 'Alone, or with its container as in Reader.parse.' }),
      limit: t.arg.int({ description: 'How many at most, 1 to 100; without it 20.' }),
    },
    resolve: async (_root, { projectId, name, limit }, context) => {
      const project = await existingProject(context, projectId);
      return context.code.definitions(project.id, name, within('limit', limit, 20, [1, 100]));
    },
  }),
  codeReferences: t.field({
    type: CodeReferences,
    description: 'Where a name is used.',
    args: {
      projectId: t.arg.id({ description: projectIdDescription }),
      name: t.arg.string({ required: true, description: 'The name alone.' }),
      limit: t.arg.int({ description: 'How many at most, 1 to 100; without it 20.' }),
    },
    resolve: async (_root, { projectId, name, limit }, context) => {
      const project = await existingProject(context, projectId);
      return context.code.references(project.id, name, within('limit', limit, 20, [1, 100]));
    },
  }),
  repositoryMap: t.field({
    type: RepositoryMapType,
    description: 'The most important files of a project and what they define, within a number of tokens.',
    args: {
      projectId: t.arg.id({ description: projectIdDescription }),
      tokens: t.arg.int({ description: 'How long it may be, 100 to 50,000; without it 1,000.' }),
    },
    resolve: async (_root, { projectId, tokens }, context) => {
      const project = await existingProject(context, projectId);
      return context.code.map(project.id, within('tokens', tokens, 1_000, [100, 50_000]));
    },
  }),
}));

const CodeFileInput = builder.inputType('CodeFileInput', {
  description: 'A file as it stands.',
  fields: (t) => ({
    path: t.string({
      required: true,
      description: 'Where: relative, parts separated by /, without . or .., 1 to 500 characters.',
    }),
    text: t.string({ required: true, description: 'The whole text, up to 1,000,000 bytes.' }),
  }),
});

const SaveCodeFilesInput = builder.inputType('SaveCodeFilesInput', {
  description: "Without `projectId`: the caller's default project, made on first use.",
  fields: (t) => ({
    projectId: t.id({ description: projectIdDescription }),
    files: t.field({ type: [CodeFileInput], required: true, description: 'Up to 200 files, each path once.' }),
  }),
});

const SavedCodeFiles = builder
  .objectRef<{ readonly created: number; readonly changed: number; readonly unchanged: number }>('SavedCodeFiles')
  .implement({
    description: 'What became of the files that were sent.',
    fields: (t) => ({
      created: t.exposeInt('created', { description: 'How many were new.' }),
      changed: t.exposeInt('changed', { description: 'How many took the place of another text.' }),
      unchanged: t.exposeInt('unchanged', { description: 'How many stood there already, word for word.' }),
    }),
  });

const SaveCodeFilesResult = builder.unionType('SaveCodeFilesResult', {
  description: 'What was saved, or why nothing was.',
  types: [SavedCodeFiles, invalidTypes.InvalidInput],
  resolveType: (value) => ('problems' in value ? 'InvalidInput' : 'SavedCodeFiles'),
});

const DeleteCodeFilesInput = builder.inputType('DeleteCodeFilesInput', {
  description: "Without `projectId`: the caller's default project, made on first use.",
  fields: (t) => ({
    projectId: t.id({ description: projectIdDescription }),
    paths: t.stringList({
      required: true,
      description:
        'Up to 1,000 paths; one that ends in / means all files below it. Those that are not there are passed over.',
    }),
  }),
});

const DeletedCodeFiles = builder.objectRef<{ readonly deleted: number }>('DeletedCodeFiles').implement({
  description: 'What was deleted.',
  fields: (t) => ({ deleted: t.exposeInt('deleted', { description: 'How many files.' }) }),
});

const DeleteCodeFilesResult = builder.unionType('DeleteCodeFilesResult', {
  description: 'What was deleted, or why nothing was.',
  types: [DeletedCodeFiles, invalidTypes.InvalidInput],
  resolveType: (value) => ('problems' in value ? 'InvalidInput' : 'DeletedCodeFiles'),
});

builder.mutationFields((t) => ({
  saveCodeFiles: t.field({
    type: SaveCodeFilesResult,
    description: 'Indexes files: new ones, or in place of those at their paths. All of them, or none when one is bad.',
    args: { input: t.arg({ type: SaveCodeFilesInput, required: true, description: 'Where and what.' }) },
    resolve: async (_root, { input }, context) => {
      const project = await existingProject(context, input.projectId);
      const outcome = await context.code.save(project.id, input.files);
      return outcome.type === 'invalid' ? invalid(outcome.problems) : outcome;
    },
  }),
  deleteCodeFiles: t.field({
    type: DeleteCodeFilesResult,
    description: 'Takes files out of the index.',
    args: { input: t.arg({ type: DeleteCodeFilesInput, required: true, description: 'Where and which.' }) },
    resolve: async (_root, { input }, context) => {
      const project = await existingProject(context, input.projectId);
      if (input.paths.length > mostPaths) {
        const message = `At most ${mostPaths} paths at a time; you sent ${input.paths.length}.`;
        return invalid([{ field: 'paths', message, value: undefined, min: undefined, max: mostPaths }]);
      }
      return { deleted: await context.code.remove(project.id, input.paths) };
    },
  }),
}));
