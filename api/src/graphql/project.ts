import { notFound } from '../access/access-error.ts';
import type { Project as ProjectRow } from '../store/entities/project.ts';
import { builder } from './builder.ts';
import { type OracleContext, viewerOf } from './context.ts';
import { userIdDescription } from './personal-settings.ts';
import { invalid, invalidTypes } from './problem.ts';
import { existingSubject } from './subject.ts';

export const Project = builder.objectRef<ProjectRow>('Project').implement({
  description:
    'A set of notes that belongs to one person. The tools of a run see the notes of its project and no others.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the project.' }),
    name: t.exposeString('name', { description: 'What it is called.' }),
    isDefault: t.exposeBoolean('isDefault', { description: 'Whether it is meant when no project is named.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

export const projectIdDescription = "Which project; without it, the caller's default project, made on first use.";

/** The project a request is about, once it is known that the caller may reach it. A foreign one answers as a missing one. */
export async function existingProject(
  context: OracleContext,
  projectId: string | null | undefined,
): Promise<ProjectRow> {
  const viewer = viewerOf(context);
  if (projectId === null || projectId === undefined) return context.vault.defaultProject(viewer.userId);
  const project = await context.vault.findProject(projectId);
  if (!project || !viewer.mayReach(project.userId)) throw notFound('project');
  return project;
}

const ProjectResult = (name: string, description: string) =>
  builder.unionType(name, {
    description,
    types: [Project, invalidTypes.InvalidInput],
    resolveType: (value) => ('problems' in value ? 'InvalidInput' : 'Project'),
  });

const CreateProjectResult = ProjectResult('CreateProjectResult', 'The new project, or why there is none.');
const RenameProjectResult = ProjectResult('RenameProjectResult', 'The project under its new name, or why not.');

const DeletedProject = builder.objectRef<{ readonly deletedId: string }>('DeletedProject').implement({
  description: 'A project that is gone, with all that was in it.',
  fields: (t) => ({ id: t.exposeID('deletedId', { description: 'The id that it had.' }) }),
});

const DeleteProjectResult = builder.unionType('DeleteProjectResult', {
  description: 'That the project is gone, or why it is not.',
  types: [DeletedProject, invalidTypes.InvalidInput],
  resolveType: (value) => ('problems' in value ? 'InvalidInput' : 'DeletedProject'),
});

builder.queryFields((t) => ({
  projects: t.field({
    type: [Project],
    description:
      'The projects of a person, the default one first. It is made on first use, with a few sample notes to ask about.',
    args: { userId: t.arg.id({ description: userIdDescription }) },
    resolve: async (_root, { userId }, context) => [
      ...(await context.vault.projectsOf(await existingSubject(context, userId))),
    ],
  }),
  project: t.field({
    type: Project,
    nullable: true,
    description: 'A project; null when there is none.',
    args: { id: t.arg.id({ required: true, description: 'Which project.' }) },
    resolve: async (_root, { id }, context) => {
      const project = await context.vault.findProject(id);
      return project && viewerOf(context).mayReach(project.userId) ? project : null;
    },
  }),
}));

const nameDescription = 'What it is called: 1 to 100 characters, and no other project of the person has the name.';

builder.mutationFields((t) => ({
  createProject: t.field({
    type: CreateProjectResult,
    description: 'Makes an empty project for the caller.',
    args: { name: t.arg.string({ required: true, description: nameDescription }) },
    resolve: async (_root, { name }, context) => {
      const made = await context.projects.create(viewerOf(context).userId, name);
      return 'id' in made ? made : invalid(made);
    },
  }),
  renameProject: t.field({
    type: RenameProjectResult,
    description: 'Gives a project another name.',
    args: {
      id: t.arg.id({ required: true, description: 'Which project.' }),
      name: t.arg.string({ required: true, description: nameDescription }),
    },
    resolve: async (_root, { id, name }, context) => {
      const renamed = await context.projects.rename(await existingProject(context, id), name);
      return 'id' in renamed ? renamed : invalid(renamed);
    },
  }),
  deleteProject: t.field({
    type: DeleteProjectResult,
    description:
      'Deletes a project with its notes, threads and code. Its conversations stay, and go on in the default project, which cannot be deleted.',
    args: { id: t.arg.id({ required: true, description: 'Which project.' }) },
    resolve: async (_root, { id }, context) => {
      const project = await existingProject(context, id);
      const outcome = await context.projects.delete(project);
      return outcome === 'deleted' ? { deletedId: project.id } : invalid(outcome);
    },
  }),
}));
