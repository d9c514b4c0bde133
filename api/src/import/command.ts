import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CodeService } from '../code/code-service.ts';
import { EnvironmentError, readEnvironment } from '../env.ts';
import { ThreadService } from '../threads/thread-service.ts';
import { VaultService } from '../vault/vault-service.ts';
import { importCode } from './import-code.ts';
import { importThreads } from './import-threads.ts';
import { importVault } from './import-vault.ts';
import type { ImportJob } from './job.ts';
import { type OpenStore, openStore } from './open-store.ts';
import { help, type ImportKind, type ImportOptions, readOptions, UsageError } from './options.ts';
import type { Output } from './progress.ts';
import { Tally } from './tally.ts';
import { findTarget, type Target } from './target.ts';
import { reasonOf } from './walk-folder.ts';

export interface ImportIo {
  /** The summary. */
  readonly out: Output;
  /** Progress and complaints. */
  readonly err: Output;
  readonly signal: AbortSignal;
}

interface Source {
  readonly kind: ImportKind;
  readonly root: string;
}

const interrupted = 130;

/** The whole command: arguments and environment in, exit code out. */
export async function runImport(
  args: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
  io: ImportIo,
): Promise<number> {
  try {
    const options = readOptions(args);
    if (options === 'help') {
      io.out.write(`${help}\n`);
      return 0;
    }
    const environment = readEnvironment(variables);
    // npm changes to the project's folder; people mean the one that they are in.
    const sources = await findSources(options, variables.INIT_CWD ?? process.cwd());
    const store = await openStore(environment);
    try {
      return await importAll(store, options, sources, io);
    } finally {
      await store.close();
    }
  } catch (error) {
    const usage = error instanceof UsageError || error instanceof EnvironmentError;
    io.err.write(`${error instanceof Error ? error.message || error.name : String(error)}\n`);
    if (usage) io.err.write('`npm run import -- --help` tells how it is used.\n');
    return usage ? 2 : 1;
  }
}

async function findSources({ sources }: ImportOptions, from: string): Promise<readonly Source[]> {
  return Promise.all(
    sources.map(async ({ kind, given }) => {
      try {
        const root = await realpath(resolve(from, given));
        const isFolder = (await stat(root)).isDirectory();
        if (kind === 'threads' && isFolder) throw new UsageError(`${given} is a folder; --threads takes a file.`);
        if (kind !== 'threads' && !isFolder) throw new UsageError(`${given} is a file; --${kind} takes a folder.`);
        return { kind, root };
      } catch (error) {
        if (error instanceof UsageError) throw error;
        throw new UsageError(`${given} cannot be imported: ${reasonOf(error)}.`);
      }
    }),
  );
}

async function importAll(
  { database, firstToken }: OpenStore,
  options: ImportOptions,
  sources: readonly Source[],
  io: ImportIo,
): Promise<number> {
  if (firstToken)
    io.out.write(`Sign in as administrator with this token, shown only this once:\n\n  ${firstToken}\n\n`);
  const target = await findTarget(database, options);
  const services = {
    vault: new VaultService(database),
    code: new CodeService(database),
    threads: new ThreadService(database),
  };
  let failed = false;
  try {
    for (const { kind, root } of sources) {
      const started = performance.now();
      const tally = new Tally();
      const job: ImportJob = {
        ...options,
        root,
        projectId: target.projectId,
        tally,
        output: io.err,
        signal: io.signal,
      };
      let note = '';
      try {
        if (kind === 'vault') await importVault(job, database, services.vault);
        else if (kind === 'code') await importCode(job, database, services.code);
        else note = await importThreads(job, services.threads);
      } catch (error) {
        tally.fail(root, `the import broke off: ${error instanceof Error ? error.message : String(error)}`);
      }
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      io.out.write(
        [headOf(kind, root, target, options), ...tally.lines(), endOf(io.signal, seconds, note), ''].join('\n'),
      );
      failed ||= tally.failed > 0;
      if (io.signal.aborted) return interrupted;
    }
  } finally {
    await services.code.close();
  }
  return failed ? 1 : 0;
}

function headOf(kind: ImportKind, root: string, { projectName, email }: Target, { dryRun }: ImportOptions): string {
  const what = { vault: 'Notes', code: 'Code', threads: 'Thread entries' }[kind];
  return `${what} from ${root} into “${projectName}” of ${email}${dryRun ? ' (dry run: nothing was changed)' : ''}`;
}

function endOf(signal: AbortSignal, seconds: string, note: string): string {
  if (signal.aborted) return `Interrupted after ${seconds} s. What went in stays; run it again to go on.`;
  return `Done in ${seconds} s.${note === '' ? '' : ` ${note}.`}`;
}
