import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withContenders } from './contenders.ts';
import { measureDeliveries } from './delivery.ts';
import { measureLoop as measureOwnLoop } from './loop-sections.ts';
import { startMeasuredFile } from './measured-process.ts';
import { mastraServer, type PeerScript, peerScripts } from './peer-scripts.ts';
import type { Section } from './report.ts';
import { connectEvents } from './streams.ts';
import { chunksOfRun, deltasPerTurn, turns } from './workload.ts';

const run = promisify(execFile);
const installMs = 120_000;
const measureMs = 90_000;
const lengths = [5, 15, 50, 200];
const streams = 50;

/** What the loops and servers of others cost, installed into a folder of their own. One that cannot be had is said to be missing. */
export async function benchPeers(databaseUrl: string): Promise<Section> {
  const ours = new Map((await measureOwnLoop()).map(({ turns, runner }) => [`${turns} turns`, runner]));
  const rows: Record<string, Record<string, number | string>> = {
    'Oracle Agent': Object.fromEntries(lengths.map((count) => [columnOf(count), ours.get(columnOf(count)) ?? '?'])),
  };
  const loops: Record<string, number>[] = [];
  for (const peer of peerScripts) {
    const measured = await installed(peer, measureLoop).catch(missing);
    rows[peer.name] = measured;
    if (!('note' in measured)) loops.push(measured as Record<string, number>);
  }
  const servers = await installed(mastraServer, (script) => measureServers(databaseUrl, script)).catch(missing);
  rows[mastraServer.name] = servers;
  const cheapest = (column: string) => Math.min(...loops.map((loop) => loop[column] ?? Number.NaN));
  return {
    title: 'Others: CPU µs per turn of their loops, the same model and tool; and per chunk of ours of their servers',
    rows,
    goals: [
      ...lengths.map(columnOf).map((column) => ({
        what: `Loop of ${column}, against the cheapest of ${loops.length} others`,
        measured: loops.length === 0 ? Number.NaN : cheapest(column) / (ours.get(column) ?? Number.NaN),
        atLeast: 13,
      })),
      { what: "Whole pipeline, against Mastra's server", measured: Number(servers[ratio] ?? Number.NaN), atLeast: 10 },
    ],
  };
}

const columnOf = (count: number) => `${count} turns`;
const ratio = '× whole, as SSE';

/** In a folder for temporary files, never among the packages of this project. */
async function installed<Result>(
  { packages, script }: PeerScript,
  measure: (script: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'oracle-bench-peer-'));
  try {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    const install = ['install', '--no-audit', '--no-fund', '--no-save', ...packages];
    await run('npm', install, { cwd: folder, timeout: installMs });
    const file = join(folder, 'peer.mjs');
    await writeFile(file, script);
    return await measure(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureLoop(script: string): Promise<Record<string, number>> {
  const { stdout } = await run(process.execPath, [script, ...lengths.map(String)], {
    timeout: measureMs,
    maxBuffer: 10 * 1024 * 1024,
  });
  const costs = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as Record<string, number>;
  return Object.fromEntries(Object.entries(costs).map(([count, cost]) => [columnOf(Number(count)), cost]));
}

async function measureServers(databaseUrl: string, script: string): Promise<Record<string, number | string>> {
  const server = await startMeasuredFile(script, String(turns));
  const path = '/api/agents/bench/stream';
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Why?' }], maxSteps: turns });
  const mastra = {
    server,
    connect: async () => connectEvents(server.url, { event: 'data: {', path }),
    request: () => body,
  };
  try {
    const costs = await withContenders(databaseUrl, ['Oracle Agent, whole, as SSE'], streams, (ours) =>
      measureDeliveries({ ...ours, mastra }, { streams, warmUpMs: 8_000, rounds: 8 }),
    );
    const ours = costs['Oracle Agent, whole, as SSE'].perStream;
    const { chunks } = costs.mastra;
    if (chunks < turns * deltasPerTurn - 1) throw new Error(`Only ${chunks} events came of a run.`);
    return {
      'µs per chunk': costs.mastra.perStream / chunksOfRun,
      'events of a stream': Math.round(costs.mastra.chunks),
      'µs per chunk of ours, whole, as SSE': ours / chunksOfRun,
      [ratio]: costs.mastra.perStream / ours,
    };
  } finally {
    await server.stop();
  }
}

function missing(error: unknown): Record<string, string> {
  const text = error instanceof Error ? error.message : String(error);
  const reason = text.split('\n').findLast((line) => line.trim() !== '') ?? text;
  return { note: `not measured: ${reason.slice(0, 120)}` };
}
