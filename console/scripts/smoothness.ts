/**
 * How smoothly the chat draws an answer of 10 000 chunks, live at two paces and when it is opened again: `npm run
 * smoothness`. Starts the built server on a database of its own, a scripted model and a browser; prints the frames that
 * took longer than 50 ms. Headless Chromium draws in software: a loaded machine tells of itself. Server and model give
 * way to the browser, as neither is on the machine of somebody who reads.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { closing, reply, step } from '../../api/test/kit/model-replies.ts';
import { startModelServer } from '../../api/test/kit/model-server.ts';
import { launchChromium } from '../test/chromium.ts';

const chunks = 10_000;
/** So many chunks every so many milliseconds: faster than any model writes, and as fast as a fast one does. */
const paces = [
  { chunksAtOnce: 20, between: 8 },
  { chunksAtOnce: 6, between: 20 },
] as const;
const slowFrom = 50;
const lowPriority = 10;
const token = 'the-token-of-the-smoothness-measurement';
/**
 * Counts from when there is a page to be seen, not while its script is loaded. As text, since it is the page's: what
 * compiles this file would add names that the page does not know.
 */
const countFrames = `{
  const frames = (window.frameTimes = []);
  let last = performance.now();
  const note = (now) => {
    if (document.querySelector('main')) frames.push(now - last);
    last = now;
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
}`;

const scratch = await mkdtemp(join(tmpdir(), 'oracle-smoothness-'));
await chmod(scratch, 0o755);
const model = await startModelServer();
const server = spawn(process.execPath, [join(import.meta.dirname, '../../api/dist/main.js')], {
  env: {
    ...process.env,
    PORT: '0',
    ORACLE_DATA_DIR: join(scratch, 'data'),
    ORACLE_STAGING_DIR: join(scratch, 'staging'),
    ORACLE_ADMIN_TOKEN: token,
    ORACLE_OPENAI_BASE_URL: model.url,
    ORACLE_LOG_LEVEL: 'error',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (server.pid !== undefined) setPriority(server.pid, lowPriority);
const browser = await launchChromium(scratch);
setPriority(lowPriority);

try {
  const page = await (await browser.newContext({ baseURL: await addressOf(server) })).newPage();
  await page.goto('/sign-in');
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('[data-connection=connected]').waitFor();
  for (const pace of paces) {
    await page.goto('/');
    await page.locator('[data-connection=connected]').waitFor();
    await type(page, '/model openai/scripted');
    model.script(() => reply.stream([...answerAt(pace), ...closing('stop')]));
    const live = await measure(page, async () => {
      await type(page, 'Write at length');
      await page.locator('[data-ending=COMPLETED]').waitFor({ timeout: 120_000 });
    });
    report(`as it is written, ${Math.round((pace.chunksAtOnce / pace.between) * 1_000)} a second`, live);
  }
  await page.addInitScript(countFrames);
  const again = await measure(page, async () => {
    await page.reload();
    await page.locator('[data-ending=COMPLETED]').waitFor({ timeout: 120_000 });
    await pause(1_000); // what is still being drawn counts as well
  });
  report('opened again', again);
} finally {
  await browser.close();
  server.kill('SIGTERM');
  await new Promise((resolve) => server.once('close', resolve));
  await model.stop();
  await rm(scratch, { recursive: true, force: true });
}

/** Paragraphs, lists, tables and code in turn, each word a chunk. */
function* answerAt({ chunksAtOnce, between }: (typeof paces)[number]) {
  for (let index = 0; index < chunks; index += 1) {
    yield step.text(wordAt(index));
    if (index % chunksAtOnce === 0) yield step.wait(pause((index / chunksAtOnce) * between));
  }
}

function wordAt(index: number): string {
  const place = index % 400;
  const kind = Math.floor(place / 100);
  if (place % 100 === 0) return `\n\n${['', '- ', '| a | b |\n| --- | --- |\n| ', '```ts\n'][kind]}`;
  if (place % 100 === 99) return kind === 3 ? '\n```\n\n' : '\n\n';
  if (place % 10 === 0)
    return [`.\n\n**Part ${index}** `, '\n- ', ' | x |\n| ', `;\nconst line${index} = `][kind] ?? '';
  return ['word ', 'item ', 'cell ', '1 + '][kind] ?? '';
}

async function type(page: Page, text: string): Promise<void> {
  const field = page.getByLabel('Your question');
  await field.fill(text);
  await field.press('Enter');
}

interface Smoothness {
  /** Milliseconds from frame to frame. */
  readonly frames: readonly number[];
  /** Milliseconds of processor time of the page's tasks: what the page itself can do something about. */
  readonly tasks: readonly number[];
}

async function measure(page: Page, work: () => Promise<void>): Promise<Smoothness> {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  await page.evaluate(countFrames);
  await work();
  const frames = await page.evaluate<number[]>('window.frameTimes');
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const mains = new Set(
    trace.traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = trace.traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && mains.has(`${pid} ${tid}`),
  );
  return { frames, tasks: tasks.map(({ tdur = 0 }) => tdur / 1_000) };
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

function report(what: string, { frames, tasks }: Smoothness): void {
  const slow = (times: readonly number[]) =>
    `${times.filter((time) => Math.round(time) > slowFrom).length} over ${slowFrom} ms, longest ${Math.round(Math.max(...times))} ms`;
  process.stdout.write(
    `${chunks} chunks, ${what}: ${frames.length} frames, ${slow(frames)}; tasks (processor time) ${slow(tasks)}\n`,
  );
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const address = /ready at (\S+)/.exec(printed)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('close', () => reject(new Error(`The server ended: ${printed}`)));
  });
}
