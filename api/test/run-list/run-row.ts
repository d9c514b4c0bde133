/** What lists and walls show of a run. */
export const rowFields = `id status model question turns tokens durationMs startedAt endedAt lastActivityAt
  user { id name } config { maxIterations tokenBudget timeoutSeconds } ending { reason turns usage { totalTokens } durationMs }`;

export interface RunRow {
  readonly id: string;
  readonly status: 'RUNNING' | 'ENDED';
  readonly model: string;
  readonly question: string;
  readonly turns: number;
  readonly tokens: number;
  readonly durationMs: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly lastActivityAt: string;
  readonly user: { readonly id: string; readonly name: string };
  readonly config: { readonly maxIterations: number };
  readonly ending: {
    readonly reason: string;
    readonly turns: number;
    readonly durationMs: number;
    readonly usage: { readonly totalTokens: number };
  } | null;
}

export const runRow = `query ($id: ID!) { run(id: $id) { ${rowFields} } }`;

export const runsChanged = `subscription ($userId: ID, $everyone: Boolean) {
  runsChanged(userId: $userId, everyone: $everyone) { reload runs { ${rowFields} } }
}`;

export interface RunsChanged {
  readonly runsChanged: { readonly reload: boolean; readonly runs: readonly RunRow[] };
}
