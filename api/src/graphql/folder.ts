import type { FolderEntry as FolderEntryRow } from '../store/folder-page.ts';
import { builder } from './builder.ts';
import { answerPage, definePage, pageArgs } from './page.ts';
import { existingProject, projectIdDescription } from './project.ts';

const FolderEntry = builder.objectRef<FolderEntryRow>('FolderEntry').implement({
  description: 'A file in a folder, or a folder in it. A folder exists as long as a file lies in it.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The last part of its path.' }),
    path: t.exposeString('path', { description: 'The whole path, for a folder without a / at its end.' }),
    isFolder: t.exposeBoolean('isFolder', { description: 'Whether it is a folder.' }),
    files: t.exposeInt('files', { description: 'How many files lie in it and below; 1 for a file.' }),
    title: t.exposeString('title', { nullable: true, description: 'The title of a note; null for all else.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When it, or for a folder anything below it, last changed.',
    }),
  }),
});

const FolderEntryConnection = definePage('FolderEntry', FolderEntry);

const folderArgs = builder.args((t) => ({
  projectId: t.id({ description: projectIdDescription }),
  path: t.string({ description: 'Which folder, such as decisions/2026; without it, the outermost.' }),
}));

builder.queryFields((t) => ({
  noteFolder: t.field({
    type: FolderEntryConnection,
    description: 'What lies directly in a folder of notes, folders first, each by name, in pages.',
    args: { ...pageArgs, ...folderArgs },
    resolve: async (_root, { projectId, path, first, after }, context) => {
      const project = await existingProject(context, projectId);
      return answerPage(context.vault.folder(project.id, { folder: path ?? '', first, after }));
    },
  }),
  codeFolder: t.field({
    type: FolderEntryConnection,
    description: 'What lies directly in a folder of code, folders first, each by name, in pages.',
    args: { ...pageArgs, ...folderArgs },
    resolve: async (_root, { projectId, path, first, after }, context) => {
      const project = await existingProject(context, projectId);
      return answerPage(context.code.folder(project.id, { folder: path ?? '', first, after }));
    },
  }),
}));
