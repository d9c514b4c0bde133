/**
 * `npm start`: builds what is missing, then runs the server in this very process. npm passes signals on to what it
 * started, which must therefore be this process and not a shell: hence `exec` in the script (last, where npm puts
 * arguments; Windows has none), and the look at the parent for whoever kills npm without giving it the time to pass
 * anything on.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { buildWhatIsStale } from './build.ts';
import { readEnvFile } from './env-file.ts';

const [argument] = process.argv.slice(2);
if (argument !== undefined) {
  const known = argument === '--help' || argument === '-h';
  if (!known) process.stderr.write(`npm start takes no arguments such as ${argument}.\n`);
  process[known ? 'stdout' : 'stderr'].write(usage());
  process.exit(known ? 0 : 2);
}

const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, 500).unref();

readEnvFile();
buildWhatIsStale();
// From the second start on, a fifth of the time is saved.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/oracle-agent', import.meta.url)));
await import(new URL('../dist/main.js', import.meta.url).href);

function usage(): string {
  return `Usage: npm start

Starts the server, with its database and the console, and prints the address to open. At the first start it prints the
token of the administrator as well. Ctrl+C stops it.

Settings are environment variables, or lines of a file .env in this folder; .env.example tells of each:
  PORT=8080 npm start
`;
}
