import type { RunListQuery, RunRowFragment, RunsChangedSubscription } from '@oracle-agent/sdk/documents';

export type RunRow = RunRowFragment;
export type RunPage = RunListQuery['runs'];
type Change = RunsChangedSubscription['runsChanged'];

/** A row, and when it was told, on this device's clock. */
export interface ToldRow {
  readonly row: RunRow;
  readonly toldAt: number;
}

/** What a page of rows becomes by a change, and whether it has to be read anew to be true again. */
export function mergeChange(
  rows: readonly ToldRow[],
  change: Change,
  options: { readonly firstPage: boolean; readonly now: number },
): { readonly rows: readonly ToldRow[]; readonly reload: boolean } {
  const changed = new Map(change.runs.map((row) => [row.id, row]));
  const shown = new Set<string>(rows.map(({ row }) => row.id));
  const newest = rows[0]?.row.startedAt ?? '';
  const begun = options.firstPage && change.runs.some(({ id, startedAt }) => !shown.has(id) && startedAt >= newest);
  let ended = false;
  const merged = rows.map((told) => {
    const row = changed.get(told.row.id);
    if (!row) return told;
    ended ||= row.status !== told.row.status; // it may no longer be what was asked for
    return { row, toldAt: options.now };
  });
  return { rows: merged, reload: change.reload || begun || ended };
}

/** How long a run has taken: told by the server, and counted on from there while it goes on. */
export function durationOf({ row, toldAt }: ToldRow, now: number): number {
  return row.status === 'RUNNING' ? row.durationMs + Math.max(0, now - toldAt) : row.durationMs;
}
