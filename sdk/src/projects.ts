import { type Bind, withOne } from './call.ts';
import * as documents from './generated/documents.ts';
import type { ProjectId, UserId } from './generated/ids.ts';
import type {
  CreateProjectMutation,
  DeleteProjectMutation,
  ProjectFragment,
  RenameProjectMutation,
  RenameProjectMutationVariables,
} from './generated/types.ts';
import type { RequestOptions } from './request.ts';

/** The new project, or what is wrong with its name: told apart by `__typename`. */
export type CreateProjectResult = CreateProjectMutation['createProject'];
/** The project under its new name, or what is wrong with that: told apart by `__typename`. */
export type RenameProjectResult = RenameProjectMutation['renameProject'];
/** What is gone, or why it is not: told apart by `__typename`. */
export type DeleteProjectResult = DeleteProjectMutation['deleteProject'];

/** What knowledge is kept in: notes, threads and code. */
export interface ProjectsApi {
  /** Null when there is no such project, or none the caller may see. */
  get(id: ProjectId, options?: RequestOptions): Promise<ProjectFragment | null>;
  /** The default one first. Without a `userId`, the caller's own; another's are for administrators. */
  list(userId?: UserId, options?: RequestOptions): Promise<readonly ProjectFragment[]>;
  /** Makes an empty one. */
  create(name: string, options?: RequestOptions): Promise<CreateProjectResult>;
  /** Gives it another name. */
  rename(which: RenameProjectMutationVariables, options?: RequestOptions): Promise<RenameProjectResult>;
  /** Deletes a project with everything in it. */
  delete(id: ProjectId, options?: RequestOptions): Promise<DeleteProjectResult>;
}

/** Binds the projects to a way of sending requests. */
export function makeProjectsApi(bind: Bind): ProjectsApi {
  const list = bind(documents.ProjectsDocument);
  return {
    get: withOne('id', bind(documents.ProjectDocument)),
    list: (userId, options) => list({ userId }, options),
    create: withOne('name', bind(documents.CreateProjectDocument)),
    rename: bind(documents.RenameProjectDocument),
    delete: withOne('id', bind(documents.DeleteProjectDocument)),
  };
}
