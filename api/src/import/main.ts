/** The import command as a program of its own; `npm run import` builds it first. */
import { runImport } from './command.ts';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(130); // asked twice: at once
    interruption.abort();
  });

process.exitCode = await runImport(process.argv.slice(2), process.env, {
  out: process.stdout,
  err: process.stderr,
  signal: interruption.signal,
});
