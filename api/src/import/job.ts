import type { Output } from './progress.ts';
import type { Tally } from './tally.ts';

/** One folder or file on its way into a project. */
export interface ImportJob {
  /** The folder or file itself, as an absolute path without links. */
  readonly root: string;
  /** Undefined only in a dry run, when the project would have to be made first. */
  readonly projectId: string | undefined;
  readonly dryRun: boolean;
  readonly prune: boolean;
  readonly force: boolean;
  readonly tally: Tally;
  readonly output: Output;
  /** Aborted when the person at the terminal has had enough. What went in stays. */
  readonly signal: AbortSignal;
}
