import {
  CreateProjectDocument,
  DeleteProjectDocument,
  ProjectContentsDocument,
  ProjectsDocument,
  RenameProjectDocument,
} from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createEffect, on } from 'solid-js';
import { words } from '../../words.ts';
import { mutate, query } from '../graphql-client.ts';
import { createLoad } from '../load.ts';
import type { Toasts } from '../toasts.ts';

export interface ProjectContents {
  readonly notes: number;
  readonly threads: number;
  readonly files: number;
}

export type Projects = ReturnType<typeof createProjects>;

/** A person's projects, of which one is chosen by the address; without a choice, the default one. */
export function createProjects(client: Client, chosenId: () => string | undefined, toasts: Pick<Toasts, 'show'>) {
  const load = createLoad(client, ProjectsDocument, () => ({}));
  const list = () => {
    const state = load.state();
    return state.type === 'ready' ? state.data.projects : [];
  };
  const chosen = () => {
    const id = chosenId();
    return list().find((project) => (id === undefined ? project.isDefault : project.id === id));
  };
  // One that is not in the list may have been made since, in another tab or by another program.
  createEffect(
    on(chosenId, (id) => {
      if (id !== undefined && load.state().type === 'ready' && !chosen()) void load.reload();
    }),
  );

  return {
    state: load.state,
    reload: load.reload,
    list,
    chosen,
    /** The new project's id, or why there is none. */
    async create(name: string): Promise<{ readonly id: string } | string> {
      const answer = await mutate(client, CreateProjectDocument, { name });
      if (answer.type === 'failed') return answer.message;
      const result = answer.data.createProject;
      if (result.__typename === 'InvalidInput') return result.problems[0]?.message ?? result.message;
      await load.reload();
      toasts.show({ text: words.knowledge.created(result.name) });
      return { id: result.id };
    },
    async rename(id: string, name: string, before?: string): Promise<string | undefined> {
      const answer = await mutate(client, RenameProjectDocument, { id, name });
      if (answer.type === 'failed') return answer.message;
      const result = answer.data.renameProject;
      if (result.__typename === 'InvalidInput') return result.problems[0]?.message ?? result.message;
      await load.reload();
      if (before !== undefined) {
        toasts.show({ text: words.knowledge.renamed(result.name), undo: () => this.rename(id, before) });
      }
      return undefined;
    },
    /** What would go with it. */
    async contents(id: string): Promise<ProjectContents | string> {
      const answer = await query(client, ProjectContentsDocument, { id });
      if (answer.type === 'failed') return answer.message;
      const { notes, threads, codeFiles } = answer.data;
      return { notes: notes.totalCount, threads: threads.totalCount, files: codeFiles.totalCount };
    },
    async remove(id: string, name: string): Promise<string | undefined> {
      const answer = await mutate(client, DeleteProjectDocument, { id });
      if (answer.type === 'failed') return answer.message;
      const result = answer.data.deleteProject;
      if (result.__typename === 'InvalidInput') return result.problems[0]?.message ?? result.message;
      await load.reload();
      toasts.show({ text: words.knowledge.deleted(name) });
      return undefined;
    },
  };
}
