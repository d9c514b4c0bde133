import {
  AppendToThreadDocument,
  ArchiveThreadDocument,
  DeleteThreadDocument,
  RenameThreadDocument,
  ThreadDocument,
  ThreadEntriesDocument,
  type ThreadEntryFragment,
  UnarchiveThreadDocument,
} from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createSignal } from 'solid-js';
import { words } from '../../words.ts';
import { mutate, query } from '../graphql-client.ts';
import { createLoad } from '../load.ts';
import type { Toasts } from '../toasts.ts';

const pageSize = 50;

export type OpenThread = ReturnType<typeof createThread>;

/** One thread: its newest entries first of all, earlier ones on request, and what can be done with it. */
export function createThread(client: Client, id: string, toasts: Pick<Toasts, 'show'>, onChanged: () => void) {
  const load = createLoad(client, ThreadDocument, () => ({ id }));
  const [entries, setEntries] = createSignal<readonly ThreadEntryFragment[]>([]);
  const [before, setBefore] = createSignal<string>();
  const [problem, setProblem] = createSignal<string>();

  async function read(cursor: string | undefined): Promise<void> {
    const variables = { id, last: pageSize, ...(cursor ? { before: cursor } : {}) };
    const answer = await query(client, ThreadEntriesDocument, variables);
    setProblem(answer.type === 'failed' ? answer.message : undefined);
    const page = answer.type === 'data' ? answer.data.thread?.entries : undefined;
    if (!page) return;
    const found = page.edges.map(({ node }) => node);
    setEntries((known) => (cursor ? [...found, ...known] : found));
    setBefore(page.pageInfo.hasPreviousPage ? (page.pageInfo.startCursor ?? undefined) : undefined);
  }
  void read(undefined);

  const changed = async () => {
    await load.reload();
    onChanged();
  };

  async function rename(title: string, old?: string): Promise<string | undefined> {
    const answer = await mutate(client, RenameThreadDocument, { id, title });
    if (answer.type === 'failed') return answer.message;
    const result = answer.data.renameThread;
    if (result.__typename === 'InvalidInput') return result.problems[0]?.message ?? result.message;
    if (old !== undefined) toasts.show({ text: words.threads.renamed(result.title), undo: () => rename(old) });
    await changed();
    return undefined;
  }

  async function archive(archived: boolean, title?: string): Promise<string | undefined> {
    const answer = archived
      ? await mutate(client, ArchiveThreadDocument, { id })
      : await mutate(client, UnarchiveThreadDocument, { id });
    if (answer.type === 'failed') return answer.message;
    if (title !== undefined) {
      const text = archived ? words.threads.archivedToast(title) : words.threads.unarchivedToast(title);
      toasts.show({ text, undo: () => archive(!archived) });
    }
    await changed();
    return undefined;
  }

  return {
    state: load.state,
    reload: load.reload,
    entries,
    problem,
    hasEarlier: () => before() !== undefined,
    showEarlier: () => read(before()),
    rename,
    archive,
    async append(kind: ThreadEntryFragment['kind'], text: string): Promise<string | undefined> {
      const answer = await mutate(client, AppendToThreadDocument, { input: { threadId: id, kind, text } });
      if (answer.type === 'failed') return answer.message;
      const result = answer.data.appendToThread;
      if (result.__typename === 'InvalidInput') return result.problems[0]?.message ?? result.message;
      setEntries((known) => [...known, result]);
      await changed();
      return undefined;
    },
    async remove(title: string): Promise<string | undefined> {
      const answer = await mutate(client, DeleteThreadDocument, { id });
      if (answer.type === 'failed') return answer.message;
      toasts.show({ text: words.threads.removed(title) });
      onChanged();
      return undefined;
    },
  };
}
