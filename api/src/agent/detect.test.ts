import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'detect-'));
afterAll(() => rmSync(folder, { recursive: true }));

const looping = [1, 2, 3, 4].map((turn) => ({ turn, name: 'a', args: {}, result_hash: 'r', is_error: false }));
const stuck = JSON.stringify({ id: 'loop', label: 'stuck', calls: looping });
const healthy = JSON.stringify({ label: 'progress', calls: looping.slice(0, 2) });

describe('detect', () => {
  it('prints one verdict per line, with the line number where there is no id', () => {
    const { stdout, status } = detect([stuck, '', healthy]);

    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { id: 'loop', stopped: true, turn: 3, reason: 'NO_PROGRESS' },
      { id: 3, stopped: false, turn: null, reason: null },
    ]);
    expect(status).toBe(0);
  });

  it('reports bad lines by their number, goes on with the rest and exits with 1', () => {
    const { stdout, stderr, status } = detect([stuck, '{"calls":', '{"calls":[{"name":"a"}]}', healthy]);

    expect(stdout.trim().split('\n')).toHaveLength(2);
    expect(stderr).toMatch(/^Line 2: not JSON\.\nLine 3: .*turn/s);
    expect(status).toBe(1);
  });

  it('summarises labelled runs', () => {
    const { stdout, status } = detect([stuck, healthy], '--summary');

    expect(stdout).toMatch(/accuracy +false alarms +recall/);
    expect(stdout).toMatch(/all +2 +1 +100\.00 % +0\.00 % +100\.00 %/);
    expect(stdout).toMatch(/identical +1 +1 /);
    expect(status).toBe(0);
  });

  it('explains itself, also when it is called wrongly', () => {
    expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage:') });
    expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('Usage:') });
    expect(run(join(folder, 'missing'))).toMatchObject({ status: 1, stderr: expect.stringContaining('no such file') });
  });
});

function detect(lines: readonly string[], ...options: readonly string[]) {
  const file = join(folder, 'runs.jsonl');
  writeFileSync(file, lines.join('\n'));
  return run(file, ...options);
}

function run(...args: readonly string[]) {
  return spawnSync(process.execPath, [join(import.meta.dirname, '../../scripts/detect.ts'), ...args], {
    encoding: 'utf8',
  });
}
