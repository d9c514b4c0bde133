import { parseArgs } from 'node:util';

export const help = `Usage: npm run import -- [--vault DIR] [--code DIR] [--threads FILE] [options]

Brings notes, code and threads into a project, straight into the database that the server uses (DATABASE_URL, or the
embedded one on ORACLE_DATA_DIR). A server may run meanwhile: it sees everything at once.

  --vault DIR      notes: every .md and .markdown file below DIR, hidden folders left out
  --code DIR       code: every text file below DIR that .gitignore does not exclude, up to 1,000,000 bytes
  --threads FILE   entries of threads, as JSON Lines or Markdown (.md), see below

  --project NAME   the project they go into; made when there is none of that name. Without it: the default one
  --user EMAIL     whose project. Without it: the first administrator's
  --prune          delete notes that an earlier import of the same folder brought and whose files are gone
  --force          also replace notes that were changed both here and in their file since the last import
  --dry-run        tell what would be done and change nothing
  --help           print this

Importing again brings only what changed, by content. A note that was changed here and not in its file is left alone.
Code whose file is gone is removed; notes whose file is gone are reported, and removed with --prune.

Threads as JSON Lines, one entry on each line; "at" and "author" may be left out:
  {"thread": "Caching", "kind": "decision", "text": "Fifteen minutes.", "at": "2026-11-16T09:30:00Z", "author": "Ada"}
Threads as Markdown: a heading for each thread and one below it for each entry, with its kind and perhaps its time:
  # Caching
  ## decision 2026-11-16T09:30:00Z
  Fifteen minutes.
Kinds are thought, decision, research and insight.

Exit code: 0 when everything went in, 1 when something did not (the rest did), 2 for wrong usage, 130 when interrupted.`;

export type ImportKind = 'vault' | 'code' | 'threads';

export interface ImportOptions {
  /** What to bring in, each with the folder or file as it was given. */
  readonly sources: readonly { readonly kind: ImportKind; readonly given: string }[];
  readonly project: string | undefined;
  readonly user: string | undefined;
  readonly prune: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
}

/** The person at the terminal can mend it: told in a sentence, with exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export function readOptions(args: readonly string[]): ImportOptions | 'help' {
  const { values } = parse(args);
  if (values.help) return 'help';
  const sources = (['vault', 'code', 'threads'] as const).flatMap((kind) =>
    (values[kind] ?? []).map((given) => ({ kind, given })),
  );
  if (sources.length === 0) throw new UsageError('Say what to import: --vault DIR, --code DIR or --threads FILE.');
  if (sources.some(({ given }) => given.trim() === '')) throw new UsageError('A folder or file is missing its name.');
  const { project, user, prune, force } = values;
  if (project !== undefined && (project.trim() === '' || project.length > 200))
    throw new UsageError('--project must be a name of 1 to 200 characters.');
  return { sources, project: project?.trim(), user, prune, force, dryRun: values['dry-run'] };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        vault: { type: 'string', multiple: true },
        code: { type: 'string', multiple: true },
        threads: { type: 'string', multiple: true },
        project: { type: 'string' },
        user: { type: 'string' },
        prune: { type: 'boolean', default: false },
        force: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
