import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { ProblemLog } from './problem-log.ts';

describe('the log of what is wrong with declarations', () => {
  it('has each problem once, and again when it comes back', () => {
    const told: string[] = [];
    const write = (line: Buffer, _encoding: string, done: () => void) => {
      told.push(JSON.parse(line.toString()).problem);
      done();
    };
    const log = new ProblemLog(pino(new Writable({ write })), 'a rule is not used');
    const one = { file: 'a.toml', line: 1, message: 'one' };
    const two = { file: 'a.toml', line: 2, message: 'two' };
    for (const problems of [[one], [one, two], [two], [one, two]]) log.tell(problems);

    expect(told).toEqual(['one', 'two', 'one']);
  });
});
