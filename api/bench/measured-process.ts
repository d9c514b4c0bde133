import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getHeapSpaceStatistics } from 'node:v8';
import { build } from 'esbuild';

/** A server in a process of its own, whose use of the processor can be asked for. */
export interface MeasuredProcess {
  readonly url: string;
  /** Microseconds of processor time so far. */
  cpu(): Promise<number>;
  /** Bytes in use, once everything that is not needed was let go. */
  memory(): Promise<Memory>;
  /** Bytes that are left for a full collection of garbage, after quick ones. */
  old(): Promise<number>;
  send(message: object): void;
  stop(): Promise<void>;
}

interface Memory {
  /** Objects and buffers. */
  readonly heap: number;
  /** What the system counts. */
  readonly resident: number;
}

/** What the process answers with: where it listens, then its processor time or memory, whenever it is asked. */
type Answer =
  | { readonly url: string }
  | { readonly cpu: number }
  | { readonly memory: Memory }
  | { readonly old: number };

const longestAnswer = 60_000;

/** One of the scripts beside this file. */
export async function startMeasured(script: string, ...args: readonly string[]): Promise<MeasuredProcess> {
  return startMeasuredFile(await built(script), ...args);
}

/** Any script that answers as `answerMeasurements` does. */
export async function startMeasuredFile(file: string, ...args: readonly string[]): Promise<MeasuredProcess> {
  const profiled = process.argv.includes('--profile')
    ? ['--cpu-prof', `--cpu-prof-dir=${join(tmpdir(), 'oracle-bench-profiles')}`]
    : [];
  const child = spawn(process.execPath, ['--expose-gc', ...profiled, file, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const first = await next(child).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  if (!('url' in first)) throw new Error(`${file} did not say where it listens.`);
  return {
    url: first.url,
    async cpu() {
      child.send({ wanted: 'cpu' });
      const answer = await next(child);
      return 'cpu' in answer ? answer.cpu : Number.NaN;
    },
    async memory() {
      child.send({ wanted: 'memory' });
      const answer = await next(child);
      return 'memory' in answer ? answer.memory : { heap: Number.NaN, resident: Number.NaN };
    },
    async old() {
      child.send({ wanted: 'old' });
      const answer = await next(child);
      return 'old' in answer ? answer.old : Number.NaN;
    },
    send: (message) => void child.send(message),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** What a script answers with before it ends, run as the product is built. */
export async function askProcess<Answered>(script: string, ...args: readonly string[]): Promise<Answered> {
  const child = spawn(process.execPath, ['--expose-gc', await built(script), ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  return new Promise((resolve, reject) => {
    child.once('message', (answer) => resolve(answer as Answered));
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code} and without an answer.`)));
  });
}

const builds = new Map<string, Promise<string>>();

/** As the product is built, once; put where it finds its packages. */
function built(script: string): Promise<string> {
  const building = builds.get(script) ?? buildScript(script);
  builds.set(script, building);
  return building;
}

async function buildScript(script: string): Promise<string> {
  const outfile = fileURLToPath(new URL(`../../node_modules/.cache/oracle-bench/${script}.mjs`, import.meta.url));
  await build({
    entryPoints: [fileURLToPath(new URL(`${script}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    packages: 'external',
  });
  return outfile;
}

/** The next message, or the news that there will be none. */
function next(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => () => {
      clearTimeout(patience);
      child.removeAllListeners('message').removeAllListeners('exit');
      act();
    };
    const patience = setTimeout(
      settle(() => reject(new Error('A process of the benchmark does not answer.'))),
      longestAnswer,
    );
    child.once('message', (answer) => settle(() => resolve(answer as Answer))());
    child.once(
      'exit',
      settle(() => reject(new Error('A process of the benchmark ended by itself.'))),
    );
  });
}

/** The other end, in the process itself. */
export function answerMeasurements(url: string, onMessage: (message: object) => void = () => undefined): void {
  process.on('message', (message: object) => {
    if (!('wanted' in message)) return onMessage(message);
    if (message.wanted === 'memory') {
      globalThis.gc?.();
      globalThis.gc?.();
      const { heapUsed, external, rss } = process.memoryUsage();
      process.send?.({ memory: { heap: heapUsed + external, resident: rss } } satisfies Answer);
      return;
    }
    if (message.wanted === 'old') {
      for (let time = 0; time < 2; time += 1) globalThis.gc?.({ type: 'minor' }); // who survives two is old
      const spaces = getHeapSpaceStatistics().filter(({ space_name }) => space_name === 'old_space');
      process.send?.({ old: spaces.reduce((sum, space) => sum + space.space_used_size, 0) } satisfies Answer);
      return;
    }
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system } satisfies Answer);
  });
  process.on('SIGTERM', () => process.exit(0));
  process.on('disconnect', () => process.exit(0)); // the benchmark was ended
  process.send?.({ url } satisfies Answer);
}
