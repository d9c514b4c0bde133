import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
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
      DATABASE_URL: '', // whatever the developer's own .env says
      ORACLE_DATA_DIR: folder.dataDir,
      ORACLE_STAGING_DIR: join(inject('scratchFolder'), 'staging'),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(npm, 'exit');
  for await (const line of createInterface({ input: npm.stdout })) if (line.startsWith('Oracle Agent ready')) break;
  return { npm, exited };
}

/** Runs in the folder, with nothing but a path in its environment unless more is given. */
async function startScript(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [join(root, 'api/scripts/start.ts'), ...args], {
    cwd: folder.path,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, stdout, stderr };
}

describe('npm start', () => {
  it('reads .env where it is started; what the environment sets comes first', async () => {
    writeFileSync(join(folder.path, '.env'), 'DATABASE_URL=mysql://nowhere\nPORT=eighty\n');

    const { code, stderr } = await startScript([], { PORT: '0' });

    expect(code).toBe(1);
    expect(stderr).toContain('DATABASE_URL must be a PostgreSQL address');
    expect(stderr).not.toContain('PORT');
  });

  it('tells how it is used, and starts nothing when it is told what it does not know', async () => {
    expect(await startScript(['--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Usage: npm start\n/),
    });
    expect(await startScript(['--port', '80'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^npm start takes no arguments such as --port\.\nUsage: npm start\n/),
    });
  });

  it('passes on what it is told', async () => {
    const npm = spawn('npm', ['start', '--silent', '--', '--port', '80'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [stderr, [code]] = await Promise.all([text(npm.stderr), once(npm, 'exit')]);

    expect(stderr).toContain('npm start takes no arguments such as --port.');
    expect(code).toBe(2);
  });

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
