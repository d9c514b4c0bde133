import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { reply } from '../kit/model-replies.ts';
import { calling, type OracleKit, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import { firingsOf, ruleText } from './rule-kit.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'oracle-rules-'));
let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  mkdirSync(join(dataDir, 'rules'));
  kit = await startOracleKit({ dataDir });
  user = await kit.newUser();
});
afterAll(async () => {
  await kit.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const write = (file: string, text: string) => writeFileSync(join(dataDir, 'rules', file), text);
const saying = (words: string) =>
  ruleText('spoken', { name: words, action: `[action.notify]\nmessage = "${words} {{ turn }}"` });

/** The name of the rule as the server has it now. */
async function nameNow(): Promise<string | undefined> {
  const { rule } = await user.ask<{ rule: { name: string } | null }>('{ rule(id: "spoken") { name } }');
  return rule?.name;
}

async function brokenFiles(): Promise<readonly string[]> {
  const { ruleProblems } = await kit.admin.ask<{ ruleProblems: { file: string }[] }>('{ ruleProblems { file } }');
  return ruleProblems.map(({ file }) => file);
}

describe('files of rules that change while a question is answered', () => {
  it('count from the next turn on; a bad one beside them is reported and changes nothing', async () => {
    kit.script(
      calling('one'),
      async () => {
        write('bad.toml', 'id = "bad"\ntrigger = "TURN_START"\ncondition = "trn > \n');
        write('spoken.toml', saying('First'));
        await expect.poll(nameNow).toBe('First');
        await expect.poll(brokenFiles).toEqual(['bad.toml']);
        return calling('two');
      },
      async () => {
        write('spoken.toml', saying('Second'));
        await expect.poll(nameNow).toBe('Second');
        return calling('three');
      },
      async () => {
        write('spoken.toml', saying('Third').replace('TURN_START', 'TURN_STRAT'));
        await expect.poll(brokenFiles).toEqual(['bad.toml', 'spoken.toml']);
        return calling('four');
      },
      reply.text('Done.'),
    );
    const told = await kit.ask(user);

    expect(told.system('NOTIFICATION').map(({ message }) => message)).toEqual(['First 3', 'Second 4']);
    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'Done.' });
    expect(told.of('ErrorChunk')).toEqual([]);
    expect((await firingsOf(user, 'spoken')).map(({ turn, error }) => [turn, error])).toEqual([
      [3, null],
      [4, null],
    ]);
  });
});
