/**
 * A server in a process of its own, for tests that kill it. Arguments: data directory, staging root and, to run as
 * somebody else, a user id. Prints `ready URL`, or `refused PROCESS-ID` when the directory is in use.
 */
import { DataDirInUseError } from '../../src/store/embedded/data-dir-lock.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';

const [dataDir = '', stagingRoot = '', userId] = process.argv.slice(2);
if (userId !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(Number(userId));
  process.setuid?.(Number(userId));
}
const ignore = () => undefined;
try {
  const server = await startEmbeddedPostgres({
    dataDir,
    stagingRoot,
    log: { info: ignore, warn: ignore, error: ignore },
  });
  process.once('SIGTERM', () => void server.stop());
  console.log(`ready ${server.url}`);
} catch (error) {
  if (!(error instanceof DataDirInUseError)) throw error;
  console.log(`refused ${error.processId}`);
}
