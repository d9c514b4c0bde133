import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { totalTokens } from '../../src/agent/usage.ts';
import type { Part, Reply } from './scripted-model.ts';
import { runScripted, startScripted, streamedAnswer } from './scripted-run.ts';
import { watchTools } from './watched-tools.ts';

const sentence = 'Some words that say nothing, and say it again. ';
const text = (times = 1): Part => ({ do: 'text', text: sentence.repeat(times) });
const call = (name: string, n = 0): Part => ({ do: 'call', name, written: JSON.stringify({ n }) });
const replyOf = (parts: readonly Part[], more: Partial<Reply> = {}): Reply => ({
  parts,
  usage: 'reported',
  keepsCap: true,
  ...more,
});
const always = (...parts: readonly Part[]) => replyOf(parts);
const tools = watchTools().registry;

describe('the token budget', () => {
  it('cuts an answer off after the chunk in hand, also while hints are sent', async () => {
    const { result, failures, config, spent } = await runScripted({
      tools,
      config: { maxIterations: 2, tokenBudget: 1_300, tokenWarningPercent: 50 },
      reply: (turn) =>
        turn === 1 ? always(call('look')) : replyOf(Array(100).fill(text()), { keepsCap: false, usage: 'none' }),
    });

    expect(failures).toEqual([]);
    expect(result.ending).toMatchObject({ reason: 'TOKEN_BUDGET', limitType: 'TOKENS', limitValue: 1_300 });
    expect(totalTokens(result.ending.usage)).toBeGreaterThanOrEqual(config.tokenBudget);
    expect(totalTokens(result.ending.usage)).toBeLessThanOrEqual(config.tokenBudget + (spent.at(-1)?.lastPiece ?? 0));
  });

  it('is what ended an answer that the cap cut off, although the provider counted less than was reserved', async () => {
    const { result, chunks } = await runScripted({
      tools,
      config: { tokenBudget: 1_000 },
      reply: () => replyOf([...Array(900).fill({ do: 'text', text: 'word ' })], { hiddenTokens: 100 }),
    });

    expect(result.ending.reason).toBe('TOKEN_BUDGET');
    expect(totalTokens(result.ending.usage)).toBeLessThan(1_000);
    expect(result.ending.message).toContain('The next call would have taken');
    expect(streamedAnswer(chunks)).toBe(result.answer);
  });

  it('counts the tools of the coming request, although the one before went without them', async () => {
    const { result, spent, config } = await runScripted({
      tools,
      config: { tokenBudget: 935, maxIterations: 6, tokenWarningPercent: 95 },
      reply: () => always(call('fail', 1)),
    });
    const truth = spent.reduce((sum, { input, output }) => sum + input + output, 0);

    expect(result.ending.reason).toBe('TOKEN_BUDGET');
    expect(truth).toBeLessThanOrEqual(config.tokenBudget + (spent.at(-1)?.lastPiece ?? 0));
  });
});

describe('the time limit', () => {
  it('holds when the clock shows a hair less than the timer', async () => {
    const timeoutSeconds = 0.03;
    const start = startWithRounding(timeoutSeconds);
    const { result, failures } = await runScripted({
      tools,
      config: { timeoutSeconds },
      now: () => Math.min(Math.max(start, performance.now()), start + timeoutSeconds * 1_000),
      reply: () => always(text(), { do: 'hang' }),
    });

    expect(failures).toEqual([]);
    expect(result.ending).toMatchObject({ reason: 'TIMEOUT', limitType: 'TIME', limitValue: timeoutSeconds });
  });

  it('does not take back an answer that was complete before it', async () => {
    let events = 0;
    const { result } = await runScripted({
      tools,
      config: { timeoutSeconds: 0.1 },
      reply: () => always(text()),
      pause: () => (++events === 3 ? pause(150) : undefined), // text, usage, finish
    });

    expect(result.ending.reason).toBe('COMPLETED');
  });

  it('gives way to a cancellation that comes before the run has ended', async () => {
    const { run, chunks } = startScripted({
      tools,
      config: { timeoutSeconds: 0.05 },
      reply: () => always(text(), call('deaf_for_ever')),
      onEmit: (chunk, underWay) => {
        if (chunk.type === 'SystemChunk' && chunk.limitType === 'TIME')
          setTimeout(() => underWay.stop('cancelled'), 20);
      },
    });
    const { ending } = await run.result;

    expect(ending).toMatchObject({
      reason: 'CANCELLED',
      unfinishedTools: [{ name: 'deaf_for_ever', fate: 'unknown' }],
    });
    expect(chunks.filter((chunk) => chunk.type === 'SystemChunk' && chunk.systemType === 'LIMIT_REACHED')).toEqual([]);
  });

  it('is told once in the middle of a turn that hangs', async () => {
    const { chunks } = await runScripted({
      tools,
      config: { timeoutSeconds: 0.05 },
      reply: () => always(text(), { do: 'hang' }),
    });

    expect(chunks.filter(({ type }) => type === 'SystemChunk')).toMatchObject([
      { systemType: 'LIMIT_WARNING', limitType: 'TIME' },
      { systemType: 'LIMIT_REACHED', limitType: 'TIME' },
    ]);
  });

  it.for([0.2, 0.213, 0.227])(
    'ends the wait for a provider that asks for patience, after %d s',
    async (timeoutSeconds) => {
      const { result, chunks } = await runScripted({
        tools,
        config: { timeoutSeconds },
        reply: () => replyOf([text()], { refusals: 9, retryAfterMs: 60_000 }),
      });

      expect(result.ending).toMatchObject({ reason: 'TIMEOUT', turns: 1 });
      expect(chunks.filter(({ type }) => type === 'ErrorChunk')).toEqual([]);
    },
  );
});

/** A moment about now from which the time limit, added and taken off again, comes out smaller. */
function startWithRounding(timeoutSeconds: number): number {
  let start = performance.now();
  while ((start + timeoutSeconds * 1_000 - start) / 1_000 >= timeoutSeconds) start += 0.001;
  return start;
}
