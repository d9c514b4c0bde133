import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { ServerFolder } from './kit/server-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

let folder: ServerFolder;
beforeEach(() => {
  folder = new ServerFolder();
});
afterEach(() => folder.dispose());

async function npmStart() {
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: '0',
      ORACLE_DATA_DIR: folder.dataDir,
      ORACLE_STAGING_DIR: join(inject('scratchFolder'), 'staging'),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(npm, 'exit');
  for await (const line of createInterface({ input: npm.stdout })) if (line.startsWith('Oracle Agent ready')) break;
  return { npm, exited };
}

describe('npm start', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('stops the server when npm gets %s', async (signal) => {
    const { npm, exited } = await npmStart();
    expect(folder.processes()).not.toEqual([]);

    npm.kill(signal);
    await exited;
    await vi.waitUntil(() => folder.processes().length === 0, { timeout: 10_000 });
    const again = await npmStart(); // the data directory is free
    again.npm.kill('SIGTERM');
    await again.exited;
  });
});
