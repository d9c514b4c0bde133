import {
  ChatProjectDocument,
  CodeFileDocument,
  NoteDocument,
  ThreadEntriesDocument,
  type ThreadEntryFragment,
  type ThreadFragment,
  ThreadsDocument,
  type TypedDocument,
} from '@oracle-agent/sdk/documents';
import type { AnyVariables, Client } from '@urql/core';
import { query } from '../graphql-client.ts';
import { codeAddress, noteAddress, threadAddress } from '../knowledge/addresses.ts';
import { shortenedLines } from '../knowledge/code-lines.ts';
import { frontMatterOf } from '../knowledge/front-matter.ts';
import type { Source } from './run-view.ts';
import { around, entriesRequest } from './source-window.ts';

/** What a source names, as it is now, and where all of it is to be seen. */
export type Material =
  | { readonly type: 'note'; readonly body: string; readonly address: string }
  | {
      readonly type: 'code';
      readonly lines: readonly string[];
      /** The number of the first of these lines. */
      readonly from: number;
      readonly all: number;
      readonly marked: number | null;
      readonly address: string;
    }
  | {
      readonly type: 'thread';
      readonly entries: readonly ThreadEntryFragment[];
      readonly all: number;
      readonly marked: number | null;
      readonly address: string;
    }
  | { readonly type: 'gone' }
  | { readonly type: 'failed'; readonly message: string };

/** Thrown within this file only, so that each step below can count on the one before. */
class Unreachable extends Error {}

/** The note, the code around the line or the entries of the thread that an answer of this conversation relied on. */
export async function loadMaterial(client: Client, conversationId: string, source: Source): Promise<Material> {
  const ask: Ask = async (document, variables) => {
    const answer = await query(client, document, variables);
    if (answer.type === 'failed') throw new Unreachable(answer.message);
    return answer.data;
  };
  try {
    const { conversation } = await ask(ChatProjectDocument, { id: conversationId });
    const project = conversation?.projectId ?? undefined;
    if (source.kind === 'VAULT') return await loadNote(ask, source, project);
    if (source.kind === 'CODE') return await loadCode(ask, source, project);
    if (source.kind === 'THREAD') return await loadThread(ask, source, project);
    return { type: 'gone' };
  } catch (problem) {
    if (problem instanceof Unreachable) return { type: 'failed', message: problem.message };
    throw problem;
  }
}

type Ask = <Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
) => Promise<Data>;

const inProject = (project: string | undefined) => (project === undefined ? {} : { projectId: project });

async function loadNote(ask: Ask, { path }: Source, project: string | undefined): Promise<Material> {
  const { note } = await ask(NoteDocument, { path, ...inProject(project) });
  if (!note) return { type: 'gone' };
  return { type: 'note', body: frontMatterOf(note.body).text, address: noteAddress(path, project) };
}

async function loadCode(ask: Ask, { path, line }: Source, project: string | undefined): Promise<Material> {
  const { codeFile } = await ask(CodeFileDocument, { path, ...inProject(project) });
  if (!codeFile) return { type: 'gone' };
  const lines = shortenedLines(codeFile.text);
  // The file may have become shorter since.
  const marked = line !== null && line <= lines.length ? line : null;
  const { from, to } = around(marked ?? 1, lines.length);
  const address = codeAddress(path, marked, project);
  return { type: 'code', lines: lines.slice(from - 1, to), from, all: lines.length, marked, address };
}

/** A thread is cited by its title, which is unique in its project. */
async function loadThread(ask: Ask, { path, line }: Source, project: string | undefined): Promise<Material> {
  const thread = await findThread(ask, path, project);
  if (!thread) return { type: 'gone' };
  const { id, entryCount: all } = thread;
  const marked = line !== null && line <= all ? line : null;
  const page = (await ask(ThreadEntriesDocument, { id, ...entriesRequest(marked ?? all, all) })).thread?.entries;
  const { from, to } = around(marked ?? all, all, 4);
  const entries = (page?.edges ?? []).map(({ node }) => node).filter(({ number }) => number >= from && number <= to);
  return { type: 'thread', entries, all, marked, address: threadAddress(id, project, marked ?? undefined) };
}

/** The search finds every title that contains it, so the one itself may come late. */
async function findThread(ask: Ask, title: string, project: string | undefined): Promise<ThreadFragment | undefined> {
  for (let after: string | undefined; ; ) {
    const wanted = { search: title, archived: true, first: 100, ...inProject(project), ...(after ? { after } : {}) };
    const { edges, pageInfo } = (await ask(ThreadsDocument, wanted)).threads;
    const found = edges.find(({ node }) => node.title === title)?.node;
    if (found || !pageInfo.hasNextPage || !pageInfo.endCursor) return found;
    after = pageInfo.endCursor;
  }
}
