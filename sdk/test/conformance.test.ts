import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {} from '../../api/test/kit/global-setup.ts';
import { type Kit, startKit, type TestUser } from '../../api/test/kit/kit.ts';
import { checkConformance, main } from '../src/conformance.ts';
import { type Fault, startFaultyProxy } from './faulty-proxy.ts';

let kit: Kit;
let user: TestUser;

beforeAll(async () => {
  kit = await startKit({ pace: 1 });
  user = await kit.newUser();
});
afterAll(() => kit.stop());

async function command(...args: readonly string[]): Promise<{ code: number; printed: string }> {
  const file = fileURLToPath(new URL('../bin/oracle-conformance.js', import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? -1, printed })));
}

describe('the conformance kit', () => {
  it('finds that this server keeps every rule, over both transports', async () => {
    const models = ['simulated/answer', 'simulated/errors'];
    const { code, printed } = await command(kit.url, user.token, `--models=${models.join()}`);

    expect(printed).not.toContain('✗');
    expect(printed).toContain('✓ a run can be resumed at every seq (simulated/errors over sse)');
    expect(printed).toMatch(/30 kept, 0 broken\s*$/);
    expect(code).toBe(0);
  });

  it.each<[readonly Fault[], RegExp]>([
    [['pass', 'drop'], /without gaps.*1 is followed by 3/s],
    [['pass', 'pass', 'duplicate'], /without gaps.*3 is followed by 3/s],
    [['pass', 'delay'], /without gaps/],
  ])('notices a server that does %j to its chunks', async (faults, expected) => {
    await using proxy = await startFaultyProxy(kit.url);
    proxy.plan(faults);
    const lines: string[] = [];

    const code = await main([proxy.url, user.token, '--models=simulated/errors'], (line) => lines.push(line));

    expect(lines.filter((line) => line.startsWith('✗')).join('\n')).toMatch(expected);
    expect(code).toBe(1);
  });

  it('reports as JSON, explains itself, and says when nobody answers', async () => {
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    expect(await main([kit.url, user.token, '--json', '--models=simulated/answer'], print)).toBe(0);
    expect(JSON.parse(lines.join('\n'))[0]).toMatchObject({ model: 'simulated/answer over ws' });

    expect((await command('--help')).printed).toContain('oracle-conformance URL TOKEN');
    expect((await command()).code).toBe(2);
    await expect(checkConformance({ url: kit.url, token: 'wrong' })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
