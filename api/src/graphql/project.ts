import { notFound } from '../access/access-error.ts';
import type { Project as ProjectRow } from '../store/entities/project.ts';
import { builder } from './builder.ts';
import { type OracleContext, viewerOf } from './context.ts';
import { userIdDescription } from './personal-settings.ts';
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

builder.queryField('projects', (t) =>
  t.field({
    type: [Project],
    description:
      'The projects of a person, the default one first. It is made on first use, with a few sample notes to ask about.',
    args: { userId: t.arg.id({ description: userIdDescription }) },
    resolve: async (_root, { userId }, context) => [
      ...(await context.vault.projectsOf(await existingSubject(context, userId))),
    ],
  }),
);
