import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {} from '../../api/test/kit/global-setup.ts';
import { type Kit, startKit, type TestUser } from '../../api/test/kit/kit.ts';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
const snippets = readme.split(/^## /m).flatMap((section) =>
  [...section.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = '']) => ({
    title: section.split('\n')[0] ?? '',
    code,
  })),
);

let kit: Kit;
let user: TestUser;
let folder: string;

beforeAll(async () => {
  kit = await startKit({ pace: 1 });
  user = await kit.newUser({ name: 'Ada' });
  folder = mkdtempSync(join(packageFolder, 'test', '.snippets-')); // here, so that the packages are found
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await kit.stop();
});

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function run(args: readonly string[], input = ''): Promise<Ended> {
  const child = spawn(process.execPath, ['--conditions=oracle-source', ...args], { cwd: packageFolder });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  child.stdin.end(input);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

describe('the README of the SDK', () => {
  it.each(snippets.map(({ title, code }, index) => [index, title, code] as const))(
    'has a snippet %i that runs: %s',
    async (index, _title, code) => {
      const own = code.includes('createOracleClient(');
      const file = join(folder, `${index}.ts`);
      const imports = own ? '' : "import { createOracleClient } from '@oracle-agent/sdk';\n";
      const client = own ? '' : 'const oracle = createOracleClient({ url, token });\n';
      const place = `const [url, token] = [${JSON.stringify(kit.url)}, ${JSON.stringify(user.token)}];\n`;
      writeFileSync(file, `${imports}${place}${client}${code}${own ? '' : 'oracle.close();\n'}`);

      const { code: exit, output } = await run([file]);

      expect(output).not.toMatch(/Error:/);
      expect(output).not.toBe('');
      expect(exit).toBe(0);
    },
  );

  it('has one for every feature', () => {
    expect(snippets.length).toBeGreaterThan(8);
  });
});

describe('the examples', () => {
  it('chat in a terminal, in at most forty lines', async () => {
    const file = join(packageFolder, 'examples/terminal-chat.ts');
    const { code, output } = await run([file, kit.url, user.token], 'What did we decide about caching?\nAnd then?\n');

    expect(readFileSync(file, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    expect(output).toContain('[vault_search]');
    expect(output).toContain('.md');
    expect(code).toBe(0);
  });

  it('answer a batch', async () => {
    const file = join(packageFolder, 'examples/batch.ts');
    const { code, output } = await run([file, kit.url, user.token, 'What about caching?', 'Who decides?']);

    const answers = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { reason: string; question: string });
    expect(answers.map(({ reason }) => reason)).toEqual(['COMPLETED', 'COMPLETED']);
    expect(code).toBe(0);
  });
});
