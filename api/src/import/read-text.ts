import { readFile } from 'node:fs/promises';
import { reasonOf } from './walk-folder.ts';

export type ReadText =
  | { readonly type: 'text'; readonly text: string }
  /** Something else than text: an image, a program. */
  | { readonly type: 'binary' }
  | { readonly type: 'failed'; readonly reason: string };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

export async function readText(file: string): Promise<ReadText> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    return { type: 'failed', reason: reasonOf(error) };
  }
  if (bytes.includes(0)) return { type: 'binary' };
  try {
    return { type: 'text', text: decoder.decode(bytes) };
  } catch {
    return { type: 'failed', reason: 'it is not valid UTF-8' };
  }
}
