import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { giveToOwnerOfDirectory, writePrivateFile } from './private-file.ts';
import { isAlive } from './process-table.ts';

/** How long a refused start waits for the holder, which writes its process id right after taking the lock. */
const PID_WAIT_MS = 1000;
const PID_POLL_MS = 10;
const SQLITE_BUSY = 5;

/** A lock ends when its handle is collected as garbage, so handles are kept here until released. */
const heldLocks = new Set<DatabaseSync>();

export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';
  /** 0 when the holder did not say. */
  readonly processId: number;

  constructor(dataDir: string, processId: number) {
    const holder = processId === 0 ? 'another process' : `process ${processId}`;
    super(
      `The data directory ${dataDir} is in use by ${holder}. Stop that server first, or set ORACLE_DATA_DIR to another directory.`,
    );
    this.processId = processId;
  }
}

export class DataDirUnusableError extends Error {
  override readonly name = 'DataDirUnusableError';

  constructor(dataDir: string, cause: unknown) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    super(
      `The data directory ${dataDir} cannot be used: ${reasons[code] ?? message}. ` +
        'Set ORACLE_DATA_DIR to a directory that this user may write to.',
      { cause },
    );
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'nothing can be written there',
  EEXIST: 'there is a file of that name',
  ENOTDIR: 'a part of its path is a file',
  ENOSPC: 'the disk is full',
};

/**
 * Claims a data directory for this process. The operating system drops the lock when the process ends, however it ends;
 * the process id in `server.pid` only tells people who holds it and is never trusted as the lock.
 */
export function lockDataDir(dataDir: string): { release(): void } {
  const pidFile = join(dataDir, 'server.pid');
  const lockFile = join(dataDir, 'server.lock');
  try {
    createPrivateDirectory(dataDir);
    createLockFile(lockFile);
  } catch (error) {
    throw new DataDirUnusableError(dataDir, error);
  }
  const lock = takeLock(dataDir, lockFile, pidFile);
  heldLocks.add(lock);
  writePrivateFile(pidFile, `${process.pid}\n`);
  return {
    release() {
      if (!heldLocks.delete(lock)) return;
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
}

function takeLock(dataDir: string, lockFile: string, pidFile: string): DatabaseSync {
  const deadline = performance.now() + PID_WAIT_MS;
  while (true) {
    const lock = tryLock(lockFile);
    if (lock !== undefined) return lock;
    const holder = readProcessId(pidFile);
    if (isAlive(holder)) throw new DataDirInUseError(dataDir, holder);
    if (performance.now() > deadline) throw new DataDirInUseError(dataDir, 0);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PID_POLL_MS);
  }
}

function tryLock(lockFile: string): DatabaseSync | undefined {
  const database = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined;
    throw new Error(`Cannot lock ${lockFile}: ${String(error)}`, { cause: error });
  }
}

/**
 * Created before SQLite opens it, so that nobody else can read it: a reader could hold a lock of his own on it. An
 * existing file is not opened here: closing it would drop the lock this process may already have.
 */
function createLockFile(lockFile: string): void {
  if (existsSync(lockFile)) return;
  try {
    closeSync(openSync(lockFile, 'wx', 0o600));
    giveToOwnerOfDirectory(lockFile);
  } catch (error) {
    if (!existsSync(lockFile)) throw error;
  }
}

function createPrivateDirectory(directory: string): void {
  if (!existsSync(dirname(directory))) mkdirSync(dirname(directory), { recursive: true });
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function readProcessId(pidFile: string): number {
  try {
    return Number.parseInt(readFileSync(pidFile, 'utf8'), 10) || 0;
  } catch {
    return 0; // not written yet
  }
}
