import { join } from 'node:path';
import { grouped } from '../agent/words.ts';
import { canonicalPath } from '../code/code-text.ts';
import type { Manifest } from './manifest.ts';
import { type Output, showProgress } from './progress.ts';
import { readText } from './read-text.ts';
import type { Tally } from './tally.ts';
import { type Found, type WalkRules, walkFolder } from './walk-folder.ts';

/** At most this is held in memory at a time: twice, since one batch is read while the one before is saved. */
const batchFiles = 50;
const batchCharacters = 2_000_000;

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

export interface FolderImport {
  readonly root: string;
  readonly what: string;
  readonly rules: WalkRules;
  readonly largest: number;
  /** What is no text or too long: left out as a matter of course, or something that failed. */
  readonly unfit: 'skipped' | 'failed';
  readonly manifest: Pick<Manifest, 'pathsFrom'>;
  readonly tally: Tally;
  readonly output: Output;
  readonly signal: AbortSignal;
  save(files: readonly TextFile[]): Promise<void>;
  /** Files that this folder had before and no longer has. */
  forget(paths: readonly string[]): Promise<void>;
}

/** Only paths are held for all files; texts come and go in batches. */
export async function importFolder(work: FolderImport): Promise<void> {
  const { root, manifest, tally, signal } = work;
  const found: Extract<Found, { type: 'file' }>[] = [];
  const unsure: string[] = [];
  const seen = new Set<string>();
  for await (const entry of walkFolder(root, work.rules)) {
    if (signal.aborted) return;
    seen.add(canonicalPath(entry.path));
    if (entry.type === 'file') found.push(entry);
    else if (entry.type === 'skipped') tally.skip(entry.reason, entry.path);
    else {
      unsure.push(entry.path === '.' ? '' : `${canonicalPath(entry.path)}/`);
      tally.fail(entry.path, entry.reason);
    }
  }
  await saveAll(work, found);
  if (signal.aborted) return;
  const gone = manifest
    .pathsFrom(root)
    // What lies in a folder that could not be read may well be there.
    .filter((path) => !seen.has(path) && !unsure.some((folder) => path.startsWith(folder)));
  if (gone.length === 0) return;
  if (seen.size === 0) tally.fail('.', `the folder is empty now; what came from it (${grouped(gone.length)}) was kept`);
  else await work.forget(gone);
}

async function saveAll(work: FolderImport, found: readonly Extract<Found, { type: 'file' }>[]): Promise<void> {
  const progress = showProgress(work.output, work.what, found.length);
  let saving: Promise<void> = Promise.resolve();
  try {
    let batch: TextFile[] = [];
    let characters = 0;
    let looked = 0;
    const flush = async () => {
      const [files, count] = [batch, looked];
      [batch, characters, looked] = [[], 0, 0];
      await saving;
      saving = work.save(files).then(() => progress.advance(count));
      saving.catch(() => undefined); // told when it is waited for
    };
    for (const { path, size } of found) {
      if (work.signal.aborted) break;
      const text = await fitText(work, path, size);
      if (text !== undefined) batch.push({ path: canonicalPath(path), text });
      characters += text?.length ?? 0;
      looked += 1;
      if (batch.length >= batchFiles || characters >= batchCharacters) await flush();
    }
    await flush();
    await saving;
  } finally {
    progress.end();
  }
}

async function fitText(work: FolderImport, path: string, size: number): Promise<string | undefined> {
  const { tally, largest, unfit } = work;
  const leaveOut = (reason: string, telling: boolean) => {
    if (unfit === 'failed') tally.fail(path, reason);
    else tally.skip(reason, telling ? path : undefined);
    return undefined;
  };
  if (size > largest) return leaveOut(`longer than ${grouped(largest)} bytes`, true);
  const read = await readText(join(work.root, path));
  switch (read.type) {
    case 'binary':
      return leaveOut('not a text', false);
    case 'failed':
      tally.fail(path, read.reason);
      return undefined;
    case 'text':
      return read.text;
  }
}
