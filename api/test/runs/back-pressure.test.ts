import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunWriter } from '../../src/runs/run-log.ts';
import { content, type RunKit, type RunServer, startRun, startRunKit } from './run-kit.ts';

let kit: RunKit;
let server: RunServer;

beforeAll(async () => {
  kit = await startRunKit();
  server = await kit.newServer();
});
afterAll(() => kit.stop());

async function openRun() {
  return server.log.open(await startRun(server, kit.userId));
}

/** Runs that take steps as fast as they may; which of them took each. */
async function speak(writers: readonly RunWriter[], steps: number): Promise<readonly number[]> {
  const said: number[] = [];
  await Promise.all(
    writers.map(async (writer, run) => {
      for (let step = 0; step < steps; step++) {
        said.push(run);
        const pause = writer.pause();
        if (pause) await pause;
      }
    }),
  );
  return said;
}

describe('back pressure', () => {
  it('is signalled while too much waits, and released when it is stored', async () => {
    const writer = await openRun();
    const before = writer.congested;
    for (let index = 0; index < 10; index++) writer.append(content('x'.repeat(1_000_000)));
    const during = writer.congested;
    await writer.pause();

    expect([before, during, writer.congested]).toEqual([false, true, false]);
  });

  it('lets others have their turn now and then, although there is room', async () => {
    const said = await speak([await openRun(), await openRun()], 200);

    expect(said.indexOf(1)).toBeLessThan(50);
    expect(said.lastIndexOf(0)).toBeGreaterThan(said.indexOf(1) + 100);
  });

  it('lets others have their turn right after the first word', async () => {
    const said = await speak([await openRun(), await openRun()], 10);

    expect(said.slice(0, 2)).toEqual([0, 1]);
  });
});
