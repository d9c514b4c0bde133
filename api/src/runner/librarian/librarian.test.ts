import { describe, expect, it } from 'vitest';
import type { Json } from '../../agent/json.ts';
import { noUsage } from '../../agent/usage.ts';
import type { ModelEvent, ModelRequest } from '../../models/model-port.ts';
import { told } from '../../models/test/told.ts';
import { createToolRegistry } from '../../tools/registry.ts';
import type { RunContext } from '../run-context.ts';
import { runQuery } from '../run-query.ts';
import { type Opened, openRun } from '../test/context.ts';
import { Librarian } from './librarian.ts';
import type { LibrarianPorts, SummaryCache } from './librarian-port.ts';

const report = 'In short: words.';
const long = 'word '.repeat(6_000);
const call = { callId: 'c', name: 'recite', arguments: {} };
const never = new AbortController().signal;

interface Options {
  readonly timeoutSeconds?: number;
  readonly summaries?: SummaryCache;
  reply?(request: ModelRequest): AsyncGenerator<ModelEvent, void, undefined>;
}

async function* answering(): AsyncGenerator<ModelEvent, void, undefined> {
  yield { type: 'text-delta', text: report };
  yield { type: 'usage', usage: { ...noUsage, inputTokens: 6_500, outputTokens: 10 } };
  yield { type: 'finish', kind: 'stop' };
}

/** As every model does: it ends when it is told to stop. */
async function* hanging({ signal }: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
  yield { type: 'text-delta', text: 'Half a summ' };
  if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
}

function librarianOf(run: RunContext, { timeoutSeconds = 1_200, reply = answering, summaries }: Options = {}) {
  const requests: ModelRequest[] = [];
  const kept = new Map<string, string>();
  const ports: LibrarianPorts = {
    modelName: 'scripted',
    windowSize: 64_000,
    timeoutSeconds,
    callModel(request, hear) {
      requests.push(request);
      return told(reply(request), hear);
    },
    tools: createToolRegistry([]),
    summaries: summaries ?? {
      find: async (key) => kept.get(key),
      keep: async (key, summary) => void kept.set(key, summary),
    },
  };
  return { librarian: new Librarian(run, ports, runQuery), requests, kept };
}

function started(options: Parameters<typeof openRun>[0] & { readonly seconds?: number } = {}): Opened {
  const start = performance.now();
  const run = openRun(options);
  const ports = { ...run.ports, now: () => performance.now() };
  return { ...run, ports, deadline: start + (options.seconds ?? 600) * 1_000 };
}

const finished = (result: Json) => ({ call, result, shape: undefined, sources: [] });

function said(run: Opened): readonly string[] {
  return run.emitted.flatMap((chunk) => (chunk.type === 'SystemChunk' ? [chunk.message] : []));
}

describe('the Librarian', () => {
  it('is given no longer than its own time', async () => {
    const run = started();
    const { librarian, kept } = librarianOf(run, { timeoutSeconds: 0.05, reply: hanging });

    const result = await librarian.digest(finished(long), never);

    expect(result).toMatchObject({ note: expect.stringContaining('time limit'), beginning: expect.any(String) });
    expect(JSON.stringify(result)).not.toContain('Half a summ');
    expect(kept.size).toBe(0);
  });

  it('is given no longer than its run has left', async () => {
    const run = started({ seconds: 1 });
    const { librarian, requests } = librarianOf(run, { reply: hanging });

    const result = await librarian.digest(finished(long), never);

    expect(result).toMatchObject({ note: expect.stringContaining('time limit') });
    // Its clock starts a moment later; of its own it would have twenty minutes.
    expect(requests[0]?.deadline).toBeLessThan(run.deadline + 60_000);
  });

  it('stops with its run, whose tokens it has used', async () => {
    const run = started();
    const stop = new AbortController();
    const { librarian } = librarianOf(run, {
      async *reply(request) {
        queueMicrotask(() => stop.abort());
        yield* hanging(request);
      },
    });

    await librarian.digest(finished(long), stop.signal);

    expect(run.state.tokensUsed).toMatchObject({ estimated: true });
    expect(run.state.tokensUsed.inputTokens).toBeGreaterThan(6_000);
    expect(run.reservedTokens).toBe(0);
  });

  it('reads several results at once within one budget', async () => {
    const run = started({ tokenBudget: 30_000 });
    const { librarian, requests } = librarianOf(run);

    const results = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => librarian.digest(finished(`${n} ${long}`), never)));

    const summarised = results.filter((result) => JSON.stringify(result).includes(report)).length;
    expect(summarised).toBeGreaterThanOrEqual(1);
    expect(summarised).toBeLessThan(6);
    expect(requests).toHaveLength(summarised);
    expect(said(run).filter((message) => message.includes('no room'))).toHaveLength(6 - summarised);
    expect(run.state.tokensUsed.inputTokens + run.state.tokensUsed.outputTokens).toBeLessThanOrEqual(30_000);
  });

  it('cuts what does not fit its window, and does not remember such a summary as one of the whole', async () => {
    const run = started({ tokenBudget: 200_000 });
    const { librarian, requests, kept } = librarianOf(run);

    await librarian.digest(finished('word '.repeat(80_000)), never);

    expect(JSON.stringify(requests[0]?.messages)).toContain('It is cut');
    expect(kept.size).toBe(0);
    await librarian.digest(finished(long), never);
    expect(kept.size).toBe(1);
  });

  it('goes on when what was remembered cannot be read or kept', async () => {
    const run = started();
    const broken = () => Promise.reject(new Error('The database is away.'));
    const { librarian } = librarianOf(run, { summaries: { find: broken, keep: broken } });

    expect(await librarian.digest(finished(long), never)).toMatchObject({ summary: report });
  });

  it('leaves small results as they are, the same value', async () => {
    const result = { rows: ['a'] };
    const { librarian, requests } = librarianOf(started());

    expect(await librarian.digest(finished(result), never)).toBe(result);
    expect(requests).toEqual([]);
  });
});
