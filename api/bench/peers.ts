import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { peerScripts } from './peer-scripts.ts';
import type { Section } from './report.ts';

const run = promisify(execFile);
const installMs = 120_000;
const measureMs = 60_000;
const lengths = [5, 15, 50];

/** What the loops of others cost, installed into a folder of their own. One that cannot be had is said to be missing. */
export async function benchPeers(): Promise<Section> {
  const rows: Record<string, Record<string, number | string>> = {};
  for (const { name, packages, script } of peerScripts) {
    const folder = await mkdtemp(join(tmpdir(), 'oracle-bench-peer-'));
    try {
      await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
      await run('npm', ['install', '--no-audit', '--no-fund', '--no-save', ...packages], {
        cwd: folder,
        timeout: installMs,
      });
      await writeFile(join(folder, 'loop.mjs'), script);
      rows[name] = await measure(folder);
    } catch (error) {
      rows[name] = { note: `not measured: ${reason(error)}` };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return { title: 'Loops of others: CPU µs per turn, the same model and tool', rows, goals: [] };
}

async function measure(folder: string): Promise<Record<string, number>> {
  const { stdout } = await run(process.execPath, ['loop.mjs', ...lengths.map(String)], {
    cwd: folder,
    timeout: measureMs,
    maxBuffer: 10 * 1024 * 1024,
  });
  const costs = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as Record<string, number>;
  return Object.fromEntries(Object.entries(costs).map(([turns, cost]) => [`${turns} turns`, cost]));
}

function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n').findLast((line) => line.trim() !== '') ?? text).slice(0, 120);
}
