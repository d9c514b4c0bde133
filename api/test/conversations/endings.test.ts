import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../kit/kit.ts';
import { type Reply, reply, step } from '../kit/model-replies.ts';
import type { ScriptEntry } from '../kit/model-server.ts';
import { calling, type OracleKit, searching, startOracleKit } from '../oracle/kit/oracle-kit.ts';
import type { Told } from '../oracle/kit/told.ts';
import { callIdsIn, goOn, toldTo } from './go-on-kit.ts';

let kit: OracleKit;
let user: TestUser;
beforeAll(async () => {
  kit = await startOracleKit();
});
beforeEach(async () => {
  user = await kit.newUser();
});
afterAll(() => kit.stop());

const same: ScriptEntry = calling('the same');
const failing: ScriptEntry = ({ number }) => calling([{ name: 'vault_read', arguments: { path: `no ${number}.md` } }]);
const hanging: Reply = reply.stream([step.text('Half a th'), step.hang()]);

/** One run for every way to end without a complete answer. */
const endings: readonly (readonly [string, () => Promise<Told>])[] = [
  ['MAX_ITERATIONS', () => run([], searching, { maxIterations: 2 })],
  ['TOKEN_BUDGET', () => run([], calling('much', { usage: { input: 9_000, output: 2_000 } }), { tokenBudget: 10_000 })],
  ['NO_PROGRESS', () => run([], same, {})],
  ['ERROR_LIMIT', () => run([], failing, {})],
  ['MODEL_ERROR', () => run([calling('alpha'), reply.error(401)], reply.error(401), {})],
  ['TIMEOUT', () => run([calling('alpha')], hanging, { timeoutSeconds: 10 })],
  ['CANCELLED', () => cancelled([calling('alpha'), hanging])],
];

async function run(entries: readonly ScriptEntry[], always: ScriptEntry, config: Record<string, number>) {
  kit.script(...entries).always(always);
  return kit.ask(user, { question: 'one', config });
}

async function cancelled(entries: readonly ScriptEntry[]): Promise<Told> {
  kit.script(...entries);
  const stream = kit.open(user, { question: 'one' });
  const { runId } = await stream.until((chunk) => chunk.__typename === 'ContentChunk');
  await kit.cancel(user, runId);
  return kit.settle(user, stream);
}

describe('a run that ended', () => {
  describe.each(endings)('as %s', (reason, make) => {
    it('is continued, and answered from, and the next question finds one sane conversation', async () => {
      const ended = await make();
      const script = kit.script(
        calling('more'),
        reply.text('Continued.'),
        reply.text('Answered.'),
        reply.text('Next.'),
      );
      const { url } = kit;
      const continued = await kit.settle(user, goOn('continueRun', { url, user }, { runId: ended.runId }));
      const answered = await kit.settle(user, goOn('answerNow', { url, user }, { runId: ended.runId }));
      await kit.ask(user, { question: 'two', conversationId: ended.conversationId });
      const requests = script.requests();
      const next = requests.at(-1);

      expect(ended.reason).toBe(reason);
      expect(continued).toMatchObject({ reason: 'COMPLETED', text: 'Continued.' });
      expect(answered).toMatchObject({ reason: 'COMPLETED', text: 'Answered.' });
      for (const request of requests) {
        const { calls, results } = callIdsIn(request);
        expect(results).toEqual(calls);
        expect(JSON.stringify(request.body)).not.toMatch(/Stopped (at|because)|There is no answer yet/);
      }
      expect(next && toldTo(next)).toEqual([
        ['user', 'one'],
        ['assistant', 'Answered.'],
        ['user', 'two'],
      ]);
    });
  });
});
