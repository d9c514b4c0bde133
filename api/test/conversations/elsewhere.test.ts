import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reply, step } from '../kit/model-replies.ts';
import { createServerPair, type RunningServer, type ServerPair } from '../kit/server-pair.ts';
import type { Chunk } from '../oracle/kit/chunks.ts';
import { calling } from '../oracle/kit/oracle-kit.ts';
import { askOver, followOver } from '../oracle/kit/stream.ts';
import { settle } from '../oracle/kit/told.ts';
import { callIdsIn, goOn, toldTo } from './go-on-kit.ts';

let pair: ServerPair;
let one: RunningServer;
beforeEach(async () => {
  pair = await createServerPair();
  one = await pair.start();
}, 120_000);
afterEach(() => pair.dispose());

const isContent = (chunk: Chunk) => chunk.__typename === 'ContentChunk';

describe('a run whose server was killed', () => {
  it('is continued by another server with all that was stored, and once more after that one was stopped', {
    timeout: 120_000,
  }, async () => {
    pair.models.script(
      calling('alpha', { text: 'Looking. ' }),
      calling([{ name: 'vault_write', arguments: { path: 'kept.md', body: '# Kept' } }]),
      reply.stream([step.text('Half a pl'), step.hang()]),
    );
    const asked = askOver(one, { question: 'one' });
    const { runId } = await asked.until((chunk) => isContent(chunk) && 'text' in chunk && chunk.text === 'Half a pl');
    await one.end('SIGKILL');
    const other = await pair.start();
    const lost = await settle(other, await followOver(other, runId).toEnd());

    pair.models.script(reply.stream([step.text('an. '), step.hang()]));
    const second = goOn('continueRun', other, { runId });
    const { runId: secondId } = await second.until(isContent);
    const reading = second.toEnd();
    await other.end('SIGTERM');
    const third = await pair.start();
    const stopped = (await reading).at(-1);

    pair.models.script(reply.text('Done.'));
    const told = await settle(third, await goOn('continueRun', third, { runId: secondId }).toEnd());
    const request = pair.models.requests.at(-1);
    const { calls, results } = request ? callIdsIn(request) : { calls: [], results: [] };

    expect(lost.reason).toBe('INTERRUPTED');
    expect(stopped).toMatchObject({ __typename: 'DoneChunk', terminationReason: 'INTERRUPTED' });
    expect(request && toldTo(request)).toEqual([
      ['user', 'one'],
      ['assistant', 'Looking. ', 'vault_search {"query":"alpha"}'],
      ['tool', expect.stringContaining('hits')],
      ['assistant', '', expect.stringContaining('vault_write')],
      ['tool', expect.stringContaining('kept.md')],
      ['assistant', 'Half a pl\n\nan. '],
      ['user', expect.stringContaining('<notice>')],
    ]);
    expect(results).toEqual(calls);
    expect(told).toMatchObject({ reason: 'COMPLETED', text: 'Done.' });
    expect(told.exchange.question).toBe('one');
  });
});
