import { SaveCodeFilesDocument, SaveNoteDocument } from '@oracle-agent/sdk/documents';
import type { Client } from '@urql/core';
import { createSignal, onCleanup } from 'solid-js';
import { words } from '../../words.ts';
import { mutateLarge } from '../graphql-client.ts';
import { bundle, type PlannedFile } from './import-plan.ts';

export type ImportFile = PlannedFile & { readonly file: File };

export interface ImportResult {
  readonly path: string;
  readonly outcome: 'saved' | 'failed' | 'skipped';
  readonly message?: string;
}

export type ImportState =
  | { readonly type: 'idle' }
  | { readonly type: 'running' | 'cancelled' | 'done'; readonly done: number; readonly total: number };

const notesAtOnce = 4;

/** Sends files one after the other and keeps what became of each. What was sent before a cancel stays. */
export function createImport(client: Client, projectId: () => string | undefined, onDone: () => void) {
  const [state, setState] = createSignal<ImportState>({ type: 'idle' });
  const [results, setResults] = createSignal<readonly ImportResult[]>([]);
  let running = 0;
  onCleanup(() => {
    running += 1;
  });

  async function start(files: readonly ImportFile[]): Promise<void> {
    const mine = ++running;
    const project = projectId();
    const wanted = files.filter(({ kind }) => kind !== 'skipped');
    const total = wanted.length;
    let done = 0;
    setResults(files.flatMap((file) => (file.kind === 'skipped' ? [skippedResult(file)] : [])));
    setState({ type: 'running', done, total });

    const settle = (found: readonly ImportResult[]) => {
      if (mine !== running) return;
      done += found.length;
      setResults((now) => [...now, ...found]);
      setState({ type: 'running', done, total });
    };
    const notes = wanted.filter(({ kind }) => kind === 'note');
    const waiting = notes.values();
    await Promise.all(
      Array.from({ length: notesAtOnce }, async () => {
        for (const note of waiting) {
          if (mine !== running) return;
          settle([await saveNote(client, project, note)]);
        }
      }),
    );
    for (const files of bundle(wanted.filter(({ kind }) => kind === 'code'))) {
      if (mine !== running) break;
      settle(await saveCode(client, project, files));
    }
    if (mine !== running) return;
    setState({ type: 'done', done, total });
    onDone();
  }

  return {
    state,
    results,
    start,
    cancel() {
      const now = state();
      if (now.type !== 'running') return;
      running += 1;
      setState({ ...now, type: 'cancelled' });
      onDone();
    },
    reset() {
      running += 1;
      setState({ type: 'idle' });
      setResults([]);
    },
  };
}

async function saveNote(
  client: Client,
  projectId: string | undefined,
  { path, file }: ImportFile,
): Promise<ImportResult> {
  const body = await readText(file);
  if (body === undefined) return { path, outcome: 'failed', message: words.knowledge.import.unreadable };
  const input = { path, body, ...(projectId ? { projectId } : {}) };
  const answer = await mutateLarge(client, SaveNoteDocument, { input });
  if (answer.type === 'failed') return { path, outcome: 'failed', message: answer.message };
  const result = answer.data.saveNote;
  if (result.__typename === 'Note') return { path, outcome: 'saved' };
  const message =
    result.__typename === 'InvalidInput' ? (result.problems[0]?.message ?? result.message) : result.message;
  return { path, outcome: 'failed', message };
}

/** One bad file makes the server refuse the bundle; then each goes by itself, so that only the bad one fails. */
async function saveCode(
  client: Client,
  projectId: string | undefined,
  files: readonly ImportFile[],
): Promise<readonly ImportResult[]> {
  const read = await Promise.all(files.map(async ({ path, file }) => ({ path, text: await readText(file) })));
  const unreadable = read.flatMap(({ path, text }) =>
    text === undefined ? [{ path, outcome: 'failed' as const, message: words.knowledge.import.unreadable }] : [],
  );
  const readable = read.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]));
  if (readable.length === 0) return unreadable;
  const message = await sendCode(client, projectId, readable);
  if (message === undefined)
    return [...unreadable, ...readable.map(({ path }) => ({ path, outcome: 'saved' as const }))];
  if (readable.length === 1) return [...unreadable, { path: readable[0]?.path ?? '', outcome: 'failed', message }];
  const apart: ImportResult[] = [];
  for (const one of readable) {
    const problem = await sendCode(client, projectId, [one]);
    apart.push(
      problem === undefined
        ? { path: one.path, outcome: 'saved' }
        : { path: one.path, outcome: 'failed', message: problem },
    );
  }
  return [...unreadable, ...apart];
}

async function sendCode(
  client: Client,
  projectId: string | undefined,
  files: { readonly path: string; readonly text: string }[],
): Promise<string | undefined> {
  const input = { files, ...(projectId ? { projectId } : {}) };
  const answer = await mutateLarge(client, SaveCodeFilesDocument, { input });
  if (answer.type === 'failed') return answer.message;
  const result = answer.data.saveCodeFiles;
  return result.__typename === 'InvalidInput' ? (result.problems[0]?.message ?? result.message) : undefined;
}

/** Undefined for what is no text. */
async function readText(file: File): Promise<string | undefined> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function skippedResult({ path, reason }: ImportFile): ImportResult {
  return { path, outcome: 'skipped', ...(reason ? { message: reason } : {}) };
}
