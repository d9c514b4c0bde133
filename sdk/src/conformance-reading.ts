import type { OracleChunk } from './chunk.ts';
import type { OracleClient } from './client.ts';
import { OracleQueryDocument, OracleRunDocument } from './generated/documents.ts';
import type { RunId } from './generated/ids.ts';
import type { OracleQueryInput } from './generated/types.ts';
import type { TypedDocument } from './typed-document.ts';

/**
 * The chunks of a question as the server sends them. The client's own account of `seq` is kept out by other names for it:
 * otherwise it would put right what is to be checked.
 */
export async function readRun(oracle: OracleClient, input: OracleQueryInput): Promise<readonly OracleChunk[]> {
  return read(oracle, renamed(OracleQueryDocument), { input });
}

/** The chunks of a run behind a seq, as the server sends them. */
export async function followRun(oracle: OracleClient, runId: RunId, after: number): Promise<readonly OracleChunk[]> {
  return read(oracle, renamed(OracleRunDocument), { runId, after });
}

interface Renamed {
  readonly place: number;
  readonly fromPlace: number;
}

function renamed(document: string): TypedDocument<Record<string, Renamed>, object> {
  return document.replace(/\bseq\b/, 'place:seq').replace(/\bfromSeq\b/, 'fromPlace:fromSeq');
}

async function read(
  oracle: OracleClient,
  document: TypedDocument<Record<string, Renamed>, object>,
  variables: object,
): Promise<readonly OracleChunk[]> {
  const chunks: OracleChunk[] = [];
  for await (const data of oracle.subscribe(document, variables)) {
    for (const { place: seq, fromPlace: fromSeq, ...rest } of Object.values(data)) {
      chunks.push({ ...rest, seq, fromSeq } as unknown as OracleChunk);
    }
  }
  return chunks;
}
