import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect } from 'vitest';
import { postmasterId, processesIn, query, startLongQuery, test } from './sandbox.ts';

describe('a server that ends by itself', { timeout: 60_000 }, () => {
  test('is started again on the same port', async ({ sandbox }) => {
    const { url } = await sandbox.start();
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const interrupted = await startLongQuery(url);

    process.kill(postmasterId(sandbox.dataDir), 'SIGKILL');

    await expect.poll(() => query(url, 'SELECT answer FROM kept'), { timeout: 10_000 }).toEqual([42]);
    expect(await interrupted.outcome).toBe('lost');
    expect(sandbox.logged.join('\n')).toMatch(/ended unexpectedly.*running again/s);
  });

  test('gets its port back once a stranger who took it lets go', async ({ sandbox }) => {
    const { url } = await sandbox.start();
    const stranger = createServer();
    const takePort = async () => {
      killPostmaster(sandbox.dataDir); // again when it was back before the port could be taken
      stranger.listen(Number(new URL(url).port), '127.0.0.1');
      return once(stranger, 'listening').then(
        () => 'taken',
        () => 'busy',
      );
    };
    await expect.poll(takePort, { interval: 1, timeout: 20_000 }).toBe('taken');
    await expect.poll(() => sandbox.logged.join('\n'), { timeout: 10_000 }).toContain('could not bind');

    stranger.close();

    await expect.poll(() => query(url, 'SELECT 1'), { timeout: 20_000 }).toEqual([1]);
  });

  test('stays ended when it is stopped while waiting to start again', async ({ sandbox }) => {
    const server = await sandbox.start();
    process.kill(postmasterId(sandbox.dataDir), 'SIGKILL');
    await expect
      .poll(() => sandbox.logged.join('\n'), { interval: 1, timeout: 10_000 })
      .toContain('ended unexpectedly');

    await server.stop();

    expect(processesIn(sandbox.root)).toEqual([]);
    expect(sandbox.logged.join('\n')).not.toContain('running again');
  });
});

function killPostmaster(dataDir: string): void {
  try {
    process.kill(postmasterId(dataDir), 'SIGKILL');
  } catch {
    // already dead
  }
}
