import type { Logger } from '../logger.ts';
import type { FileProblem } from './file-problem.ts';

/** Tells the log of what is wrong with declarations: once, until it is right and wrong again. */
export class ProblemLog {
  #told: ReadonlySet<string> = new Set();

  constructor(
    private readonly log: Logger,
    private readonly what: string,
  ) {}

  /** All that is wrong now. */
  tell(problems: readonly FileProblem[]): void {
    const before = this.#told;
    this.#told = new Set(problems.map(keyOf));
    for (const problem of problems) {
      const { file, line, message } = problem;
      if (!before.has(keyOf(problem))) this.log.warn({ file, line, problem: message }, this.what);
    }
  }
}

function keyOf({ file, line, message }: FileProblem): string {
  return `${file}:${line} ${message}`;
}
